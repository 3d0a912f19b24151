package dev.elasticjob.console.api;

import dev.elasticjob.console.live.Sweep;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** The sweep of each registry, which all screens that show all jobs share. */
record Sweeps(Map<String, Sweep> byRegistry) {
    static Sweeps of(Collection<ConsoleRegistry> registries) {
        return new Sweeps(registries.stream()
                .collect(Collectors.toMap(
                        ConsoleRegistry::name,
                        registry -> new Sweep(
                                registry.inspector(),
                                registry.asking(),
                                () -> registry.pictures().now()))));
    }

    Sweep of(ConsoleRegistry registry) {
        Sweep sweep = byRegistry.get(registry.name());
        if (sweep == null) {
            throw new IllegalArgumentException(
                    "There is no registry \"%s\" in this console".formatted(registry.name()));
        }
        return sweep;
    }
}
