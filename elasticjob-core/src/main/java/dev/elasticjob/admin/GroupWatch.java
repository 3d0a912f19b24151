package dev.elasticjob.admin;

import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.group.GroupReport;
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
 * Looks at all groups of a namespace for what needs a person, and remembers since when it has seen what the registry shows no
 * time of. Thread-safe.
 */
public final class GroupWatch {
    private final Supplier<CompletionStage<List<GroupReport>>> groups;
    private final Clock clock;
    private final FirstSeen<GroupFinding, GroupFinding.Kind> seen;

    /**
     * @param groups reads all groups, as {@link dev.elasticjob.group.GroupInspector#all} does
     * @param clock agrees with that of the registry's servers
     */
    public GroupWatch(Supplier<CompletionStage<List<GroupReport>>> groups, Clock clock) {
        this.groups = groups;
        this.clock = clock;
        this.seen = GroupFinding.seenBy(clock);
    }

    /**
     * A group, and what of it needs a person.
     *
     * @param findings worst first
     */
    public record Watched(GroupReport group, List<GroupFinding> findings) {
        public Watched {
            findings = findings.stream().sorted(GroupFinding.WORST_FIRST).toList();
        }
    }

    /**
     * What of all groups needs a person.
     *
     * @param findings worst first
     * @param unread why this client may not read the groups; then nothing is known of them. Empty if it may
     */
    public record Look(List<GroupFinding> findings, Optional<String> unread) {
        public Look {
            findings = List.copyOf(findings);
        }

        static Look of(List<Watched> groups) {
            return new Look(
                    groups.stream()
                            .flatMap(group -> group.findings().stream())
                            .sorted(GroupFinding.WORST_FIRST)
                            .toList(),
                    Optional.empty());
        }
    }

    /** All groups in order of their names: two or three requests to the registry. */
    public CompletionStage<List<Watched>> groups() {
        return groups.get().thenApply(all -> {
            seen.retain(all.stream().map(GroupReport::node).collect(Collectors.toSet()));
            Instant now = clock.instant();
            return all.stream()
                    .map(group -> new Watched(group, seen.dated(group.node(), GroupAttention.of(group, now))))
                    .toList();
        });
    }

    /** The same requests. Fails as the registry does, but for its rights. */
    public CompletionStage<Look> look() {
        return groups().thenApply(Look::of)
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException denied
                        ? CompletableFuture.completedFuture(
                                new Look(List.of(), Optional.of(String.valueOf(denied.getMessage()))))
                        : CompletableFuture.failedFuture(error));
    }
}
