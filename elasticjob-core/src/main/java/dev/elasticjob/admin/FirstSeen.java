package dev.elasticjob.admin;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * When this process first saw what the registry shows no time of. It is remembered until a look no longer finds it, so it
 * may be older than that time, and is no younger than the process. Thread-safe.
 *
 * @param <F> the findings
 * @param <K> their kinds, of which one subject has one finding at most that has no time
 */
final class FirstSeen<F, K extends Enum<K>> {
    private final Clock clock;
    private final Function<F, K> kind;
    private final Function<F, Optional<Instant>> since;
    private final BiFunction<F, Instant, F> firstSeen;
    private final Map<String, Map<K, Instant>> seen = new HashMap<>();

    /**
     * @param since the time that the registry shows
     * @param firstSeen a finding with the time when it was first seen
     */
    FirstSeen(
            Clock clock,
            Function<F, K> kind,
            Function<F, Optional<Instant>> since,
            BiFunction<F, Instant, F> firstSeen) {
        this.clock = clock;
        this.kind = kind;
        this.since = since;
        this.firstSeen = firstSeen;
    }

    /** @param findings all of one subject that a look has found */
    synchronized List<F> dated(String subject, List<F> findings) {
        Map<K, Instant> before = seen.getOrDefault(subject, Map.of());
        Map<K, Instant> now = new HashMap<>();
        List<F> dated = findings.stream()
                .map(finding -> {
                    if (since.apply(finding).isPresent()) {
                        return finding;
                    }
                    Instant first = before.getOrDefault(kind.apply(finding), clock.instant());
                    now.put(kind.apply(finding), first);
                    return firstSeen.apply(finding, first);
                })
                .toList();
        if (now.isEmpty()) {
            seen.remove(subject);
        } else {
            seen.put(subject, now);
        }
        return dated;
    }

    /** @param subjects all that there are */
    synchronized void retain(Set<String> subjects) {
        seen.keySet().retainAll(subjects);
    }
}
