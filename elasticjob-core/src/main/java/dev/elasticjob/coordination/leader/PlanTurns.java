package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.InstanceLoads;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.LoadReader;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Plans the jobs of an engine: each at once, except those whose strategy asks for the loads of the instances. These are
 * planned one after the other, also among engines, by the version of a node of the namespace ("Spreading" in
 * {@code docs/internals/protocol-placement.md}). All of an engine's jobs that wait are planned in one turn, which reads the
 * loads once.
 *
 * <p>Confined to the coordination executor.
 */
public final class PlanTurns {
    private static final Logger log = LoggerFactory.getLogger(PlanTurns.class);
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int MOST_DOUBLINGS = 5;

    /** After as many turns in a row that were refused because of other plans, one goes without checking the version. */
    private static final int PATIENCE = 20;

    /** The same, if an item waits for an owner: what is due there waits too. */
    private static final int PATIENCE_OF_THE_HOMELESS = 6;

    /** After that, a job that waits looks at its nodes again: it may have been paused, or has other work. */
    private static final Duration LOOKS_AGAIN = Duration.ofSeconds(2);

    /** What was refused, or too slow, so long ago says nothing about what is now. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** What was denied may be granted since. */
    private static final Duration DENIAL = Duration.ofMinutes(10);

    private final ItemDivision division;
    private final SharedConnection connection;
    private final LoadReader loads;
    private final String instance;
    /** Those of the turn that is under way included, until they are answered. */
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    /** The own strategies that have taken too long. Written by any thread. */
    private final Set<String> slow = ConcurrentHashMap.newKeySet();

    private boolean underWay;
    /** The turns in a row that were refused because of other plans. */
    private int refused;
    /** The end of the last turn, on the timer's clock. */
    private long rested;
    /** Why the node may or can not be read or written, if so: plans are made without it. */
    private Optional<Throwable> denial = Optional.empty();
    /** How the operator was told of it, if so. */
    private Optional<Level> told = Optional.empty();
    /** When denials were forgotten last, on the timer's clock, and the session in which it was. */
    private long asked;

    private Optional<Long> askedIn = Optional.empty();

    /** @param instance the base id of the engine's instances, by which engines that refuse each other pause differently */
    public PlanTurns(ItemDivision division, SharedConnection connection, String instance) {
        this.division = division;
        this.connection = connection;
        this.loads = new LoadReader(connection.registry());
        this.instance = instance;
    }

    /** Whether the job's strategy is to know how long the items take. */
    boolean needsDurations(JobDefinition definition) {
        return division.needsDurations(definition);
    }

    /** Puts a job's new plan in force. */
    interface Planner {
        /**
         * @param owners of all items; empty if no instance may own items
         * @param guard has to be part of the transaction that puts the plan in force, before all else; called once for it,
         *     before this returns, if there is one
         * @return the answer of the transaction, or of the first of several that was refused
         */
        CompletionStage<CommitOutcome> putInForce(NavigableMap<Integer, String> owners, Supplier<RegistryCommit> guard);
    }

    /** A job whose plan is to be made in a turn. */
    private static final class Waiting {
        private final JobView job;
        private final JobDefinition definition;
        private final Candidates candidates;
        private final Measured measured;
        private final Planner planner;
        private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        private Progress progress = Progress.QUEUED;
        /** It has to be read again before it can be planned, or nobody waits for its plan any more. */
        private boolean stale;

        Waiting(JobView job, JobDefinition definition, Candidates candidates, Measured measured, Planner planner) {
            this.job = job;
            this.definition = definition;
            this.candidates = candidates;
            this.measured = measured;
            this.planner = planner;
        }

        Map<Integer, String> current() {
            return owners(job);
        }

        /** Whether an item waits for an owner. */
        boolean hasHomeless() {
            Map<Integer, String> owners = current();
            return owners.size() < definition.shardingTotalCount()
                    || !owners.values().stream().allMatch(candidates::has);
        }

        /** A strategy that has been asked has its time; what was sent has its answer. */
        void waitsTooLong() {
            stale = true;
            if (progress == Progress.QUEUED) {
                answer.complete(false);
            }
        }

        void withdraw() {
            stale = true;
            if (progress != Progress.SENT) {
                answer.complete(false);
            }
        }

        /** Waits for the next turn. */
        void waitsOn() {
            progress = Progress.QUEUED;
            if (stale) {
                answer.complete(false);
            }
        }
    }

    private enum Progress {
        QUEUED,
        /** Its strategy is asked. */
        DECIDED,
        /** Its transaction is under way. */
        SENT
    }

    private static Map<Integer, String> owners(JobView job) {
        return job.assignment().map(Assignment::owners).orElseGet(TreeMap::new);
    }

    /**
     * Plans a job, at once or in its turn.
     *
     * @param job as it was read, with the plan in force
     * @param measured how long the items take, if the strategy needs it
     * @return whether a plan came into force; false also if the job has waited so long that it has to be read again.
     *     Completes on the coordination executor
     */
    CompletionStage<Boolean> plan(
            JobView job, JobDefinition definition, Candidates candidates, Measured measured, Planner planner) {
        if (candidates.isEmpty() || !division.needsLoads(definition)) {
            return division.divide(definition, candidates, owners(job), Map.of(), measured)
                    .thenComposeAsync(owners -> planner.putInForce(owners, () -> NOTHING), connection.executor())
                    .thenApply(CommitOutcome::isCommitted);
        }
        Waiting next = new Waiting(job, definition, candidates, measured, planner);
        TaskTimer.Cancellable looksAgain = connection.later(LOOKS_AGAIN, next::waitsTooLong);
        waiting.add(next);
        CompletionStage<Boolean> answered = next.answer.whenComplete((planned, error) -> {
            looksAgain.cancel();
            waiting.remove(next);
        });
        if (!underWay) {
            underWay = true;
            if (connection.nanoTime() - rested > QUIET.toNanos()) {
                refused = 0;
                slow.clear();
            }
            // What other jobs decide in this turn of the executor joins.
            connection.executor().execute(this::next);
        }
        return answered;
    }

    /** Nobody waits for the plan of this job any more: it ends here, or another instance leads. */
    void withdraw(String jobName) {
        List.copyOf(waiting).stream()
                .filter(job -> job.definition.jobName().equals(jobName))
                .forEach(Waiting::withdraw);
    }

    private void next() {
        if (waiting.isEmpty()) {
            underWay = false;
            rested = connection.nanoTime();
            return;
        }
        afterPause().thenCompose(paused -> begin()).thenCompose(this::plan).whenComplete((done, error) -> {
            if (error != null) {
                List.copyOf(waiting).forEach(job -> job.answer.completeExceptionally(Stages.unwrap(error)));
            }
            next();
        });
    }

    private CompletionStage<Void> afterPause() {
        if (refused == 0) {
            return CompletableFuture.completedFuture(null);
        }
        long longest = FIRST_PAUSE.toMillis() << Math.min(refused - 1, MOST_DOUBLINGS);
        return connection.afterPause(
                Duration.ofMillis(1 + Math.floorMod((long) Objects.hash(instance, refused), longest)));
    }

    // ------------------------------------------------------------------ what a turn knows

    /**
     * The version first: what was planned up to it is in what is read after it. Only of one session: the server of another one
     * may show less.
     */
    private CompletionStage<Turn> begin() {
        forgetDenials();
        Optional<Long> session = session();
        return (denial.isPresent() ? withoutNode() : withNode())
                .thenCompose(turn -> session.equals(session()) ? CompletableFuture.completedFuture(turn) : begin());
    }

    private Optional<Long> session() {
        return connection.session().map(RegistrySession::id);
    }

    private void forgetDenials() {
        long now = connection.nanoTime();
        if (now - asked > DENIAL.toNanos() || !askedIn.equals(session())) {
            asked = now;
            askedIn = session();
            denial = Optional.empty();
            loads.forgetRefused();
        }
    }

    private CompletionStage<Turn> withNode() {
        String node = JobTree.namespaceLoads();
        boolean compares = compares();
        List<RegistryRead> reads = new ArrayList<>(List.of(RegistryRead.data(node)));
        if (compares) {
            reads.add(RegistryRead.children(JobTree.NAMESPACE));
        }
        return connection
                .registry()
                .read(reads)
                .thenCompose(answer -> (compares
                                ? loads.read(answer.children(JobTree.NAMESPACE)).thenApply(Optional::of)
                                : CompletableFuture.completedFuture(Optional.<InstanceLoads>empty()))
                        .thenApply(read -> Turn.of(
                                read,
                                answer.node(node).map(RegistryNode::version),
                                agreement(compares || answer.node(node).isEmpty()))))
                .exceptionallyCompose(error -> {
                    Throwable cause = Stages.unwrap(error);
                    if (cause instanceof RegistryUnavailableException) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    denial = Optional.of(cause);
                    return withoutNode();
                });
    }

    /** Whether what the instances have of other jobs makes a difference to a job that waits. */
    private boolean compares() {
        return waiting.stream().anyMatch(this::compares);
    }

    private boolean compares(Waiting job) {
        return !job.candidates.isOne() || division.asksOwn(job.definition);
    }

    /** @param agrees whether it makes a difference what was planned meanwhile, or nobody would notice these plans otherwise */
    private Agreement agreement(boolean agrees) {
        int patience = waiting.stream().anyMatch(Waiting::hasHomeless) ? PATIENCE_OF_THE_HOMELESS : PATIENCE;
        return agrees && refused < patience ? Agreement.GUARDED : Agreement.RAISED;
    }

    private CompletionStage<Turn> withoutNode() {
        CompletionStage<Optional<InstanceLoads>> read = compares()
                ? new NamespaceReader(connection.registry())
                        .names()
                        .thenCompose(loads::read)
                        .exceptionallyCompose(
                                error -> Stages.unwrap(error) instanceof RegistryUnavailableException cause
                                        ? CompletableFuture.failedFuture(cause)
                                        : CompletableFuture.completedFuture(InstanceLoads.NONE))
                        .thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        return read.thenApply(known -> Turn.of(known, Optional.empty(), Agreement.NONE));
    }

    /**
     * Whatever is wrong with the node, plans are made: only the balance depends on it. Where nobody has chosen that balance, a
     * denial is no reason for a warning.
     */
    private void tell(Throwable cause) {
        boolean chosen = waiting.stream().anyMatch(job -> !ShardingStrategies.usesDefault(job.definition));
        boolean warns = chosen || !(cause instanceof RegistryAccessDeniedException);
        Level level = warns ? Level.WARN : Level.INFO;
        if (told.filter(before -> before.toInt() >= level.toInt()).isPresent()) {
            return;
        }
        told = Optional.of(level);
        String why = chosen ? "as their sharding strategies say" : "as jobs of one item are by default";
        String effect = "so jobs that are spread over the instances (" + why
                + ") are planned without agreement with other instances: they may be spread unevenly";
        LoggingEventBuilder line = warns ? log.atWarn().setCause(cause) : log.atInfo();
        if (cause instanceof RegistryAccessDeniedException refusal) {
            line.log(
                    "Access to the node \"{}\" is denied, {}. Grant this application access to it",
                    refusal.path(),
                    effect);
        } else {
            line.log("The node \"{}\" can't be used, {}. See the cause", JobTree.namespaceLoads(), effect);
        }
    }

    // ------------------------------------------------------------------ a turn

    /**
     * The first plan goes alone, and the others after its answer: if another leader has planned meanwhile, one plan was sent in
     * vain. Own strategies come last, because they may take their time.
     */
    private CompletionStage<Void> plan(Turn turn) {
        if (turn.agreement() == Agreement.NONE) {
            denial.ifPresent(this::tell);
        }
        List<Waiting> now = waiting.stream()
                .filter(job -> turn.loads().isPresent() || !compares(job))
                .toList();
        Deque<Waiting> jobs = new ArrayDeque<>();
        now.stream().filter(job -> !division.asksOwn(job.definition)).forEach(jobs::add);
        now.stream().filter(job -> division.asksOwn(job.definition)).forEach(jobs::add);
        return first(turn, jobs)
                .thenCompose(
                        next -> next.isPresent() ? others(next.get(), jobs) : CompletableFuture.completedFuture(null));
    }

    /**
     * The first job whose plan doesn't fail for reasons of its own.
     *
     * @return how the turn goes on, if it does
     */
    private CompletionStage<Optional<Turn>> first(Turn turn, Deque<Waiting> jobs) {
        if (jobs.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return sent(jobs.remove(), turn)
                .thenCompose(sent -> sent.result().thenCompose(result -> switch (result) {
                    case IN_FORCE -> {
                        refused = 0;
                        told = told.filter(level -> turn.agreement() == Agreement.NONE);
                        yield CompletableFuture.completedFuture(Optional.of(sent.next()));
                    }
                    case OVERTAKEN -> {
                        refused = (refused + 1) % (PATIENCE + 1);
                        yield CompletableFuture.completedFuture(Optional.empty());
                    }
                    case DENIED -> CompletableFuture.completedFuture(Optional.empty());
                    case FAILED -> first(turn, jobs);
                }));
    }

    /** Sends a plan without waiting for the answer to the one before. */
    private CompletionStage<Void> others(Turn turn, Deque<Waiting> jobs) {
        List<CompletionStage<Result>> results = new ArrayList<>();
        CompletionStage<Turn> all = CompletableFuture.completedFuture(turn);
        for (Waiting job : jobs) {
            all = all.thenCompose(before -> sent(job, before)).thenApply(sent -> {
                results.add(sent.result());
                return sent.next();
            });
        }
        return all.thenCompose(last -> Stages.all(results));
    }

    /**
     * A plan that was sent.
     *
     * @param next what the turn knows if it comes into force
     */
    private record Sent(Turn next, CompletionStage<Result> result) {}

    private enum Result {
        IN_FORCE,
        /** Another plan has come before it. The job waits for the next turn. */
        OVERTAKEN,
        /** The node may not be written. The job waits for the next turn. */
        DENIED,
        /** For a reason of the job's own, which was answered. */
        FAILED
    }

    /** Completes when the plan is sent. Its answer is told to the job. */
    private CompletionStage<Sent> sent(Waiting job, Turn turn) {
        if (job.answer.isDone()) {
            return CompletableFuture.completedFuture(new Sent(turn, failed()));
        }
        job.progress = Progress.DECIDED;
        return CompletableFuture.completedFuture(turn)
                .thenCompose(now -> division.divide(
                        job.definition, job.candidates, job.current(), now.besides(job.definition), job.measured, slow))
                .thenApplyAsync(owners -> send(job, turn, owners), connection.executor())
                .exceptionally(error -> new Sent(turn, CompletableFuture.completedFuture(failed(job, error))));
    }

    private Sent send(Waiting job, Turn turn, NavigableMap<Integer, String> owners) {
        if (job.answer.isDone()) {
            return new Sent(turn, failed());
        }
        job.progress = Progress.SENT;
        // A job whose plan changes nothing has no transaction that puts a plan in force.
        List<Turn> next = new ArrayList<>(List.of(turn));
        CompletionStage<Result> result = job.planner
                .putInForce(owners, () -> {
                    next.add(turn.with(job.job, job.definition, owners));
                    return turn.guard(job.job, owners);
                })
                .handleAsync(
                        (outcome, error) -> error == null ? answered(job, turn, outcome) : failed(job, error),
                        connection.executor());
        return new Sent(next.get(next.size() - 1), result);
    }

    private static Result answered(Waiting job, Turn turn, CommitOutcome outcome) {
        if (turn.refused(outcome)) {
            job.waitsOn();
            return Result.OVERTAKEN;
        }
        job.answer.complete(outcome.isCommitted());
        return outcome.isCommitted() ? Result.IN_FORCE : Result.FAILED;
    }

    private Result failed(Waiting job, Throwable error) {
        Throwable cause = Stages.unwrap(error);
        if (cause instanceof RegistryAccessDeniedException refusal
                && refusal.path().endsWith(JobTree.namespaceLoads())) {
            denial = Optional.of(refusal);
            job.waitsOn();
            return Result.DENIED;
        }
        job.answer.completeExceptionally(cause);
        return Result.FAILED;
    }

    private static CompletionStage<Result> failed() {
        return CompletableFuture.completedFuture(Result.FAILED);
    }

    private enum Agreement {
        /** A plan comes into force only if no other one has since the loads were read. */
        GUARDED,
        /** A plan comes into force whatever was planned since, and refuses those that don't know of it. */
        RAISED,
        /** The node may not be used. */
        NONE
    }

    /**
     * What is known while several jobs are planned one after the other.
     *
     * @param loads empty if they make no difference to any of the jobs
     * @param version of the node, once what was sent before is in force; empty if it is absent
     * @param before the plan that was sent before; null for the first. Its transaction must have come into force: the version
     *     alone may be that of another leader's plan, which has the place of one that was refused
     */
    private record Turn(
            Optional<InstanceLoads> loads,
            Optional<Integer> version,
            Agreement agreement,
            @Nullable JobView before) {
        static Turn of(Optional<InstanceLoads> loads, Optional<Integer> version, Agreement agreement) {
            return new Turn(loads, version, agreement, null);
        }

        /** What the instances have of other jobs, as far as it makes a difference. */
        Map<String, Long> besides(JobDefinition job) {
            return loads.map(all -> all.besides(job.jobName())).orElse(Map.of());
        }

        private static boolean moves(JobView job, Map<Integer, String> owners) {
            return !owners.equals(owners(job));
        }

        /** What guards a plan: if nothing moves, no other plan has to be made anew for it. */
        RegistryCommit guard(JobView job, Map<Integer, String> owners) {
            RegistryCommit.Builder guard = RegistryCommit.builder();
            String node = JobTree.namespaceLoads();
            boolean moves = moves(job, owners);
            if (agreement == Agreement.RAISED) {
                version.filter(exists -> moves).ifPresent(old -> guard.set(node, "", RegistryCommit.ANY_VERSION));
            } else if (agreement == Agreement.GUARDED) {
                version.ifPresentOrElse(
                        known -> guard.add(
                                moves
                                        ? new RegistryCommit.Operation.Set(node, new byte[0], known)
                                        : new RegistryCommit.Operation.Check(node, known)),
                        () -> guard.create(node));
                if (before != null) {
                    guard.check(before.tree().sharding(), before.epoch() + 1);
                }
            }
            return guard.build();
        }

        /** The job has these owners. */
        Turn with(JobView job, JobDefinition definition, Map<Integer, String> owners) {
            Optional<Integer> raised = version.map(known -> moves(job, owners) ? known + 1 : known);
            return new Turn(
                    loads.map(all -> all.with(definition, owners)),
                    agreement == Agreement.GUARDED ? raised.or(() -> Optional.of(0)) : version,
                    agreement,
                    job);
        }

        /** Whether a transaction was refused by its guard. */
        boolean refused(CommitOutcome outcome) {
            return outcome instanceof CommitOutcome.Refused refusal
                    && (refusal.path().equals(JobTree.namespaceLoads())
                            || (before != null
                                    && refusal.path().equals(before.tree().sharding())));
        }
    }
}
