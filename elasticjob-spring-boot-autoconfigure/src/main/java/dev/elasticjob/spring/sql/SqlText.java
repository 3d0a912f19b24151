package dev.elasticjob.spring.sql;

import dev.elasticjob.definition.text.NearestName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.namedparam.AbstractSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;

/** The text of a statement, and what it refers to. It is not parsed further: only the database knows its SQL. */
record SqlText(String text) {
    /** Everything that can be said against it without a database. */
    List<String> problems() {
        Set<String> names = new LinkedHashSet<>();
        boolean questionMarks;
        try {
            var recording = new Recording(names);
            int all = NamedParameterUtils.buildValueArray(NamedParameterUtils.parseSqlStatement(text), recording, null)
                    .length;
            questionMarks = all > recording.asked;
        } catch (InvalidDataAccessApiUsageException e) {
            questionMarks = true;
        }
        return Stream.concat(
                        questionMarks
                                ? Stream.of("a \"?\" has no value; expected placeholders with names, such as :item")
                                : Stream.empty(),
                        names.stream().flatMap(name -> unknown(name).stream()))
                .toList();
    }

    private static Optional<String> unknown(String name) {
        List<String> known = SqlParameter.names();
        return known.contains(name)
                ? Optional.empty()
                : Optional.of("there is no placeholder \":%s\"%s; expected one of :%s"
                        .formatted(
                                name,
                                NearestName.to(name, known)
                                        .map(" (did you mean \":%s\"?)"::formatted)
                                        .orElse(""),
                                String.join(", :", known)));
    }

    /** Notes what it is asked for. */
    private static final class Recording extends AbstractSqlParameterSource {
        private final Set<String> names;
        private int asked;

        Recording(Set<String> names) {
            this.names = names;
        }

        @Override
        public boolean hasValue(String name) {
            return true;
        }

        @Override
        public Object getValue(String name) {
            asked++;
            names.add(name);
            return "";
        }
    }
}
