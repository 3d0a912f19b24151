package dev.elasticjob.admin;

import dev.elasticjob.admin.AppAttention.AppFinding;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks at all applications of Kubernetes of a namespace for what needs a person, and remembers since when it has seen what
 * shows no time. Thread-safe.
 */
public final class AppWatch {
    /** For so long after a controller was seen, another one may be about to take over. */
    static final Duration UNTIL_TAKEN_OVER = Duration.ofMinutes(1);

    private final Supplier<CompletionStage<List<AppReport>>> apps;
    private final Clock clock;
    private final FirstSeen<AppFinding, AppFinding.Kind> seen;
    private final Map<String, Instant> lastAttended = new ConcurrentHashMap<>();

    /**
     * @param apps reads all of them, as {@link JobInspector#apps} does
     * @param clock agrees with those of the controllers
     */
    public AppWatch(Supplier<CompletionStage<List<AppReport>>> apps, Clock clock) {
        this.apps = apps;
        this.clock = clock;
        this.seen = AppFinding.seenBy(clock);
    }

    /**
     * What of all applications needs a person.
     *
     * @param findings worst first
     * @param unread why this client may not read the applications; then nothing is known of them. Empty if it may
     */
    public record Look(List<AppFinding> findings, Optional<String> unread) {
        public Look {
            findings = findings.stream().sorted(AppFinding.WORST_FIRST).toList();
        }
    }

    /** One or two requests to the registry. Fails as the registry does, but for its rights. */
    public CompletionStage<Look> look() {
        return apps.get()
                .thenApply(this::look)
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException denied
                        ? CompletableFuture.completedFuture(
                                new Look(List.of(), Optional.of(String.valueOf(denied.getMessage()))))
                        : CompletableFuture.failedFuture(error));
    }

    private Look look(List<AppReport> all) {
        Set<String> ids = all.stream().map(AppReport::id).collect(Collectors.toSet());
        seen.retain(ids);
        lastAttended.keySet().retainAll(ids);
        Instant now = clock.instant();
        return new Look(
                all.stream()
                        .flatMap(app -> seen.dated(app.id(), AppAttention.of(unlessHandedOver(app, now), now)).stream())
                        .toList(),
                Optional.empty());
    }

    /** While controllers take turns, an application counts as attended, and what the former one shows still counts. */
    private AppReport unlessHandedOver(AppReport app, Instant now) {
        if (app.attended()) {
            lastAttended.put(app.id(), now);
            return app;
        }
        Instant last = lastAttended.get(app.id());
        return last != null && now.isBefore(last.plus(UNTIL_TAKEN_OVER))
                ? new AppReport(app.id(), app.app(), true, app.published(), app.suspension())
                : app;
    }
}
