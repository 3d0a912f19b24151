package dev.elasticjob.admin.command;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.codec.SalvagedSettings;
import java.util.List;
import java.util.Map;

/**
 * A stored definition that can't be used, and what a repair can start from. Immutable.
 *
 * @param version changes with every change of the stored definition
 * @param node the path of the node that can't be used
 * @param reason what was expected there and what was found, without parameters
 * @param kept whether the job is kept in the registry: no application declares it
 * @param salvaged what can still be read; it has secrets
 */
public record UnreadableSettings(
        String jobName, String version, String node, String reason, boolean kept, SalvagedSettings salvaged) {
    /**
     * The definition with values for what can't be used. Pure.
     *
     * @param seen the version that the caller has seen
     * @param corrections values by the settings' names, for at least each {@linkplain SalvagedSettings#faults fault}
     * @throws IllegalStateException if that is another version
     * @throws InvalidJobDefinitionException with each setting that is unknown, can't be used, or still needs a value
     */
    public JobDefinition corrected(String seen, Map<String, ?> corrections) {
        if (!seen.equals(version)) {
            throw new IllegalStateException(
                    "The definition of job \"%s\" was changed after version %s, and still can't be used: look at it again"
                            .formatted(jobName, seen));
        }
        JobDefinition corrected = salvaged.corrected(jobName, corrections);
        if (corrections.containsKey(JobSettings.JOB_SHARDING_STRATEGY_CLASS.name())) {
            DefinitionCommands.mustBeKnown(corrected);
        }
        return kept ? DefinitionCommands.registryJob(corrected) : corrected;
    }

    /** The settings that a repair has to give values to. */
    public List<Violation> faults() {
        return salvaged.faults();
    }
}
