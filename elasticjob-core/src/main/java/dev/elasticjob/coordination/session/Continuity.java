package dev.elasticjob.coordination.session;

import dev.elasticjob.coordination.session.ContinuityPlanner.Verdict;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.RegistryLoss;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, at each new connection, whether the registry still has the data that this process knows, and notes in the registry
 * what it finds, so that all others learn of it.
 *
 * <p>Confined to the coordination executor, except {@link #unconfirmed()}, which any thread may call.
 */
public final class Continuity {
    private static final Logger log = LoggerFactory.getLogger(Continuity.class);

    private static final String PATH = JobTree.registry();

    /** A write, because its answer is the newest there is: a new session may meet a server that is behind. */
    private static final RegistryCommit PROBE =
            RegistryCommit.builder().assertAbsent(JobTree.registryClock()).build();

    private final Registry registry;
    private final String instance;
    private final Clock clock;
    private final OnDataLoss policy;
    private final Consumer<JobEvent> events;
    private final RecentWrites footprints = new RecentWrites();
    private KnownData known = KnownData.NOTHING;
    private Fencing fencing = Fencing.UNKNOWN;
    /** The number of the transaction that has created the registry's own node. */
    private long created;

    private boolean denied;
    private volatile Optional<DataLoss> unconfirmed = Optional.empty();

    /**
     * @param registry answers on the coordination executor
     * @param instance the id of this instance
     * @param events receives a loss
     */
    public Continuity(Registry registry, String instance, Clock clock, OnDataLoss policy, Consumer<JobEvent> events) {
        this.registry = registry;
        this.instance = instance;
        this.clock = clock;
        this.policy = policy;
        this.events = events;
    }

    /** What claims are to check, and what makes their tokens. */
    public Fencing fencing() {
        return fencing;
    }

    /** The id of the data in which this process works; empty before the first look, and if it may not be read. */
    public String id() {
        return known.incarnation().map(Incarnation::id).orElse("");
    }

    /** The loss that no operator has confirmed yet. */
    public Optional<DataLoss> unconfirmed() {
        return unconfirmed;
    }

    /** A transaction of this process was answered. */
    public void answered(RegistryCommit commit, CommitOutcome outcome) {
        if (known.incarnation().isPresent() && outcome instanceof Committed committed) {
            committed.zxid().ifPresent(number -> {
                known = known.and(number);
                footprints.add(commit, number);
            });
        }
    }

    /** Calls back when the registry's own node may have changed. */
    public Subscription watch(Runnable lookAgain) {
        return registry.watch(PATH, WatchScope.DATA, lookAgain);
    }

    /** Whether the registry's own node is another one than at the last look, or has changed. */
    CompletionStage<Boolean> isMoved() {
        return registry.read(RegistryRead.allData(PATH))
                .thenApply(answer -> answer.node(PATH)
                        .filter(node ->
                                node.czxid() == created && fencing.version().equals(OptionalInt.of(node.version())))
                        .isEmpty());
    }

    /**
     * Looks whether the registry has the data that this process knows.
     *
     * @return whether jobs may rely on the connection; not while a loss holds them
     */
    public CompletionStage<Boolean> look(RegistrySession session) {
        // Transactions of this process go on meanwhile: what they are answered may be newer than what the look shows.
        KnownData expected = known;
        RecentWrites left = footprints.copy();
        return registry.commit(session, PROBE)
                .thenCompose(outcome -> look(session, outcome, expected, left))
                .exceptionallyCompose(this::unlessDenied);
    }

    private CompletionStage<Boolean> look(
            RegistrySession session, CommitOutcome outcome, KnownData expected, RecentWrites left) {
        if (outcome.isRefusedAs(Reason.ABSENT)) {
            return decide(session, expected, new DataObservation(Optional.empty(), 0, false));
        }
        // If somebody has created the node that never exists, only the nodes themselves tell.
        long now = outcome instanceof Committed committed ? committed.zxid().orElse(expected.zxid()) : expected.zxid();
        List<RegistryRead> reads = new ArrayList<>(left.reads());
        reads.addAll(RegistryRead.allData(PATH));
        return registry.read(reads).thenCompose(answer -> decide(session, expected, seen(answer, now, left)));
    }

    private static DataObservation seen(RegistryAnswer answer, long now, RecentWrites left) {
        Optional<DataObservation.Node> node = answer.node(PATH)
                .map(read -> new DataObservation.Node(read.version(), read.czxid(), Incarnation.read(read)));
        answer.node(PATH).filter(read -> Incarnation.read(read).isEmpty()).ifPresent(Continuity::reportUnreadable);
        return new DataObservation(node, now, left.areMissingIn(answer));
    }

    private static void reportUnreadable(RegistryNode node) {
        log.warn(
                "The node \"{}\" was expected to have the registry's id, but it has \"{}\": it is written anew. Find out who"
                        + " writes to it",
                PATH,
                node.text());
    }

    private CompletionStage<Boolean> decide(RegistrySession session, KnownData expected, DataObservation seen) {
        if (expected.incarnation().isPresent() && !known.incarnation().equals(expected.incarnation())) {
            // Another look has ended meanwhile, and has told what it has found. The first ones find nothing to tell.
            return look(session);
        }
        Verdict verdict =
                ContinuityPlanner.decide(expected, seen, this::note, Incarnation.first(session, clock.instant()));
        if (!verdict.writes()) {
            DataObservation.Node node = seen.node().orElseThrow();
            return CompletableFuture.completedFuture(adopt(verdict, node.version(), node.created(), seen.now()));
        }
        RegistryCommit write = RegistryCommit.builder()
                .setOrCreate(PATH, verdict.next().text(), seen.node().map(DataObservation.Node::version))
                .build();
        return registry.commit(session, write)
                .thenCompose(outcome -> outcome instanceof Committed committed
                        ? CompletableFuture.completedFuture(
                                written(verdict, seen, committed.zxid().orElse(seen.now())))
                        : look(session));
    }

    private boolean written(Verdict verdict, DataObservation seen, long now) {
        return seen.node()
                .map(node -> adopt(verdict, node.version() + 1, node.created(), now))
                .orElseGet(() -> adopt(verdict, 0, now, now));
    }

    private DataLoss note(RegistryLoss kind) {
        return new DataLoss(kind, id(), clock.instant(), instance, Optional.empty());
    }

    private boolean adopt(Verdict verdict, int version, long creation, long now) {
        boolean first = known.incarnation().isEmpty();
        Optional<DataLoss> before = unconfirmed;
        Incarnation next = verdict.next();
        if (verdict.loss().isPresent()) {
            footprints.clear();
        }
        known = known.follow(next, now);
        created = creation;
        fencing = new Fencing(OptionalInt.of(version), next.base());
        unconfirmed = next.unconfirmed();
        verdict.loss().ifPresent(this::report);
        if (first) {
            unconfirmed.ifPresent(this::reportEarlier);
        } else if (before.isPresent() && unconfirmed.isEmpty() && verdict.loss().isEmpty()) {
            log.info("The loss of the registry's data was confirmed: this instance goes on");
        }
        return !holds();
    }

    private boolean holds() {
        return policy == OnDataLoss.HOLD && unconfirmed.isPresent();
    }

    private void report(RegistryLoss loss) {
        log.error(
                "{} {}. Look at the ZooKeeper servers, then confirm the loss: with the endpoint's command"
                        + " \"confirm-data-loss\", in the console, or with JobAdmin.confirmDataLoss",
                meaning(loss),
                consequence());
        events.accept(new JobEvent.RegistryDataLost(JobEvent.CommandEnded.ALL_JOBS, instance, loss));
    }

    private void reportEarlier(DataLoss loss) {
        log.warn("{}, and no operator has confirmed it. {}", loss.fact(), consequence());
    }

    private String consequence() {
        return holds()
                ? "Nothing starts on this instance until an operator confirms it"
                : "The jobs go on with what the registry has now";
    }

    private static String meaning(RegistryLoss loss) {
        return switch (loss) {
            case EMPTIED ->
                "The registry has lost its data. Pauses, disabled items, changed settings and the records of executions are"
                        + " gone: interrupted firings do not run again, and others may run twice.";
            case REPLACED ->
                "The registry has other data than before: it was emptied and others have begun anew, or this is another"
                        + " registry. Pauses, disabled items, changed settings and the records of executions are not what"
                        + " they were: interrupted firings do not run again, and others may run twice.";
            case WENT_BACK ->
                "The registry has gone back to an older copy of its data. What was written since then is gone: firings that"
                        + " have run may run again, and pauses, disabled items and settings are those of the copy.";
        };
    }

    /** Another application may have made the node with permissions of its own. */
    private CompletionStage<Boolean> unlessDenied(Throwable error) {
        Throwable failure = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (!(failure instanceof RegistryAccessDeniedException)) {
            return CompletableFuture.failedFuture(failure);
        }
        if (!denied) {
            denied = true;
            log.warn(
                    "This instance may not use the node \"{}\", so it does not notice if the registry loses its data: {}",
                    PATH,
                    failure.getMessage());
        }
        fencing = Fencing.UNKNOWN;
        return CompletableFuture.completedFuture(true);
    }
}
