package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.view.FiringEnds;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.cluster.FiringOutcomes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds firings that all their items have ended. Whoever has written the last end sees all others, if it reads behind its
 * write. Confined to the coordination executor.
 */
public final class EndedFirings {
    /** If more are open, the oldest is ended with what is known. */
    private static final int MAX_OPEN = 100;

    private final JobScope scope;
    private final JobViewReader reader;
    private final LocalItemLocks held;
    private boolean wanted;
    private long session;

    public EndedFirings(JobScope scope, JobViewReader reader, LocalItemLocks held) {
        this.scope = scope;
        this.reader = reader;
        this.held = held;
    }

    /**
     * A firing that has ended, and how.
     *
     * @param unmarked interruptions that count as ends, but whose records don't say yet that they belong to this firing
     */
    record EndedFiring(OpenFiring firing, FiringOutcomes outcomes, List<ItemView> unmarked) {
        EndedFiring(OpenFiring firing, FiringOutcomes outcomes) {
            this(firing, outcomes, List.of());
        }
    }

    /** This instance has written an end, or doesn't know what was written before. */
    void mayHaveEnded() {
        wanted = true;
    }

    /** The first firing that has ended; empty if none has, or nobody has asked since the last time. */
    CompletionStage<Optional<EndedFiring>> find(Ownership own, FiringsView firings) {
        if (!wanted) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        // An item may end a firing before all are asked, or its listeners have returned: nothing else may look after
        // that.
        wanted =
                firings.value().open().stream().anyMatch(firing -> firing.phase() == Phase.BEFORE || firing.isAsking());
        List<OpenFiring> candidates = firings.value().open().stream()
                .filter(firing -> firing.phase() == Phase.ITEMS && !isExecutedHere(firing))
                .toList();
        if (candidates.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        boolean tooMany = firings.value().open().size() > MAX_OPEN;
        return upToDate(own)
                .thenCompose(asked -> tooMany
                        ? outcomes(own, candidates.get(0))
                                .thenApply(known -> Optional.of(new EndedFiring(candidates.get(0), known)))
                        : read(own, candidates, List.copyOf(items(candidates)), ends(own, Map.of())))
                .whenComplete((found, error) -> wanted |= error != null || found.isPresent());
    }

    /** Before its own claim is settled, this instance has not written its last end. */
    private boolean isExecutedHere(OpenFiring firing) {
        return firing.items().stream()
                .flatMap(item -> held.holder(item).stream())
                .anyMatch(claim -> firing.runId() == null
                        ? Objects.equals(claim.claimed().scheduledAt(), firing.scheduledAt())
                                && claim.run().isEmpty()
                        : claim.claimed().isOf(firing.runId()));
    }

    /** In a new session, a read may be behind what was written in the one before, until something is written. */
    private CompletionStage<?> upToDate(Ownership own) {
        if (session == own.session().id()) {
            return CompletableFuture.completedFuture(null);
        }
        return scope.askTime(own.session())
                .thenAccept(asked -> session = own.session().id());
    }

    private static NavigableSet<Integer> items(Collection<OpenFiring> firings) {
        NavigableSet<Integer> items = new TreeSet<>();
        firings.forEach(firing -> items.addAll(firing.items()));
        return items;
    }

    /** Reads in parts, until none of the firings can have ended. */
    private CompletionStage<Optional<EndedFiring>> read(
            Ownership own, List<OpenFiring> candidates, List<Integer> unread, FiringEnds known) {
        List<Integer> now = unread.subList(0, Math.min(unread.size(), JobViewReader.ITEMS_PER_READ));
        return readTwice(own, candidates, now).thenCompose(ends -> {
            if (ends.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            FiringEnds all = known.and(ends.get());
            List<Integer> rest = unread.subList(now.size(), unread.size());
            List<Integer> readSoFar = new ArrayList<>(items(candidates));
            readSoFar.removeAll(rest);
            List<OpenFiring> left = candidates.stream()
                    .filter(firing -> readSoFar.stream()
                            .filter(firing.items()::contains)
                            .allMatch(item -> all.of(firing, item).isPresent()))
                    .toList();
            if (left.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (!rest.isEmpty()) {
                return read(own, left, rest, all);
            }
            OpenFiring ended = left.get(0);
            return CompletableFuture.completedFuture(
                    all.of(ended).map(outcomes -> new EndedFiring(ended, outcomes, all.unmarked(ended))));
        });
    }

    /**
     * Record and children of an item may be read at two moments, between which a manual run is claimed. So an item that
     * shows nothing of a run is read again: if its record is the same, the run has been forgotten.
     *
     * @return empty if the epoch has moved
     */
    private CompletionStage<Optional<FiringEnds>> readTwice(
            Ownership own, List<OpenFiring> candidates, List<Integer> items) {
        return reader.items(items).thenCompose(view -> {
            FiringEnds first = ends(own, view.items());
            if (view.epoch() != own.epoch()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            List<Integer> silent = items.stream()
                    .filter(item -> candidates.stream()
                            .anyMatch(firing -> firing.items().contains(item) && first.showsNothing(firing, item)))
                    .toList();
            return silent.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.of(first))
                    : reader.items(silent).thenApply(again -> Optional.of(first.forgetting(again.items())));
        });
    }

    /** Whether no item of a firing is left that has not ended it, or would begin it. */
    CompletionStage<Boolean> isLeftBehind(Ownership own, OpenFiring firing) {
        return reader.itemsWithRequests(firing.items(), own.assignment()).thenApply(view -> {
            FiringEnds ends = ends(own, view.items());
            return view.epoch() == own.epoch()
                    && firing.items().stream()
                            .allMatch(item -> ends.of(firing, item).isPresent()
                                    || isDropped(firing, view.items().get(item)));
        });
    }

    private static boolean isDropped(OpenFiring firing, @Nullable ItemView item) {
        String runId = firing.runId();
        return runId != null
                && item != null
                && item.waiting()
                        .filter(waiting -> waiting.runs().runIds().contains(runId))
                        .filter(waiting -> !waiting.runs().letsBegin(runId))
                        .isPresent();
    }

    /** The outcomes of a firing, as far as they are known. */
    CompletionStage<FiringOutcomes> outcomes(Ownership own, OpenFiring firing) {
        return reader.items(firing.items())
                .thenApply(view -> ends(own, view.items()).soFar(firing));
    }

    private static FiringEnds ends(Ownership own, Map<Integer, ItemView> items) {
        return new FiringEnds(own.assignment(), own.definition().failover(), items);
    }
}
