package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.run.FollowUp;
import dev.elasticjob.coordination.run.FollowerState;
import dev.elasticjob.coordination.run.FollowerWalk;
import dev.elasticjob.coordination.run.ParentFirings;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the end of a firing leaves for the jobs that run after its own. It goes with the transaction that ends the firing,
 * so there is one entry for each end, or none.
 *
 * <p>Confined to the coordination executor.
 */
public final class FollowUps {
    /** How many firings a follower may still have to run for. */
    static final int MAX = 100;

    private final JobScope scope;
    /** What is to be reported once a firing's end is committed. */
    private final Map<String, List<JobEvent>> reports = new HashMap<>();

    public FollowUps(JobScope scope) {
        this.scope = scope;
    }

    /** @param success whether all items and the listeners have succeeded */
    CompletionStage<List<Operation>> of(FiringPlan plan, OpenFiring ended, FiringOutcomes outcomes, boolean success) {
        Instant at = ended.scheduledAt();
        List<String> followers = plan.followers().entrySet().stream()
                .filter(follower -> at == null || at.isAfter(follower.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        String id = at == null ? FollowUp.idOf(Objects.requireNonNull(ended.runId())) : OpenFiring.idOf(at);
        String runId = at == null ? Objects.requireNonNull(ended.runId()) : scope.jobName() + ItemRecord.FIRING + at;
        ParentFiring parent =
                new ParentFiring(scope.jobName(), runId, FollowUp.scheduledTimeOf(id), success, text(outcomes));
        return of(followers, id, parent).thenApply(entries -> {
            reports.put(ended.id(), entries.events());
            return entries.commit().operations();
        });
    }

    /** The transaction that ends the firing was committed with the operations that were returned last. */
    void committed(String firing) {
        List<JobEvent> events = reports.remove(firing);
        if (events != null) {
            events.forEach(scope.events());
        }
    }

    /** The items by their end, as ranges. */
    private static String text(FiringOutcomes outcomes) {
        Map<End, List<Integer>> byEnd = new EnumMap<>(End.class);
        outcomes.items()
                .forEach((item, outcome) -> byEnd.computeIfAbsent(outcome.end(), end -> new ArrayList<>())
                        .add(item));
        return byEnd.entrySet().stream()
                .map(end -> end.getKey() + " " + ItemRanges.text(end.getValue()))
                .collect(Collectors.joining("; "));
    }

    /**
     * What to write, and what to report.
     *
     * @param commit refused if what it depends on has changed: then ask again
     */
    record Entries(RegistryCommit commit, List<JobEvent> events) {
        static final Entries NONE = new Entries(RegistryCommit.builder().build(), List.of());

        public Entries {
            events = List.copyOf(events);
        }

        private static Entries of(Stream<Entries> all) {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            List<JobEvent> events = new ArrayList<>();
            all.forEach(one -> {
                commit.addAll(one.commit());
                events.addAll(one.events());
            });
            return new Entries(commit.build(), events);
        }
    }

    /**
     * Reads the followers, and says what to write.
     *
     * @param followers as the plan names them
     * @param id as {@link FollowUp} makes it
     * @param ended this job's firing
     */
    CompletionStage<Entries> of(Collection<String> followers, String id, ParentFiring ended) {
        if (followers.isEmpty()) {
            return CompletableFuture.completedFuture(Entries.NONE);
        }
        List<RegistryRead> reads =
                new ArrayList<>(RegistryRead.allData(scope.tree().necessary()));
        for (String name : followers) {
            JobTree follower = new JobTree(name);
            reads.addAll(StoredDefinition.reads(follower));
            reads.addAll(RegistryRead.allData(
                    follower.after(), follower.after(id), scope.tree().follower(name)));
            reads.add(RegistryRead.children(follower.after()));
        }
        return scope.registry()
                .read(reads)
                .thenCompose(answer -> dropped(followers, answer)
                        .thenApply(oldest -> Entries.of(Stream.concat(
                                followers.stream().map(name -> entry(new JobTree(name), id, ended, answer, oldest)),
                                Stream.of(withoutStrangers(followers, answer))))));
    }

    private boolean follows(String name, RegistryAnswer answer) {
        JobTree follower = new JobTree(name);
        return answer.node(scope.tree().follower(name)).isPresent()
                && answer.node(follower.after()).isPresent()
                && FollowerWalk.follows(StoredDefinition.of(follower, answer), scope.jobName());
    }

    private Entries entry(JobTree follower, String id, ParentFiring ended, RegistryAnswer answer, List<Oldest> oldest) {
        if (!follows(follower.jobName(), answer)) {
            return Entries.NONE;
        }
        String path = follower.after(id);
        Optional<FollowUp> there = answer.node(path).map(node -> FollowUp.of(id, node));
        List<ParentFiring> all = there.map(known -> known.with(ended)).orElseGet(() -> List.of(ended));
        RegistryCommit.Builder commit = RegistryCommit.builder();
        byte[] data = ParentFirings.text(all).getBytes(StandardCharsets.UTF_8);
        commit.setOrCreate(path, data, there.map(FollowUp::version));
        List<JobEvent> events = new ArrayList<>();
        oldest.stream()
                .filter(known -> known.follower().equals(follower) && there.isEmpty())
                .forEach(known -> {
                    FollowUp gone = known.followUp();
                    commit.delete(follower.after(gone.id()), gone.version());
                    String reason = "%d firings wait for it already, and this was the oldest".formatted(MAX);
                    events.add(new JobEvent.FollowUpDropped(follower.jobName(), gone.names(), gone.id(), reason));
                });
        return new Entries(commit.build(), events);
    }

    // ------------------------------------------------------------------ followers that are none any more

    /** Those that were removed, or have another definition by now, are no longer listed. */
    private Entries withoutStrangers(Collection<String> followers, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        List<RegistryNode> listed = new ArrayList<>();
        followers.stream().filter(name -> !follows(name, answer)).forEach(name -> {
            String path = scope.tree().follower(name);
            answer.node(path).ifPresent(node -> {
                listed.add(node);
                commit.delete(path, node.version());
            });
        });
        if (!listed.isEmpty()) {
            commit.addAll(ReshardingRequest.of(scope.tree(), answer).raised());
        }
        return new Entries(commit.build(), List.of());
    }

    // ------------------------------------------------------------------ too many

    private record Oldest(JobTree follower, FollowUp followUp) {}

    /** The oldest of each follower that has as many as it can have, but not the one whose run is being asked for. */
    private CompletionStage<List<Oldest>> dropped(Collection<String> followers, RegistryAnswer answer) {
        List<JobTree> full = followers.stream()
                .map(JobTree::new)
                .filter(follower -> answer.children(follower.after()).size() >= MAX)
                .toList();
        if (full.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        List<String> paths = full.stream()
                .flatMap(follower -> answer.children(follower.after()).stream().map(follower::after))
                .toList();
        return scope.registry()
                .read(RegistryRead.allData(paths))
                .thenApply(read -> full.stream()
                        .flatMap(follower -> oldest(follower, answer, read).stream())
                        .toList());
    }

    private static Optional<Oldest> oldest(JobTree follower, RegistryAnswer answer, RegistryAnswer read) {
        Optional<String> asking =
                answer.node(follower.after()).map(FollowerState::read).flatMap(FollowerState::last);
        return answer.children(follower.after()).stream()
                .flatMap(id -> read.node(follower.after(id)).map(node -> FollowUp.of(id, node)).stream())
                .filter(followUp -> asking.filter(followUp.runId()::equals).isEmpty())
                .min(Comparator.comparingLong(FollowUp::order))
                .map(followUp -> new Oldest(follower, followUp));
    }
}
