package dev.elasticjob.engine.registryjob;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that are kept in the registry, during one run of an engine: a loop that reads which there are, and has the
 * engine run those that this instance may run. The names of all jobs are watched by one watch, and read at most four
 * times a second; only new names are looked at. A job that is kept is watched itself, whether or not it runs here.
 *
 * <p>A name that is removed and created again is another job, which the names alone don't show. If more has changed below
 * the namespace than names have come and gone, the roots of the known ones are read too.
 *
 * <p>Confined to the coordination executor.
 */
public final class RegistryJobs implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final int NAMES_AT_ONCE = 500;
    private static final long UNSEEN = -1;
    /** Asked for again only with the next connection: a request that is denied costs several. */
    private static final long DENIED = -2;

    private final SharedConnection connection;
    private final Settings settings;
    private final Host host;
    private final ReconcileLoop loop;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final SortedMap<String, RegistryJob> registryJobs = new TreeMap<>();
    /** Jobs that are not kept, and what removals have left: the {@code czxid} of their roots, by name. */
    private final Map<String, Long> others = new HashMap<>();

    private Names names = new Names(0, Set.of());
    /** Kept jobs to look at. */
    private NavigableSet<String> changed = new TreeSet<>();

    private boolean namesChanged = true;
    private long lastLook;
    private TaskTimer.@Nullable Cancellable nextLook;

    /** @param settings decide which jobs run here */
    public RegistryJobs(SharedConnection connection, Settings settings, Host host) {
        this.connection = connection;
        this.settings = settings;
        this.host = host;
        this.loop = connection.loop("Jobs kept in the registry", this::round);
    }

    /**
     * What an engine was built with.
     *
     * @param run whether it runs jobs that are kept in the registry
     * @param trust what it runs because the registry says so
     * @param kinds the kinds of jobs that it has
     */
    public record Settings(boolean run, RegistryTrust trust, JobKinds kinds) {
        public static final Settings NONE = new Settings(false, RegistryTrust.NONE, JobKinds.BUILT_IN);

        /** Why such a job doesn't run here; empty if it does. */
        Optional<String> objection(JobDefinition kept) {
            List<Violation> unknown = kinds.unknown(kept.jobType()).stream().toList();
            return told(unknown).or(() -> trust.objection(kept)).or(() -> told(kinds.violations(kept)));
        }

        private static Optional<String> told(List<Violation> violations) {
            return violations.stream().map(Violation::toString).reduce((one, other) -> one + "; " + other);
        }
    }

    /** The engine that runs the jobs. */
    public interface Host {
        /** Whether this instance runs no job of this name, wherever it is declared. Such names aren't looked at. */
        boolean isLeftOut(String jobName);

        /** Whether the application itself has registered a job of this name. */
        boolean isLocal(String jobName);

        /**
         * Registers a job. The stage fails if it is refused.
         *
         * @throws RuntimeException if the engine can't run it
         */
        CompletionStage<Void> run(JobDefinition definition);

        /** Unregisters a job that was registered here, if it still is. */
        void end(String jobName);
    }

    /** Watches first, so that nothing is missed between the first reads and the watch. */
    public void start() {
        subscriptions.add(connection.onChange(this::connectionChanged));
        subscriptions.add(connection.registry().watch(JobTree.NAMESPACE, WatchScope.NODE, this::namesHaveChanged));
        loop.again();
    }

    /** The job has ended on this instance, for whatever reason. */
    public void ended(String jobName) {
        RegistryJob job = registryJobs.get(jobName);
        if (job != null && job.isRunning()) {
            job.hasEnded();
            lookAt(jobName);
        }
    }

    /** Something else than the registry has changed for the job: the application has registered or unregistered it. */
    public void lookAt(String jobName) {
        if (registryJobs.containsKey(jobName)) {
            changed.add(jobName);
            loop.again();
        }
    }

    /** Looks at nothing any more. The jobs are not ended. */
    @Override
    public void close() {
        loop.stop();
        if (nextLook != null) {
            nextLook.cancel();
        }
        subscriptions.forEach(Subscription::close);
        registryJobs.values().forEach(RegistryJob::close);
    }

    // ------------------------------------------------------------------ when to look

    /** Events may have been lost. */
    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            others.clear();
            changed.addAll(registryJobs.keySet());
            namesChanged = true;
            loop.again();
        }
    }

    private void namesHaveChanged() {
        namesChanged = true;
        if (nextLook == null) {
            Duration since = Duration.ofNanos(connection.nanoTime() - lastLook);
            Duration pause = BETWEEN_LOOKS.minus(since);
            nextLook = connection.later(pause.isNegative() ? Duration.ZERO : pause, () -> {
                nextLook = null;
                loop.again();
            });
        }
    }

    // ------------------------------------------------------------------ one look

    private CompletionStage<Next> round() {
        if (connection.session().isEmpty()) {
            return Next.WAIT.stage();
        }
        boolean names = namesChanged && nextLook == null;
        NavigableSet<String> asked = changed;
        changed = new TreeSet<>();
        CompletionStage<NavigableSet<String>> found =
                names ? look() : CompletableFuture.completedFuture(new TreeSet<>());
        return found.thenCompose(fresh -> {
                    NavigableSet<String> all = new TreeSet<>(asked);
                    all.addAll(fresh);
                    all.retainAll(registryJobs.keySet());
                    return Stages.inOrder(Batch.groups(NAMES_AT_ONCE, List.copyOf(all)), this::decideOn);
                })
                .whenComplete((done, error) -> {
                    if (error != null) {
                        namesChanged |= names;
                        changed.addAll(asked);
                    }
                })
                .thenApply(done -> Next.WAIT);
    }

    /**
     * The names that were found, and how many had come and gone before. The count is read first: what happens between the
     * two reads is an event, and found by the next look.
     */
    private record Names(int changes, Set<String> all) {
        static final List<RegistryRead> READS =
                List.of(RegistryRead.data(JobTree.NAMESPACE), RegistryRead.children(JobTree.NAMESPACE));

        static Names of(RegistryAnswer answer) {
            return new Names(
                    answer.node(JobTree.NAMESPACE)
                            .map(RegistryNode::childChanges)
                            .orElse(0),
                    Set.copyOf(answer.children(JobTree.NAMESPACE)));
        }

        /** Whether only those names came and went that are in one of the two. */
        boolean showAllSince(Names before) {
            long come = all.stream().filter(name -> !before.all.contains(name)).count();
            long gone = before.all.stream().filter(name -> !all.contains(name)).count();
            return changes - before.changes == come + gone;
        }
    }

    /** Returns the kept jobs that were not known. */
    private CompletionStage<NavigableSet<String>> look() {
        namesChanged = false;
        lastLook = connection.nanoTime();
        return connection.registry().read(Names.READS).thenCompose(answer -> {
            Names found = Names.of(answer);
            others.keySet().retainAll(found.all());
            List.copyOf(registryJobs.values()).stream()
                    .filter(job -> !found.all().contains(job.name()))
                    .forEach(this::forget);
            List<String> known = found.showAllSince(names) ? List.of() : readable();
            return Stages.inOrder(Batch.groups(NAMES_AT_ONCE, known), this::forgetReplaced)
                    .thenCompose(done -> look(found));
        });
    }

    private CompletionStage<NavigableSet<String>> look(Names found) {
        List<String> unknown = found.all().stream()
                .filter(name -> !others.containsKey(name) && !registryJobs.containsKey(name))
                .filter(name -> NodeName.problem(name).isEmpty() && !host.isLeftOut(name))
                .toList();
        NavigableSet<String> fresh = new TreeSet<>();
        return Stages.inOrder(
                        Batch.groups(NAMES_AT_ONCE, unknown),
                        some -> marks(some).thenAccept(fresh::addAll))
                .thenApply(done -> {
                    names = found;
                    return fresh;
                });
    }

    private List<String> readable() {
        return others.entrySet().stream()
                .filter(other -> other.getValue() != DENIED)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Forgets those names whose job isn't the one that was looked at before. */
    private CompletionStage<Void> forgetReplaced(List<String> known) {
        return new TolerantRead(connection.registry(), tree -> RegistryRead.allData(tree.root()))
                .each(known, (tree, answer) -> {
                    if (root(tree, answer) != others.getOrDefault(tree.jobName(), UNSEEN)) {
                        others.remove(tree.jobName());
                    }
                });
    }

    /** Returns those names that are marked. Those that may not be read are not this instance's concern. */
    private CompletionStage<List<String>> marks(List<String> names) {
        List<String> marked = new ArrayList<>();
        // The root first: if the job is created anew in between, either its mark is found, or its root is another.
        return new TolerantRead(connection.registry(), tree -> RegistryRead.allData(tree.root(), tree.origin()))
                .each(names, (tree, answer) -> {
                    if (answer.filter(read -> read.node(tree.origin()).isPresent())
                            .isPresent()) {
                        marked.add(tree.jobName());
                        others.remove(tree.jobName());
                        registryJobs.computeIfAbsent(tree.jobName(), this::watched);
                    } else {
                        others.put(tree.jobName(), root(tree, answer));
                    }
                })
                .thenApply(done -> marked);
    }

    private static long root(JobTree tree, Optional<RegistryAnswer> answer) {
        return answer.map(
                        read -> read.node(tree.root()).map(RegistryNode::czxid).orElse(UNSEEN))
                .orElse(DENIED);
    }

    private RegistryJob watched(String name) {
        JobTree tree = new JobTree(name);
        return new RegistryJob(
                name,
                host,
                List.of(tree.config(), tree.extension()).stream()
                        .map(path -> connection.registry().watch(path, WatchScope.DATA, () -> lookAt(name)))
                        .toList());
    }

    private void forget(RegistryJob job) {
        job.close();
        job.end();
        registryJobs.remove(job.name());
    }

    // ------------------------------------------------------------------ what to do

    private CompletionStage<Void> decideOn(List<String> names) {
        return new TolerantRead(connection.registry(), RegistryJobs::definitionReads).each(names, (tree, answer) -> {
            RegistryJob job = registryJobs.get(tree.jobName());
            if (job != null) {
                decide(job, tree, answer);
            }
        });
    }

    private static List<RegistryRead> definitionReads(JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.add(RegistryRead.data(tree.origin()));
        return reads;
    }

    private void decide(RegistryJob job, JobTree tree, Optional<RegistryAnswer> answer) {
        if (answer.isEmpty()) {
            job.refuse("access to its nodes is denied");
            return;
        }
        StoredDefinition stored = StoredDefinition.of(tree, answer.get());
        Optional<RegistryNode> mark = answer.get().node(tree.origin());
        if (!stored.isPresent()) {
            // Still watched: it may be created anew before its name has been missed.
            job.end();
            return;
        }
        if (mark.isEmpty()) {
            forget(job);
            others.put(tree.jobName(), UNSEEN);
            return;
        }
        job.isMarkedBy(mark.get());
        Optional<UnreadableDefinitionException> unreadable = stored.problem(Optional.empty());
        if (host.isLocal(job.name())) {
            job.givesWay();
        } else if (unreadable.isPresent()) {
            // A job that runs keeps to the last one that it could read, as any other.
            job.refuseUnlessRunning(String.valueOf(unreadable.get().getMessage()));
        } else {
            JobDefinition definition = stored.decode().definition();
            settings.objection(definition)
                    .ifPresentOrElse(
                            job::refuse,
                            () -> job.run(
                                    definition.toBuilder().overwrite(false).build()));
        }
    }
}
