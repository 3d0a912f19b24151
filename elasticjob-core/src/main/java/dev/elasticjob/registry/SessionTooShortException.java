package dev.elasticjob.registry;

import dev.elasticjob.time.DurationText;
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
        super(("A session timeout of at least %s was expected, three ticks of the ZooKeeper servers"
                        + " (\"elasticjob.registry.server-tick\", %s), but the servers granted %s: no item could run"
                        + " safely.")
                .formatted(DurationText.of(shortest), DurationText.of(serverTick), DurationText.of(granted)));
        this.remedy =
                ("Set \"elasticjob.registry.session-timeout\" to %s or more. If it already is, the servers grant less than"
                                + " requested: raise their \"maxSessionTimeout\". If the servers' \"tickTime\" is shorter than"
                                + " %s, set \"elasticjob.registry.server-tick\" to it.")
                        .formatted(DurationText.of(shortest), DurationText.of(serverTick));
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
