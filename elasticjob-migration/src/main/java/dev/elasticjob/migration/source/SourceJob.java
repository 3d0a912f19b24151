package dev.elasticjob.migration.source;

import java.util.List;

/**
 * A job as the source has it, or a part of one: the properties of a profile may change a single setting.
 *
 * @param settings in their order, including what kind of job it is
 */
public record SourceJob(String name, Dialect dialect, SourceLocation place, List<SourceSetting> settings) {
    public SourceJob {
        settings = List.copyOf(settings);
    }
}
