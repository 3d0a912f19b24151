package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.InstanceLoads;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.LoadReader;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /** After as many turns of which nothing came into force, one goes without the guard. */
    private static final int PATIENCE = 20;

    private final ItemDivision division;
    private final SharedConnection connection;
    private final LoadReader loads;
    private final String instance;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean underWay;
    /** The turns in a row of which nothing came into force. */
    private int refused;
    /** The node may not be read or written: plans are made without it. */
    private boolean denied;

    /** @param instance the base id of the engine's instances, by which engines that refuse each other pause differently */
    public PlanTurns(ItemDivision division, SharedConnection connection, String instance) {
        this.division = division;
        this.connection = connection;
        this.loads = new LoadReader(connection.registry());
        this.instance = instance;
    }

    /** Puts a job's new plan in force. */
    interface Planner {
        /**
         * @param owners of all items; empty if no instance may own items
         * @param guard has to be part of the transaction that puts the plan in force; called once for it, if there is one
         * @return whether it was committed
         */
        CompletionStage<Boolean> putInForce(NavigableMap<Integer, String> owners, Supplier<RegistryCommit> guard);
    }

    private record Waiting(
            JobView job,
            JobDefinition definition,
            NavigableMap<String, Shown> instances,
            Planner planner,
            CompletableFuture<Boolean> answer) {
        Map<Integer, String> current() {
            return job.assignment().map(Assignment::owners).orElse(new TreeMap<>());
        }
    }

    /**
     * Plans a job, at once or in its turn.
     *
     * @param job as it was read, with the plan in force
     * @param instances those that may own items, in descending string order of their ids
     * @return whether a plan came into force; completes on the coordination executor
     */
    CompletionStage<Boolean> plan(
            JobView job, JobDefinition definition, NavigableMap<String, Shown> instances, Planner planner) {
        Waiting next = new Waiting(job, definition, instances, planner, new CompletableFuture<>());
        if (instances.isEmpty() || !division.needsLoads(definition)) {
            return division.divide(definition, instances, next.current(), Map.of())
                    .thenComposeAsync(owners -> planner.putInForce(owners, () -> NOTHING), connection.executor());
        }
        waiting.add(next);
        if (!underWay) {
            underWay = true;
            // What other jobs decide in this turn of the executor joins.
            connection.executor().execute(this::next);
        }
        return next.answer();
    }

    private void next() {
        if (waiting.isEmpty()) {
            underWay = false;
            return;
        }
        afterPause().thenCompose(paused -> begin()).thenCompose(this::plan).whenComplete((done, error) -> {
            if (error != null) {
                Throwable cause = Stages.unwrap(error);
                List<Waiting> all = List.copyOf(waiting);
                waiting.clear();
                all.forEach(job -> job.answer().completeExceptionally(cause));
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

    /** The version first: what was planned up to it is in what is read after it. */
    private CompletionStage<Turn> begin() {
        if (denied) {
            return withoutGuard();
        }
        String node = JobTree.namespaceSpread();
        return connection
                .registry()
                .read(List.of(RegistryRead.children(JobTree.NAMESPACE), RegistryRead.data(node)))
                .thenCompose(answer -> loads.read(answer.children(JobTree.NAMESPACE))
                        .thenApply(read -> new Turn(read, versionOf(answer.node(node)))))
                .exceptionallyCompose(error -> {
                    if (!(Stages.unwrap(error) instanceof RegistryAccessDeniedException cause)) {
                        return CompletableFuture.failedFuture(Stages.unwrap(error));
                    }
                    denied(cause);
                    return withoutGuard();
                });
    }

    private CompletionStage<Turn> withoutGuard() {
        return new NamespaceReader(connection.registry())
                .names()
                .thenCompose(loads::read)
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException
                        ? CompletableFuture.completedFuture(InstanceLoads.NONE)
                        : CompletableFuture.failedFuture(Stages.unwrap(error)))
                .thenApply(read -> new Turn(read, OptionalInt.empty()));
    }

    private static OptionalInt versionOf(Optional<RegistryNode> node) {
        return OptionalInt.of(node.map(RegistryNode::version).orElse(Turn.ABSENT));
    }

    private void denied(RegistryAccessDeniedException cause) {
        if (!denied) {
            denied = true;
            log.warn(
                    "Access to the node \"{}\" is denied, so jobs with sharding strategies that spread items over the"
                            + " instances are planned without agreement with other instances: items may be spread"
                            + " unevenly. Grant this application access to it",
                    cause.path(),
                    cause);
        }
    }

    /** After a turn of which nothing came into force, one job only: another one may be refused for reasons of its own. */
    private CompletionStage<Void> plan(Turn turn) {
        int most = refused == 0 ? waiting.size() : 1;
        Deque<Waiting> jobs = new ArrayDeque<>();
        while (jobs.size() < most) {
            jobs.add(waiting.remove());
        }
        boolean guarded = !denied && refused < PATIENCE;
        return Stages.inOrder(jobs, job -> decided(job, guarded ? turn : turn.unguarded()))
                .thenCompose(sent -> Stages.inOrder(jobs, job -> job.answer().exceptionally(error -> false)))
                .thenAccept(committed -> refused = committed.contains(true) ? 0 : (refused + 1) % (PATIENCE + 1));
    }

    /** Completes when the plan is sent. Its answer is told to the job. */
    private CompletionStage<Void> decided(Waiting job, Turn turn) {
        JobDefinition definition = job.definition();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        CompletableFuture.completedFuture(turn.loads.besides(definition.jobName()))
                .thenCompose(others -> division.divide(definition, job.instances(), job.current(), others))
                .thenComposeAsync(
                        owners -> {
                            CompletionStage<Boolean> committed =
                                    job.planner().putInForce(owners, () -> turn.planned(job, owners));
                            sent.complete(null);
                            return committed;
                        },
                        connection.executor())
                .whenCompleteAsync(
                        (committed, error) -> {
                            if (error == null) {
                                job.answer().complete(committed);
                            } else if (isOfNode(Stages.unwrap(error))) {
                                denied((RegistryAccessDeniedException) Stages.unwrap(error));
                                job.answer().complete(false);
                            } else {
                                job.answer().completeExceptionally(Stages.unwrap(error));
                            }
                            sent.complete(null);
                        },
                        connection.executor());
        return sent;
    }

    private static boolean isOfNode(Throwable error) {
        return error instanceof RegistryAccessDeniedException refusal
                && refusal.path().endsWith(JobTree.namespaceSpread());
    }

    /** What is known while several jobs are planned one after the other. */
    private static final class Turn {
        static final int ABSENT = -1;

        private InstanceLoads loads;
        /** Of the node, once what was sent before is in force; empty for plans without agreement. */
        private OptionalInt version;
        /**
         * Holds if what was sent before has come into force: the version alone may be that of another leader's plan, which has
         * the place of one that was refused.
         */
        private RegistryCommit before = NOTHING;

        Turn(InstanceLoads loads, OptionalInt version) {
            this.loads = loads;
            this.version = version;
        }

        Turn unguarded() {
            version = OptionalInt.empty();
            return this;
        }

        /**
         * A job gets these owners.
         *
         * @return what guards that plan: if nothing moves, no other plan has to be made anew for it
         */
        RegistryCommit planned(Waiting waiting, Map<Integer, String> owners) {
            loads = loads.with(waiting.definition(), owners);
            if (version.isEmpty()) {
                return NOTHING;
            }
            RegistryCommit.Builder guard = RegistryCommit.builder().addAll(before);
            String node = JobTree.namespaceSpread();
            int read = version.getAsInt();
            boolean moves = !owners.equals(waiting.current());
            if (read == ABSENT) {
                guard.create(node);
            } else if (moves) {
                guard.set(node, "", read);
            } else {
                guard.check(node, read);
            }
            version = OptionalInt.of(moves || read == ABSENT ? read + 1 : read);
            JobView job = waiting.job();
            before = RegistryCommit.builder()
                    .check(job.tree().sharding(), job.epoch() + 1)
                    .build();
            return guard.build();
        }
    }
}
