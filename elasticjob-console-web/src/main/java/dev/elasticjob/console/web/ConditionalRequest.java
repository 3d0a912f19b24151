package dev.elasticjob.console.web;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request says about the answer that the caller has.
 *
 * @param known the tag of that answer
 * @param longestWait how long the caller waits for another one
 */
public record ConditionalRequest(Optional<String> known, Duration longestWait) {
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"([^\"]*)\"");
    private static final Pattern WAIT = Pattern.compile("(?:.*[,;]\\s*)?wait\\s*=\\s*(\\d{1,4})\\b.*");
    private static final long MOST_SECONDS = 20;

    static ConditionalRequest of(ConsoleRequest request) {
        Optional<String> known = request.header("if-none-match")
                .map(String::strip)
                .map(TAG::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1));
        Duration wait = request.header("prefer")
                .map(WAIT::matcher)
                .filter(Matcher::matches)
                .map(match -> Duration.ofSeconds(Math.min(MOST_SECONDS, Long.parseLong(match.group(1)))))
                .orElse(Duration.ZERO);
        return new ConditionalRequest(known, wait);
    }

    /** The answer, or that it is still the one that the caller has. With either, when it was read. */
    public ConsoleResponse response(String tag, byte[] json, Instant readAt, Duration age) {
        ConsoleResponse response =
                known.filter(tag::equals).isPresent() ? ConsoleResponse.empty(304) : Json.response(json);
        // Weak, so that a proxy that compresses the answer may keep the tag.
        return response.with("ETag", "W/\"" + tag + "\"")
                .with("ElasticJob-Read-At", readAt.toString())
                .with("Age", Long.toString(Math.max(0, age.toSeconds())));
    }
}
