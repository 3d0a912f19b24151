package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;

/** Leases for tests of other packages. */
public final class TestLease {
    private TestLease() {}

    /** A lease of a session in which a commit has just been answered. */
    public static SessionLease held(TaskTimer time, long sessionId, Duration timeout) {
        SessionLease lease = new SessionLease(time, Duration.ofSeconds(2));
        lease.answered(lease.sending(new RegistrySession(sessionId, timeout)));
        return lease;
    }
}
