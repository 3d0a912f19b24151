package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.util.OptionalInt;

/**
 * What makes fencing tokens of the numbers of transactions, so that they go on growing when those begin anew.
 *
 * @param version of the registry's own node; empty if it isn't known
 */
public record Fencing(OptionalInt version, long base) {
    public static final Fencing UNKNOWN = new Fencing(OptionalInt.empty(), 0);

    /** No execution that begins with a former base follows a change of it. */
    public RegistryCommit check() {
        RegistryCommit.Builder check = RegistryCommit.builder();
        version.ifPresent(read -> check.check(JobTree.registry(), read));
        return check.build();
    }
}
