package dev.elasticjob.kubernetes.app;

import java.util.List;
import java.util.Optional;

/**
 * The fields of an {@code ElasticApp}, with the rules for each by itself. {@link SpecReader} checks a resource by them; the
 * custom resource definition in {@code deploy} says the same to the API server, which a test compares.
 *
 * @param min of an integer the least value, of a text or a list the least length
 * @param max the same for the greatest
 * @param pattern that a text or each text of a list has to match, as Kubernetes writes it; empty for any
 * @param fallback its default; empty if there is none
 */
record SpecField(
        String name, ValueType type, boolean required, long min, long max, String pattern, Optional<Object> fallback) {
    enum ValueType {
        TEXT("a text"),
        INTEGER("a whole number"),
        SWITCH("true or false"),
        TEXTS("a list of texts"),
        OBJECTS("a list of objects"),
        OBJECT("an object");

        private final String words;

        ValueType(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    static final int LONGEST_APP_NAME = 40;

    private static final String DURATION = "^[0-9]{1,6}(ms|s|m|h)$";
    private static final String LABEL = "^[a-z]([-a-z0-9]*[a-z0-9])?$";
    private static final long MOST_WORKERS = 999;
    private static final long GREATEST = Integer.MAX_VALUE;

    static final List<SpecField> OF_APP = List.of(
            new SpecField("registryNamespace", ValueType.TEXT, false, 1, 100, "", Optional.empty()),
            new SpecField("suspend", ValueType.SWITCH, false, 0, 0, "", Optional.of(false)),
            new SpecField("pools", ValueType.OBJECTS, true, 1, 20, "", Optional.empty()),
            new SpecField("template", ValueType.OBJECT, true, 0, 0, "", Optional.empty()));

    /** With these lengths, the name of each worker has at most 63 characters. */
    static final List<SpecField> OF_POOL = List.of(
            new SpecField("name", ValueType.TEXT, true, 1, 12, LABEL, Optional.empty()),
            new SpecField("jobs", ValueType.TEXTS, false, 0, 500, "^[^*?,/]{1,255}$", Optional.empty()),
            new SpecField("capacity", ValueType.INTEGER, false, 1, GREATEST, "", Optional.of(1)),
            new SpecField("baseWorkers", ValueType.INTEGER, false, 0, MOST_WORKERS, "", Optional.of(0)),
            new SpecField("maxWorkers", ValueType.INTEGER, true, 1, MOST_WORKERS, "", Optional.empty()),
            new SpecField("freshWorkers", ValueType.SWITCH, false, 0, 0, "", Optional.of(false)),
            new SpecField("startAhead", ValueType.TEXT, false, 1, 8, DURATION, Optional.of("30s")),
            new SpecField("idleAfter", ValueType.TEXT, false, 1, 8, DURATION, Optional.of("60s")),
            new SpecField("startTimeout", ValueType.TEXT, false, 1, 8, DURATION, Optional.of("5m")),
            new SpecField("resources", ValueType.OBJECT, false, 0, 0, "", Optional.empty()));
}
