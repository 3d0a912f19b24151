package dev.elasticjob.admin;

import dev.elasticjob.admin.AppAttention.AppFinding;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks at all applications of Kubernetes of a namespace for what needs a person, and remembers since when it has seen what
 * shows no time. Thread-safe.
 */
public final class AppWatch {
    private final Supplier<CompletionStage<List<AppReport>>> apps;
    private final Clock clock;
    private final FirstSeen<AppFinding, AppFinding.Kind> seen;

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
        seen.retain(all.stream().map(AppReport::id).collect(Collectors.toSet()));
        Instant now = clock.instant();
        return new Look(
                all.stream()
                        .flatMap(app -> seen.dated(app.id(), AppAttention.of(app, now)).stream())
                        .toList(),
                Optional.empty());
    }
}
