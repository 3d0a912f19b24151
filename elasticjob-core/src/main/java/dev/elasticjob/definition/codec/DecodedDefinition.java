package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.JobDefinition;
import java.util.List;

/**
 * A definition as it was read from the registry.
 *
 * @param warnings what was read but is not so used, one sentence each, for a log; empty as a rule
 */
public record DecodedDefinition(JobDefinition definition, List<String> warnings) {
    public DecodedDefinition {
        warnings = List.copyOf(warnings);
    }
}
