package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.RetrySettings;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The object below {@code retry} in the extension. A key that is missing has its default. */
final class RetryCodec {
    static final String RETRY = "retry";

    private static final String MAX_ATTEMPTS = "maxAttempts";
    private static final String DELAY = "delay";
    private static final String MULTIPLIER = "multiplier";
    private static final String MAX_DELAY = "maxDelay";
    private static final String JITTER = "jitter";
    private static final String INCLUDES = "includes";
    private static final String EXCLUDES = "excludes";

    private RetryCodec() {}

    static void write(RetrySettings retry, ObjectNode extension) {
        ObjectNode node = extension.putObject(RETRY);
        node.put(MAX_ATTEMPTS, retry.maxAttempts());
        node.put(DELAY, retry.delay().toString());
        node.put(MULTIPLIER, retry.multiplier());
        node.put(MAX_DELAY, retry.maxDelay().toString());
        node.put(JITTER, retry.jitter().toString());
        retry.includes().forEach(node.putArray(INCLUDES)::add);
        retry.excludes().forEach(node.putArray(EXCLUDES)::add);
    }

    static Optional<RetrySettings> read(StoredSettings extension) {
        RetrySettings none = RetrySettings.NONE;
        return extension
                .group(RETRY)
                .map(stored -> new RetrySettings(
                        stored.number(MAX_ATTEMPTS).orElse(none.maxAttempts()),
                        stored.duration(DELAY).orElse(none.delay()),
                        stored.parsed(MULTIPLIER, "a number", Double::valueOf).orElse(none.multiplier()),
                        stored.duration(MAX_DELAY).orElse(none.maxDelay()),
                        stored.duration(JITTER).orElse(none.jitter()),
                        stored.list(INCLUDES).orElse(List.of()),
                        stored.list(EXCLUDES).orElse(List.of())));
    }
}
