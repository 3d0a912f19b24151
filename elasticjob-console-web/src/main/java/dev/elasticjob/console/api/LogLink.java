package dev.elasticjob.console.api;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Where a log system has the lines that an execution has logged: an address with placeholders, which the page replaces by
 * encoded values. Immutable.
 *
 * @param template such as {@code https://logs.example.com/search?q=job:{job}+run:{runId}&from={from}&to={to}}
 */
public record LogLink(String template) {
    /** What the page knows of an execution. */
    public static final List<String> PLACEHOLDERS =
            List.of("job", "item", "runId", "instance", "from", "to", "fromMillis", "toMillis");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    /** The server is fixed: values of jobs don't choose where people are sent. */
    private static final Pattern SERVER = Pattern.compile("(?i)https?://[^/?#{}@\\s]+(?:[/?#].*)?");

    /** @throws IllegalArgumentException with everything that is wrong with it */
    public LogLink {
        List<String> problems = problems(template);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("The link to the log system " + String.join("; it ", problems));
        }
    }

    /** What is wrong with a template, each as the rest of a sentence about it; empty if nothing is. */
    public static List<String> problems(String template) {
        List<String> problems = new ArrayList<>();
        if (!SERVER.matcher(template).matches()) {
            problems.add(
                    "must begin with http:// or https:// and a server, without a user, and without a placeholder in"
                            + " them: everybody who may look sees it");
        }
        List<String> unknown = PLACEHOLDER
                .matcher(template)
                .results()
                .map(MatchResult::group)
                .filter(name -> !PLACEHOLDERS.contains(name.substring(1, name.length() - 1)))
                .distinct()
                .toList();
        if (!unknown.isEmpty()) {
            problems.add("has %s: expected placeholders of {%s}"
                    .formatted(String.join(", ", unknown), String.join("}, {", PLACEHOLDERS)));
        }
        String filled = PLACEHOLDER.matcher(template).replaceAll("x");
        if (filled.contains("{") || filled.contains("}")) {
            problems.add("has a brace that belongs to no placeholder: write %7B for { and %7D for }");
        } else if (!isAddress(filled)) {
            problems.add("is no valid address between its placeholders: encode spaces, quotes and other special"
                    + " characters, for example %20 for a space");
        }
        return List.copyOf(problems);
    }

    private static boolean isAddress(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
