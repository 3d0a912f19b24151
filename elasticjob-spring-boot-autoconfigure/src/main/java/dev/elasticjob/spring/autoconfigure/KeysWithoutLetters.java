package dev.elasticjob.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;

/**
 * The keys of jobs whose names have neither a Latin letter nor a digit, and stand in no brackets. Spring Boot leaves such a
 * name out of the key, so that the rest is another one.
 */
record KeysWithoutLetters(List<String> written) {
    private static final Pattern KEY =
            Pattern.compile(Pattern.quote(JobProperties.JOBS + ".") + "(?<job>[^.\\[A-Za-z0-9]+)\\.(?<setting>.+)");

    static KeysWithoutLetters in(Environment environment) {
        if (!(environment instanceof ConfigurableEnvironment configurable)) {
            return new KeysWithoutLetters(List.of());
        }
        return new KeysWithoutLetters(configurable.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> all
                        ? Stream.of(all.getPropertyNames())
                        : Stream.empty())
                .filter(name -> KEY.matcher(name).matches())
                .distinct()
                .sorted()
                .toList());
    }

    /** One line of the report for each. */
    List<String> lines() {
        return written.stream().map(KeysWithoutLetters::line).toList();
    }

    /** What Spring Boot makes of them. */
    Set<ConfigurationPropertyName> mistaken() {
        return written.stream()
                .map(name -> ConfigurationPropertyName.adapt(name, '.'))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String line(String name) {
        Matcher key = KEY.matcher(name);
        if (!key.matches()) {
            throw new IllegalArgumentException("Expected a key without letters, but was \"%s\"".formatted(name));
        }
        return "Property \"%s\" can't be read, because of such a name Spring Boot sees only the letters a to z and digits: write the name in brackets: \"%s[%s].%s\". In YAML, these need quotes as well: \"[%3$s]\"."
                .formatted(name, JobProperties.JOBS, key.group("job"), key.group("setting"));
    }
}
