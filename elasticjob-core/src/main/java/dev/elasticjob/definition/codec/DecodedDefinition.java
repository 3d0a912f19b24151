package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.JobDefinition;
import java.util.List;

/**
 * A definition as it was read from the registry.
 *
 * @param warnings settings that are not used as they are stored, in one sentence each, for the log; usually empty
 */
public record DecodedDefinition(JobDefinition definition, List<String> warnings) {
    public DecodedDefinition {
        warnings = List.copyOf(warnings);
    }
}
