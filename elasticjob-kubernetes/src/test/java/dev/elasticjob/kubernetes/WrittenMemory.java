package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.plan.PoolMemory;

/** Memory as the next decision gets it: through the status. */
public final class WrittenMemory {
    private WrittenMemory() {}

    public static PoolMemory readAgain(PoolMemory memory) {
        return AppStatus.memory(AppStatus.memory(memory));
    }
}
