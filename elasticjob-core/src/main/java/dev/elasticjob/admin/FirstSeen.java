package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * When this process first saw what the registry shows no time of. It is remembered until a look no longer finds it, so it
 * may be older than that time, and is no younger than the process. Thread-safe.
 */
final class FirstSeen {
    private final Clock clock;
    private final Map<String, Map<Finding.Kind, Instant>> seen = new HashMap<>();

    FirstSeen(Clock clock) {
        this.clock = clock;
    }

    /** @param findings all of one job that a look has found */
    synchronized List<Finding> dated(String job, List<Finding> findings) {
        Map<Finding.Kind, Instant> before = seen.getOrDefault(job, Map.of());
        Map<Finding.Kind, Instant> now = new TreeMap<>();
        List<Finding> dated = findings.stream()
                .map(finding -> {
                    if (finding.since().isPresent()) {
                        return finding;
                    }
                    Instant first = before.getOrDefault(finding.kind(), clock.instant());
                    now.put(finding.kind(), first);
                    return finding.firstSeen(first);
                })
                .sorted(Finding.WORST_FIRST)
                .toList();
        if (now.isEmpty()) {
            seen.remove(job);
        } else {
            seen.put(job, now);
        }
        return dated;
    }

    /** @param jobs all that there are */
    synchronized void retain(Set<String> jobs) {
        seen.keySet().retainAll(jobs);
    }
}
