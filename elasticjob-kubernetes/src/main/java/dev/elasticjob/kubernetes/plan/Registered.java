package dev.elasticjob.kubernetes.plan;

import java.util.Map;
import java.util.Set;

/**
 * An instance that is registered, wherever it runs. Immutable.
 *
 * @param jobs those that it has registered for
 * @param serving those of them in which it may own or executes items
 * @param ending how many items of each job it executes still, though it takes no more
 * @param mismatched those of them for which its labels don't match, though it isn't taken out
 */
public record Registered(
        String id, Set<String> jobs, Set<String> serving, Map<String, Integer> ending, Set<String> mismatched) {
    private static final String BEFORE_NAME = "@-@";

    public Registered {
        jobs = Set.copyOf(jobs);
        serving = Set.copyOf(serving);
        ending = Map.copyOf(ending);
        mismatched = Set.copyOf(mismatched);
    }

    /** The name of its pod, if it is a worker of ours; of others, something else. */
    String pod() {
        int at = id.indexOf(BEFORE_NAME);
        return at < 0 ? id : id.substring(at + BEFORE_NAME.length());
    }
}
