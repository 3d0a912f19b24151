package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.completion.LocalItemLocks;
import dev.elasticjob.coordination.failover.LossReporter;
import dev.elasticjob.coordination.manual.ManualRunTransactions;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The items of a job with {@code monitorExecution=false}: an execution costs no write and leaves no record. An item is
 * due only when this instance's own timer has gone off, later than the moment this instance got it; a firing that meets
 * its own item running is kept in memory. Nothing is promised across instances.
 *
 * <p>Confined to the coordination executor.
 */
public final class UnmonitoredItems implements ItemSource {
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);

    private final JobScope scope;
    private final LocalItemLocks held;
    private final JobViewReader reader;
    private final Consumer<List<ClaimedItem>> claimed;
    private final ManualRunTransactions transactions;
    private final LossReporter losses;
    private final ReconcileLoop loop;
    private final Map<Integer, Instant> ownedSince = new HashMap<>();
    /** What runs here, or is about to. */
    private final Map<Integer, ClaimedItem> owed = new HashMap<>();

    private final Map<Integer, Instant> kept = new HashMap<>();
    private final Set<Integer> askedAgain = new TreeSet<>();
    private final List<Refused> undecided = new ArrayList<>();
    private final IntConsumer released = this::released;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private @Nullable Ownership ownership;
    private @Nullable Instant firing;
    private boolean asked;
    private boolean stopped;

    /** @param held what this process holds of the job's items */
    public UnmonitoredItems(JobScope scope, LocalItemLocks held, Consumer<List<ClaimedItem>> claimed) {
        this.scope = scope;
        this.held = held;
        this.claimed = claimed;
        this.reader = new JobViewReader(scope);
        this.transactions = new ManualRunTransactions(scope.tree());
        this.losses = new LossReporter(scope);
        this.loop = new ReconcileLoop(
                "Items of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::look);
    }

    /** Manual runs whose taking was refused, as they were read before. */
    private record Refused(Ownership own, List<ItemView> items) {}

    @Override
    public void follow(Ownership next) {
        ownership = next;
        Instant now = scope.clock().instant();
        ownedSince.keySet().retainAll(next.items());
        loseKept(next.items());
        for (int item : next.items()) {
            asked |= ownedSince.putIfAbsent(item, now) == null;
        }
        if (asked) {
            loop.again();
        }
    }

    @Override
    public void asked() {
        asked = true;
        loop.again();
    }

    @Override
    public void suspend() {
        ownership = null;
        ownedSince.clear();
        loseKept(Set.of());
    }

    @Override
    public void fire() {
        Ownership own = ownership;
        if (own != null) {
            own.schedule().latestNotAfter(scope.clock().instant()).ifPresent(latest -> {
                firing = latest;
                loop.again();
            });
        }
    }

    /** Which items are disabled, and for which a manual run waits, costs one read. */
    private CompletionStage<Boolean> look() {
        Ownership own = ownership;
        Instant due = firing;
        if (own == null || (due == null && !asked) || stopped || own.items().isEmpty()) {
            return NOTHING_MORE;
        }
        firing = null;
        asked = false;
        return reader.items(own.items())
                .whenCompleteAsync(
                        (view, error) -> {
                            // What could not be looked at is due all the same, unless a later firing has come.
                            if (error != null && firing == null) {
                                firing = due;
                            }
                        },
                        scope.executor())
                .thenComposeAsync(
                        view -> {
                            if (due != null) {
                                begin(own, due, enabled(own, view));
                            }
                            return runWaiting(own, view);
                        },
                        scope.executor())
                .whenCompleteAsync((more, error) -> asked |= error != null, scope.executor());
    }

    // ------------------------------------------------------------------ manual runs

    /** A manual run goes behind what is running or due; who deletes what waits for it, runs it. */
    private CompletionStage<Boolean> runWaiting(Ownership own, ItemsView view) {
        if (view.epoch() != own.epoch()) {
            asked = true;
            return NOTHING_MORE;
        }
        decide(own, view);
        List<ItemView> waiting = new ArrayList<>();
        for (ItemView item : view.items().values()) {
            if (item.waiting().isPresent() && held.holder(item.item()).isPresent()) {
                askAgain(item.item());
            } else if (item.waiting().isPresent()) {
                waiting.add(item);
            }
        }
        CompletionStage<Boolean> all = NOTHING_MORE;
        for (Batch<ItemView> batch : transactions.takeRuns(own.epoch(), waiting)) {
            all = all.thenComposeAsync(
                    soFar -> scope.connection()
                            .commit(own.session(), batch.commit())
                            .thenApplyAsync(
                                    outcome -> answered(own, batch.parts(), outcome) || soFar, scope.executor()),
                    scope.executor());
        }
        return all;
    }

    private void askAgain(int heldItem) {
        askedAgain.add(heldItem);
        held.whenReleased(heldItem, released);
    }

    private boolean answered(Ownership own, List<ItemView> items, CommitOutcome outcome) {
        if (!(outcome instanceof CommitOutcome.Committed)) {
            undecided.add(new Refused(own, items));
            asked = true;
            return !((CommitOutcome.Refused) outcome).path().equals(scope.tree().sharding());
        }
        taken(own, items);
        return false;
    }

    /**
     * What was refused may have been carried out before, by a sending whose answer was lost. It was where the record is
     * one version on and otherwise the same: within an epoch only the owner takes runs, and that is this instance.
     */
    private void decide(Ownership own, ItemsView view) {
        for (Refused refused : List.copyOf(undecided)) {
            if (refused.own().session().id() == own.session().id()
                    && refused.own().epoch() == view.epoch()) {
                taken(
                        own,
                        refused.items().stream()
                                .filter(before -> isCarriedOut(before, view))
                                .toList());
            }
        }
        undecided.clear();
    }

    private static boolean isCarriedOut(ItemView before, ItemsView view) {
        ItemView now = view.items().get(before.item());
        return now != null
                && before.isUnclaimed()
                && now.isUnclaimed()
                && now.version() == before.version() + 1
                && now.current().equals(before.current());
    }

    private void taken(Ownership own, List<ItemView> items) {
        List<ClaimedItem> begun = new ArrayList<>();
        for (ItemView item : items) {
            WaitingRuns runs = item.waiting().orElseThrow().runs();
            ManualRun run = runs.first();
            Instant now = scope.clock().instant();
            ClaimedItem claim = claim(own, item.item(), now, ItemRecord.NEW.claimedFor(run, own.instance(), now));
            if (item.children().disabled()) {
                losses.tellDropped(item.item(), runs.runIds(), "the item is disabled");
            } else if (stopped) {
                losses.tellDropped(item.item(), run.runIds(), "this instance stops");
            } else if (held.hold(claim)) {
                begun.add(claim);
                runs.behindFirst().ifPresent(behind -> askAgain(item.item()));
            } else {
                losses.tellDropped(item.item(), run.runIds(), "another execution of it has begun here meanwhile");
                runs.behindFirst().ifPresent(behind -> askAgain(item.item()));
            }
        }
        run(begun);
    }

    private void run(List<ClaimedItem> begun) {
        if (!begun.isEmpty()) {
            begun.forEach(item -> owed.put(item.item(), item));
            claimed.accept(begun);
        }
    }

    // ------------------------------------------------------------------ firings

    private static Set<Integer> enabled(Ownership own, ItemsView view) {
        Set<Integer> items = new TreeSet<>(own.items());
        view.items().values().stream()
                .filter(item -> item.children().disabled())
                .forEach(item -> items.remove(item.item()));
        return items;
    }

    private void begin(Ownership own, Instant due, Set<Integer> items) {
        if (stopped) {
            return;
        }
        List<ClaimedItem> begun = new ArrayList<>();
        for (int item : items) {
            Instant since = ownedSince.get(item);
            if (since == null || !due.isAfter(since)) {
                continue;
            }
            ItemRecord running =
                    ItemRecord.NEW.claimed(due, own.instance(), scope.clock().instant());
            ClaimedItem claim = claim(own, item, due, running);
            if (held.hold(claim)) {
                begun.add(claim);
            } else if (own.definition().misfire()) {
                kept.put(item, due);
                held.whenReleased(item, released);
            }
        }
        run(begun);
    }

    private static ClaimedItem claim(Ownership own, int item, Instant due, ItemRecord running) {
        return new ClaimedItem(
                item,
                own.epoch(),
                own.assignment().total(),
                own.definition(),
                due,
                own.instance(),
                0,
                own.session().id(),
                running,
                0,
                ItemRecord.NEW,
                Optional.empty(),
                false,
                Optional.empty());
    }

    @Override
    public void ended(ClaimedItem item, ExecutionResult ending) {
        owed.remove(item.item(), item);
        if (ending instanceof ExecutionResult.Unclaimed) {
            tellNotBegun(item);
        }
        held.release(item);
        tellIdle();
    }

    private void tellNotBegun(ClaimedItem item) {
        ManualRun run = item.claimed().run();
        if (run == null) {
            losses.tellLost(item.item(), item.scheduledAt());
        } else {
            losses.tellDropped(item.item(), run.runIds(), "it could not begin here");
        }
    }

    /** What met the item while it was held, here or by another source, has its turn. */
    private void released(int item) {
        Instant again = kept.remove(item);
        Ownership own = ownership;
        if (again != null && own != null) {
            begin(own, again, Set.of(item));
        }
        if (askedAgain.remove(item)) {
            asked();
        }
    }

    /** A firing that is kept is in no record: where its item may be another instance's meanwhile, nobody runs it. */
    private void loseKept(Set<Integer> owned) {
        new TreeMap<>(kept).forEach((item, due) -> {
            if (!owned.contains(item)) {
                kept.remove(item);
                losses.tellLost(item, due);
            }
        });
    }

    @Override
    public Collection<ClaimedItem> held() {
        return List.copyOf(owed.values());
    }

    @Override
    public CompletionStage<Void> stop() {
        stopped = true;
        loseKept(Set.of());
        held.forget(released);
        loop.stop();
        tellIdle();
        return idle;
    }

    private void tellIdle() {
        if (stopped && owed.isEmpty()) {
            idle.complete(null);
        }
    }
}
