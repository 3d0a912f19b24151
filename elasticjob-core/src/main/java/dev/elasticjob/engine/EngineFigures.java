package dev.elasticjob.engine;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.coordination.session.DataLoss;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Figures of an engine as they are now, for gauges. All are zero or false while the engine isn't started.
 *
 * <p>Thread-safe; never blocks and asks nothing of the registry, so the figures cost nothing that an operator would notice.
 */
public final class EngineFigures {
    private final EngineParts parts;
    private final Supplier<Optional<EngineRun>> current;
    private final Function<String, Optional<JobDemand>> demand;

    /** @param demand of a job, as it was last read here */
    EngineFigures(
            EngineParts parts, Supplier<Optional<EngineRun>> current, Function<String, Optional<JobDemand>> demand) {
        this.parts = parts;
        this.current = current;
        this.demand = demand;
    }

    /** This instance's id. A job appends a counter if another process has the same id. */
    public String instance() {
        return parts.identity().baseId();
    }

    /** Whether the engine is started and not stopped. */
    public boolean isRunning() {
        return current.get().isPresent();
    }

    /** Whether there is a connection to the registry that can be relied on. */
    public boolean isConnected() {
        return isRunning() && parts.registry().connectionState().isConnected();
    }

    /**
     * What has become of the registry's data, as a sentence: it was lost, or went back to an older copy, and no operator has
     * confirmed that yet. Empty if all is well.
     */
    public Optional<String> dataLoss() {
        return current.get().flatMap(EngineRun::unconfirmedLoss).map(DataLoss::fact);
    }

    /** Whether {@link #dataLoss()} keeps everything from starting on this instance until it is confirmed. */
    public boolean isHeldByDataLoss() {
        return parts.onDataLoss() == OnDataLoss.HOLD && dataLoss().isPresent();
    }

    /** How long running executions may rely on this instance's registry session, if nothing prolongs it. */
    public Duration leaseRemaining() {
        return current.get().map(EngineRun::leaseRemaining).orElse(Duration.ZERO);
    }

    /** What the items weigh together that are claimed or executed here, of all jobs. */
    public long capacityUsed() {
        return parts.capacity().used();
    }

    /** What they may weigh together; empty if there is no limit. */
    public OptionalInt capacityLimit() {
        return parts.capacity().limit();
    }

    /** The shared threads that are occupied. Items on executors of their jobs' own don't count. */
    public int threadsBusy() {
        return current.get().map(EngineRun::busyThreads).orElse(0);
    }

    /** The most shared threads that may be occupied at the same time. */
    public int threadsMax() {
        return parts.maxThreads();
    }

    /** How many tasks could run if a shared thread were free. */
    public int tasksWaiting() {
        return current.get().map(run -> run.poolState().tasks()).orElse(0);
    }

    /** How long the first of these tasks has waited for a thread until now; zero if none waits. */
    public Duration longestWait() {
        return current.get().map(run -> run.poolState().longestWait()).orElse(Duration.ZERO);
    }

    /** How many of the job's items this instance owns; 0 for an unknown job, and for one that is stopped here. */
    public int itemsOwned(String jobName) {
        return job(jobName)
                .filter(job -> job.state() != JobState.STOPPED)
                .flatMap(JobRuntime::ownership)
                .map(Ownership::items)
                .map(items -> items.size())
                .orElse(0);
    }

    /** How many of the job's items this instance has claimed and not ended: they execute, wait for a thread or a retry. */
    public int itemsRunning(String jobName) {
        return job(jobName).map(job -> job.runner().items().size()).orElse(0);
    }

    /**
     * How long the first of the job's items and listener calls that wait here has waited until now, for a thread or because
     * of the job's {@code concurrency}; zero if none waits.
     */
    public Duration longestWait(String jobName) {
        return job(jobName).map(JobRuntime::longestWait).orElse(Duration.ZERO);
    }

    /** Whether the demand of jobs is read here: {@link ElasticJobEngineBuilder#demandInterval}. */
    public boolean readsDemand() {
        return parts.demandInterval().isPresent();
    }

    /**
     * What the job has to do now, in the whole cluster, as it was read within the last {@linkplain
     * ElasticJobEngineBuilder#demandInterval interval}. Only the instance that leads the job has it, so that it is known once;
     * empty on the others, for a job that can't be read, and where the demand isn't read.
     */
    public Optional<JobDemand> demand(String jobName) {
        return job(jobName).filter(job -> job.coordination().isLeader()).flatMap(led -> demand.apply(jobName));
    }

    /**
     * For how long the job's oldest due work has waited, as {@link JobDemand#openFor} says it. Zero if no item is open; empty
     * if it isn't known of any, and as {@link #demand}.
     */
    public Optional<Duration> oldestOpen(String jobName) {
        return demand(jobName).flatMap(demand -> demand.openFor(dueNow()));
    }

    /** The time until the job's next item becomes due by itself; zero once it is. Empty if none does, and as {@link #demand}. */
    public Optional<Duration> untilNextDue(String jobName) {
        return demand(jobName)
                .flatMap(JobDemand::nextDue)
                .map(due -> Duration.between(dueNow(), due))
                .map(left -> left.isNegative() ? Duration.ZERO : left);
    }

    /** Whether {@code pauseAfterFailures} is what pauses the job, as this instance knows; false for an unknown job. */
    public boolean hasPausedItself(String jobName) {
        return job(jobName).filter(JobRuntime::hasPausedItself).isPresent();
    }

    /** Whether this instance has {@code ClusterJobListener}s for the job; false for an unknown job. */
    public boolean hasClusterListeners(String jobName) {
        return job(jobName).filter(JobRuntime::hasClusterListeners).isPresent();
    }

    /** The registry's time, as far as it is known; without a run, this machine's. */
    Instant registryNow() {
        return current.get().map(EngineRun::registryNow).orElseGet(parts.clock()::instant);
    }

    /** The time by which firings are due here; without a run, this machine's. */
    Instant dueNow() {
        return current.get().map(EngineRun::dueNow).orElseGet(parts.clock()::instant);
    }

    /** How far this machine's clock is ahead of the registry's, as far as that is known; negative if it is behind. */
    public Duration clockAhead() {
        return current.get().map(EngineRun::clockAhead).orElse(Duration.ZERO);
    }

    /** Whether this machine's clock and the registry's differ by more than a minute, as far as that is known. */
    public boolean clockDiffers() {
        return clockAhead().abs().compareTo(RegistryTime.AGREEING) > 0;
    }

    /** Reports an event to the listeners of the run; without one, there are none. */
    void tell(JobEvent event) {
        current.get().ifPresent(run -> run.tell(event));
    }

    private Optional<JobRuntime> job(String jobName) {
        return current.get().flatMap(run -> run.job(jobName));
    }
}
