package dev.elasticjob.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The two job properties that 2.1.5 knows, the only ones in a config: always both, and what 2.1.5 writes by itself counts
 * as not said.
 */
public final class HandlerProperties {
    static final String EXCEPTIONS = "job_exception_handler";
    static final String EXECUTORS = "executor_service_handler";

    /** Seen in the wild. */
    private static final Map<String, String> OTHER_SPELLINGS =
            Map.of("jobexceptionhandler", EXCEPTIONS, "executorservicehandler", EXECUTORS);

    private HandlerProperties() {}

    /** As a config has them. */
    public static Map<String, String> toStore(Map<String, String> properties) {
        Map<String, String> stored = notSaid();
        stored.replaceAll(properties::getOrDefault);
        return stored;
    }

    /** All job properties of a config, without those that nobody has said. */
    public static Map<String, String> said(Map<String, String> stored) {
        Map<String, String> properties = new LinkedHashMap<>();
        stored.forEach((key, value) -> properties.put(OTHER_SPELLINGS.getOrDefault(key, key), value));
        stored.forEach(properties::replace);
        notSaid().forEach(properties::remove);
        return properties;
    }

    /** The value of a handler's key; empty where it is missing or what 2.1.5 writes by itself. */
    public static String said(Map<String, String> properties, String handler) {
        String value = properties.getOrDefault(handler, "").strip();
        return isDefault(value) ? "" : value;
    }

    /** Whether a handler's name stands for the default: an empty one, and the class names that 2.1.5 writes by itself. */
    public static boolean isDefault(String handler) {
        return handler.isBlank() || notSaid().containsValue(handler.strip());
    }

    /** The job properties that no config has. */
    public static Map<String, String> others(Map<String, String> properties) {
        Map<String, String> others = new LinkedHashMap<>(properties);
        others.keySet().removeAll(Set.of(EXCEPTIONS, EXECUTORS));
        return others;
    }

    private static Map<String, String> notSaid() {
        Map<String, String> handlers = new LinkedHashMap<>();
        String prefix = "com.dangdang.ddframe.job.executor.handler.impl.Default";
        handlers.put(EXCEPTIONS, prefix + "JobExceptionHandler");
        handlers.put(EXECUTORS, prefix + "ExecutorServiceHandler");
        return handlers;
    }
}
