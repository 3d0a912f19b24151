package dev.elasticjob.registry;

import java.time.Duration;

/**
 * The session timeout that the registry granted is too short for its servers' tick: a lease would be over before the
 * next answer could prolong it, and nothing could be executed. Its message says what was expected and found, and {@link
 * #remedy()} what to do. It doesn't pass by itself.
 */
public final class SessionTooShortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * @param granted the session timeout, as negotiated with the servers
     * @param shortest the shortest that would do
     * @param serverTick what the servers' tick is taken for
     */
    public SessionTooShortException(Duration granted, Duration shortest, Duration serverTick) {
        super(("A session timeout of at least %d ms was expected, three ticks of ZooKeeper's servers"
                        + " (\"elasticjob.registry.server-tick\", %d ms), but the servers have granted %d ms: no item"
                        + " could be executed safely.")
                .formatted(shortest.toMillis(), serverTick.toMillis(), granted.toMillis()));
        this.remedy =
                ("Set \"elasticjob.registry.session-timeout\" to %1$d ms or more; if it is, the servers grant less"
                                + " than is asked for: raise their \"maxSessionTimeout\". If the servers' \"tickTime\" is shorter"
                                + " than %2$d ms, set \"elasticjob.registry.server-tick\" to it.")
                        .formatted(shortest.toMillis(), serverTick.toMillis());
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
