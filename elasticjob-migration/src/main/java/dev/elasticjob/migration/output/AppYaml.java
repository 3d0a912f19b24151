package dev.elasticjob.migration.output;

import dev.elasticjob.migration.conversion.ConvertedApp;
import dev.elasticjob.migration.conversion.ConvertedApp.ConvertedPool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The text of an {@code ElasticApp}. Its image is a name that no registry can have, so that nothing is pulled by mistake. */
public final class AppYaml {
    private static final String IMAGE = "SET-THE-IMAGE";

    private static final String HEADER = """
            # Converted by elasticjob-migration. Read report.txt. Instead of %s, write the image of the application: it
            # can't be known from the URL of an archive. Until then, no pod starts.
            """.formatted(IMAGE);

    private AppYaml() {}

    public static String text(ConvertedApp app) {
        Map<String, Object> spec = new LinkedHashMap<>();
        app.registryNamespace().ifPresent(namespace -> spec.put("registryNamespace", namespace));
        if (app.suspended()) {
            spec.put("suspend", true);
        }
        spec.put("pools", app.pools().stream().map(AppYaml::pool).toList());
        spec.put("template", Map.of("spec", Map.of("containers", List.of(inOrder("name", "app", "image", IMAGE)))));
        Map<String, Object> resource = inOrder("apiVersion", "elasticjob.dev/v1alpha1", "kind", "ElasticApp");
        resource.put("metadata", Map.of("name", app.name()));
        resource.put("spec", spec);
        return HEADER + ApplicationYaml.dump(resource);
    }

    private static Map<String, Object> pool(ConvertedPool converted) {
        Map<String, Object> pool = inOrder("name", converted.name(), "jobs", converted.jobs());
        if (converted.baseWorkers() > 0) {
            pool.put("baseWorkers", converted.baseWorkers());
        }
        pool.put("maxWorkers", converted.maxWorkers());
        String memory = converted.mebibytes() + "Mi";
        pool.put(
                "resources",
                inOrder(
                        "requests", inOrder("cpu", converted.milliCpus() + "m", "memory", memory),
                        "limits", inOrder("memory", memory)));
        return pool;
    }

    private static Map<String, Object> inOrder(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            map.put(keysAndValues[at].toString(), keysAndValues[at + 1]);
        }
        return map;
    }
}
