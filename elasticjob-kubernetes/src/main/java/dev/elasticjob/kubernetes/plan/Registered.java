package dev.elasticjob.kubernetes.plan;

import java.util.Set;

/**
 * An instance that is registered, wherever it runs. Immutable.
 *
 * @param jobs those that it has registered for
 * @param serving those of them in which it may own or executes items
 */
public record Registered(String id, Set<String> jobs, Set<String> serving) {
    private static final String BEFORE_NAME = "@-@";

    public Registered {
        jobs = Set.copyOf(jobs);
        serving = Set.copyOf(serving);
    }

    /** The name of its pod, if it is a worker of ours; of others, something else. */
    String pod() {
        int at = id.indexOf(BEFORE_NAME);
        return at < 0 ? id : id.substring(at + BEFORE_NAME.length());
    }
}
