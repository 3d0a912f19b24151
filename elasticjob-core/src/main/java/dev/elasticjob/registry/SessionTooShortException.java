package dev.elasticjob.registry;

import dev.elasticjob.time.DurationText;
import java.time.Duration;

/**
 * The session timeout that the registry granted is too short for its servers' tick: a lease would end before the next
 * answer could prolong it, so no item could run. The message says what was expected and found, and {@link #remedy()}
 * what to do. Doesn't pass by itself.
 */
public final class SessionTooShortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * @param session with the timeout that the servers granted, and the one that was requested
     * @param shortest the shortest sufficient timeout
     * @param serverTick the assumed tick of the servers
     */
    public SessionTooShortException(RegistrySession session, Duration shortest, Duration serverTick) {
        super(("A session timeout of at least %s was expected, three ticks of the ZooKeeper servers"
                        + " (\"elasticjob.registry.server-tick\", %s), but the servers granted %s%s: no item could run"
                        + " safely.")
                .formatted(
                        DurationText.of(shortest),
                        DurationText.of(serverTick),
                        DurationText.of(session.timeout()),
                        session.asked().equals(session.timeout())
                                ? ""
                                : " where %s was requested".formatted(DurationText.of(session.asked()))));
        this.remedy = ("Set \"elasticjob.registry.session-timeout\", or the session timeout of the application's own"
                        + " CuratorFramework, to %s or more. If it already is, the servers grant less than"
                        + " requested: raise their \"maxSessionTimeout\". If the servers' \"tickTime\" is shorter than"
                        + " %s, set \"elasticjob.registry.server-tick\" to it.")
                .formatted(DurationText.of(shortest), DurationText.of(serverTick));
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
