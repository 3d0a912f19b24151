package dev.elasticjob.migration.source;

import java.util.List;

/** @param id by which jobs refer to it; empty where there can be only one */
public record SourceRegistry(String id, Dialect dialect, SourceLocation place, List<SourceSetting> settings) {
    public SourceRegistry {
        settings = List.copyOf(settings);
    }
}
