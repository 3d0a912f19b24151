package dev.elasticjob.console.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * One line of the table of what the console answers.
 *
 * @param pattern below the console's path
 * @param level what the caller needs, for the job of the path if it names one
 * @param ofSomeJobs whether the caller needs it for some jobs only, and the answer decides for each of them
 */
public record Route(String method, PathPattern pattern, AccessLevel level, boolean ofSomeJobs, Answer answer) {
    private static final String JOB = "job";
    private static final PathPatternParser PARSER = new PathPatternParser();

    /** What a route does. */
    @FunctionalInterface
    public interface Answer {
        /** @throws InvalidRequestException if a value can't be used; the same failure may come with the stage */
        CompletionStage<ConsoleResponse> to(Call call);
    }

    /** A route that reads. */
    public static Route get(String pattern, Answer answer) {
        return new Route("GET", PARSER.parse(pattern), AccessLevel.VIEWER, false, answer);
    }

    /** A route that changes something. */
    public static Route write(String method, String pattern, AccessLevel level, Answer answer) {
        return new Route(method, PARSER.parse(pattern), level, false, answer);
    }

    /** The same, where the jobs are in the body. */
    public Route ofSomeJobs(boolean some) {
        return new Route(method, pattern, level, some, answer);
    }

    boolean writes() {
        return !method.equals("GET");
    }

    /**
     * A request that a route answers.
     *
     * @param variables of the path, by name
     * @param parameters of the query, by name
     */
    public record Call(ConsoleRequest request, Map<String, String> variables, Map<String, String> parameters) {
        /** Whether the request may change something. */
        public boolean writes() {
            return !List.of("GET", "HEAD").contains(request.method());
        }

        /** The job that the path names; empty if it names none. */
        public Optional<String> job() {
            return variables.containsKey(JOB) ? Optional.of(name(JOB)) : Optional.empty();
        }

        /** The name that a segment of the path means. */
        public String name(String variable) {
            return PathName.decode(variables.getOrDefault(variable, ""));
        }

        /** The names in a parameter of the query: separated by commas, each as in a path. */
        public SortedSet<String> names(String parameter) {
            return Stream.of(parameter(parameter).split(",", -1))
                    .filter(part -> !part.isEmpty())
                    .map(PathName::decode)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** A number in the path or the query, or the usual one if there is none. */
        public int number(String name, int usual, int least, int most) {
            String text = Optional.ofNullable(variables.get(name)).orElseGet(() -> parameter(name));
            if (text.isEmpty()) {
                return usual;
            }
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw InvalidRequestException.of(name, text, "expected a number from %d to %d".formatted(least, most));
        }

        /** @throws InvalidRequestException if the body is no JSON object */
        public CommandBody body() {
            return Json.object(request.body());
        }

        /** What the request says about the answer that the caller has. */
        public ConditionalRequest conditional() {
            return ConditionalRequest.of(request);
        }

        /**
         * The same text for the same question: its path, and those parameters that its answer depends on.
         *
         * @param parameters the names of all that any answer of its kind depends on
         */
        public String question(Set<String> parameters) {
            SortedMap<String, String> known = new TreeMap<>(this.parameters);
            known.keySet().retainAll(parameters);
            return request.path() + "?" + known;
        }

        /** A parameter of the query; empty if there is none. */
        public String parameter(String name) {
            return parameters.getOrDefault(name, "");
        }
    }
}
