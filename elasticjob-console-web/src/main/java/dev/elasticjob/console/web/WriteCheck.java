package dev.elasticjob.console.web;

import java.util.Locale;
import java.util.Optional;

/**
 * What a request must have to change something, beside a user who may, and the host's own token, which its filters check:
 * a page of another site can't send it. Pure.
 */
final class WriteCheck {
    static final int MOST_BYTES = 64 * 1024;

    private static final String HEADER = "x-elasticjob";

    private WriteCheck() {}

    /** Why the request is refused; empty if it isn't. */
    static Optional<Problem> refusal(ConsoleRequest request) {
        if (request.header(HEADER).isEmpty()) {
            return Optional.of(Problem.of(403, "FORGED", "Expected the header \"X-ElasticJob\", which is missing"));
        }
        Optional<String> site = request.header("sec-fetch-site").filter(from -> !from.equals("same-origin"));
        if (site.isPresent()) {
            return Optional.of(Problem.of(
                    403, "FORGED", "Expected a request of the console's own page, but it came from " + site.get()));
        }
        String type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.split(";")[0].strip().equals("application/json")) {
            return Optional.of(
                    Problem.of(415, "TYPE", "Expected \"application/json\", but it was \"%s\"".formatted(type)));
        }
        if (request.body().length > MOST_BYTES) {
            return Optional.of(
                    Problem.of(413, "TOO_LARGE", "Expected a body of at most %d bytes".formatted(MOST_BYTES)));
        }
        return Optional.empty();
    }
}
