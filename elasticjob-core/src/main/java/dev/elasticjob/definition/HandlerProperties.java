package dev.elasticjob.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The two job properties that 2.1.5 knows, the only ones in a config. A config always has both; the default values of
 * 2.1.5 count as not set.
 */
public final class HandlerProperties {
    static final String EXCEPTIONS = "job_exception_handler";
    static final String EXECUTORS = "executor_service_handler";

    private static final String PACKAGE = "com.dangdang.ddframe.job.executor.handler.impl.";
    private static final String DEFAULT_EXCEPTIONS = PACKAGE + "DefaultJobExceptionHandler";
    private static final String DEFAULT_EXECUTORS = PACKAGE + "DefaultExecutorServiceHandler";

    /** Found in existing registries. */
    private static final Map<String, String> OTHER_SPELLINGS =
            Map.of("jobexceptionhandler", EXCEPTIONS, "executorservicehandler", EXECUTORS);

    private HandlerProperties() {}

    public static Map<String, String> toStore(Map<String, String> properties) {
        Map<String, String> stored = new LinkedHashMap<>();
        stored.put(EXCEPTIONS, properties.getOrDefault(EXCEPTIONS, DEFAULT_EXCEPTIONS));
        stored.put(EXECUTORS, properties.getOrDefault(EXECUTORS, DEFAULT_EXECUTORS));
        return stored;
    }

    /** All job properties of a config, without handlers that are not set. */
    public static Map<String, String> given(Map<String, String> stored) {
        Map<String, String> properties = new LinkedHashMap<>();
        stored.forEach((key, value) -> properties.put(OTHER_SPELLINGS.getOrDefault(key, key), value));
        stored.forEach(properties::replace);
        properties.remove(EXCEPTIONS, DEFAULT_EXCEPTIONS);
        properties.remove(EXECUTORS, DEFAULT_EXECUTORS);
        return properties;
    }

    /** The value of a handler's key; empty if it is missing or not set. */
    static String given(Map<String, String> properties, String handler) {
        String value = properties.getOrDefault(handler, "").strip();
        return isDefault(value) ? "" : value;
    }

    /** Whether a handler's name stands for the default: an empty one, and the class names that 2.1.5 writes by itself. */
    public static boolean isDefault(String handler) {
        return handler.isBlank()
                || Set.of(DEFAULT_EXCEPTIONS, DEFAULT_EXECUTORS).contains(handler.strip());
    }

    /** The job properties that no config has. */
    public static Map<String, String> others(Map<String, String> properties) {
        Map<String, String> others = new LinkedHashMap<>(properties);
        others.keySet().removeAll(Set.of(EXCEPTIONS, EXECUTORS));
        return others;
    }
}
