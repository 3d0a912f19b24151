package dev.elasticjob.engine.kept;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
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
import java.util.HashSet;
import java.util.List;
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
 * <p>A name that is removed and created again between two looks counts as the one before. This concerns only jobs that
 * were not kept before; the next connection reveals it.
 *
 * <p>Confined to the coordination executor.
 */
public final class KeptJobs implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final int NAMES_AT_ONCE = 500;

    private final SharedConnection connection;
    private final RegistryTrust trust;
    private final Host host;
    private final ReconcileLoop loop;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final SortedMap<String, KeptJob> kept = new TreeMap<>();
    /** Names of jobs that are not kept, and of what removals have left. */
    private final Set<String> others = new HashSet<>();
    /** Kept jobs to look at. */
    private NavigableSet<String> changed = new TreeSet<>();

    private boolean namesChanged = true;
    private long lastLook;
    private TaskTimer.@Nullable Cancellable nextLook;

    /** @param trust decides which jobs run here */
    public KeptJobs(SharedConnection connection, RegistryTrust trust, Host host) {
        this.connection = connection;
        this.trust = trust;
        this.host = host;
        this.loop = connection.loop("Jobs kept in the registry", this::round);
    }

    /**
     * What an engine was built with.
     *
     * @param run whether it runs jobs that are kept in the registry
     * @param trust what it runs because the registry says so
     */
    public record Settings(boolean run, RegistryTrust trust) {
        public static final Settings NONE = new Settings(false, RegistryTrust.NONE);
    }

    /** The engine that runs the jobs. */
    public interface Host {
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
        KeptJob job = kept.get(jobName);
        if (job != null && job.isRunning()) {
            job.hasEnded();
            lookAt(jobName);
        }
    }

    /** Something else than the registry has changed for the job: the application has registered or unregistered it. */
    public void lookAt(String jobName) {
        if (kept.containsKey(jobName)) {
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
        kept.values().forEach(KeptJob::close);
    }

    // ------------------------------------------------------------------ when to look

    /** Events may have been lost. */
    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            others.clear();
            changed.addAll(kept.keySet());
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
                    all.retainAll(kept.keySet());
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

    /** Returns the kept jobs that were not known. */
    private CompletionStage<NavigableSet<String>> look() {
        namesChanged = false;
        lastLook = connection.nanoTime();
        return connection
                .registry()
                .read(List.of(RegistryRead.children(JobTree.NAMESPACE)))
                .thenCompose(answer -> {
                    Set<String> names = new HashSet<>(answer.children(JobTree.NAMESPACE));
                    others.retainAll(names);
                    List.copyOf(kept.values()).stream()
                            .filter(job -> !names.contains(job.name()))
                            .forEach(this::forget);
                    NavigableSet<String> unknown = new TreeSet<>(names);
                    unknown.removeIf(name -> others.contains(name)
                            || kept.containsKey(name)
                            || NodeName.problem(name).isPresent());
                    NavigableSet<String> fresh = new TreeSet<>();
                    return Stages.inOrder(
                                    Batch.groups(NAMES_AT_ONCE, List.copyOf(unknown)),
                                    some -> marks(some).thenAccept(fresh::addAll))
                            .thenApply(done -> fresh);
                });
    }

    /** Returns those names that are marked. Those that may not be read are not this instance's concern. */
    private CompletionStage<List<String>> marks(List<String> names) {
        List<String> marked = new ArrayList<>();
        return new TolerantRead(connection.registry(), tree -> RegistryRead.allData(tree.origin()))
                .each(names, (tree, answer) -> {
                    if (answer.filter(read -> read.node(tree.origin()).isPresent())
                            .isPresent()) {
                        marked.add(tree.jobName());
                        kept.computeIfAbsent(tree.jobName(), this::watched);
                    } else {
                        others.add(tree.jobName());
                    }
                })
                .thenApply(done -> marked);
    }

    private KeptJob watched(String name) {
        JobTree tree = new JobTree(name);
        return new KeptJob(
                name,
                host,
                List.of(tree.config(), tree.extension()).stream()
                        .map(path -> connection.registry().watch(path, WatchScope.DATA, () -> lookAt(name)))
                        .toList());
    }

    private void forget(KeptJob job) {
        job.close();
        job.end();
        kept.remove(job.name());
    }

    // ------------------------------------------------------------------ what to do

    private CompletionStage<Void> decideOn(List<String> names) {
        return new TolerantRead(connection.registry(), KeptJobs::definitionReads).each(names, (tree, answer) -> {
            KeptJob job = kept.get(tree.jobName());
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

    private void decide(KeptJob job, JobTree tree, Optional<RegistryAnswer> answer) {
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
            others.add(tree.jobName());
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
            trust.objection(definition)
                    .ifPresentOrElse(
                            job::refuse,
                            () -> job.run(
                                    definition.toBuilder().overwrite(false).build()));
        }
    }
}
