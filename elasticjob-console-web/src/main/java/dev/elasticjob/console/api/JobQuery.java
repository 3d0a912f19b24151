package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobCondition;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobPage.Sort;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.Route.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is asked for of a list of jobs, as it stands in an address. */
final class JobQuery {
    /** Before an order: it is reversed. */
    private static final String DESCENDING = "-";

    private JobQuery() {}

    /**
     * Of the parameters {@code search}, {@code state}, {@code sort} and {@code after}.
     *
     * @throws InvalidRequestException with all that can't be understood
     */
    static JobPage.Query of(Call call) {
        List<Violation> violations = new ArrayList<>();
        JobPage.Query query =
                JobPage.Query.all().named(call.parameter("search")).after(call.parameter("after"));
        query = filtered(query, call.parameter("state"), violations);
        query = sorted(query, call.parameter("sort"), violations);
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
        return query;
    }

    /** The state of a job is what it is to a person, or a status. */
    private static JobPage.Query filtered(JobPage.Query query, String state, List<Violation> violations) {
        if (state.isEmpty()) {
            return query;
        }
        Optional<JobCondition> condition = named(JobCondition.values(), state);
        Optional<JobStatus> status = named(JobStatus.values(), state);
        if (condition.isEmpty() && status.isEmpty()) {
            violations.add(
                    oneOf("state", state, Stream.concat(names(JobCondition.values()), names(JobStatus.values()))));
        }
        return condition
                .map(query::withCondition)
                .or(() -> status.map(query::withStatus))
                .orElse(query);
    }

    private static JobPage.Query sorted(JobPage.Query query, String sort, List<Violation> violations) {
        if (sort.isEmpty()) {
            return query;
        }
        boolean descending = sort.startsWith(DESCENDING);
        String name = (descending ? sort.substring(DESCENDING.length()) : sort).toUpperCase(Locale.ROOT);
        Optional<Sort> by = named(Sort.values(), name);
        if (by.isEmpty()) {
            violations.add(oneOf(
                    "sort",
                    sort,
                    names(Sort.values())
                            .map(known -> known.toLowerCase(Locale.ROOT))
                            .flatMap(known -> Stream.of(known, DESCENDING + known))));
        }
        boolean byName = by.filter(Sort.NAME::equals).isPresent() || by.isEmpty();
        if (!byName && !query.after().matches("[0-9]{0,9}")) {
            violations.add(new Violation(
                    "after",
                    query.after(),
                    "expected the number that the page before names as \"next\", as it isn't ordered by name"));
        }
        return query.sorted(by.orElse(Sort.NAME), descending);
    }

    private static <E extends Enum<E>> Optional<E> named(E[] values, String name) {
        return Arrays.stream(values).filter(value -> value.name().equals(name)).findFirst();
    }

    private static <E extends Enum<E>> Stream<String> names(E[] values) {
        return Arrays.stream(values).map(Enum::name);
    }

    private static Violation oneOf(String name, String given, Stream<String> known) {
        return new Violation(name, given, "expected one of " + known.collect(Collectors.joining(", ")));
    }
}
