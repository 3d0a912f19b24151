package dev.elasticjob.migration.source;

import java.util.List;

/** An app of Elastic-Job-Cloud as its registration has it. */
public record SourceApp(String name, SourceLocation place, List<SourceSetting> settings) {
    public SourceApp {
        settings = List.copyOf(settings);
    }
}
