package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.Setting.Place;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where a job's settings stand in the registry, by the places of their rows. */
final class StoredKeys {
    /** Parts of a group in the registry, but not where people write them. */
    private static final Map<String, String> OF_AFTER =
            Map.of("after", "after.jobs", "afterOutcome", "after.outcome", "afterWindow", "after.window");

    private static final Set<String> HANDLERS = Set.of("jobExceptionHandler", "executorServiceHandler");

    private StoredKeys() {}

    /**
     * The node and the key, as people read them.
     *
     * @param name as in Java; behind the dot for a setting of a group
     * @return empty when it isn't stored
     */
    static Optional<String> of(String name) {
        if (HANDLERS.contains(name)) {
            return Optional.of("`config`: `jobProperties."
                    + name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT) + "`");
        }
        String key = OF_AFTER.getOrDefault(name, name);
        String[] parts = key.split("\\.");
        return JobMetadata.row(parts[0])
                .filter(row -> parts.length == 1 || JobMetadata.isPart(parts[0], parts[1]))
                .map(row -> "`%s`: `%s`".formatted(node(row), key));
    }

    /** Of the job properties, only the two handlers are in the config. */
    private static String node(Setting<?> row) {
        return row.place() == Place.CONFIG && !row.name().equals("jobProperties") ? "config" : "extension";
    }
}
