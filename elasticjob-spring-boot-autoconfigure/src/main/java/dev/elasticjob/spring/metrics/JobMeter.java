package dev.elasticjob.spring.metrics;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/** All meters, with their tags. {@code docs/metrics.md} is generated from this table. */
public enum JobMeter implements MeterDocumentation {
    EXECUTIONS(
            "elasticjob.executions",
            Meter.Type.TIMER,
            "Executions of items that ended on this instance, from their start to their end. An execution that is retried"
                    + " counts once, with the outcome of its last attempt, and includes the pauses.",
            Tag.JOB,
            Tag.OUTCOME,
            Tag.TRIGGER),
    EXECUTIONS_ACTIVE(
            "elasticjob.executions.active",
            Meter.Type.LONG_TASK_TIMER,
            "Executions of items that have started on this instance and not ended, and the time since their start.",
            Tag.JOB),
    HOOKS(
            "elasticjob.hooks",
            Meter.Type.TIMER,
            "Calls of the job's ClusterJobListeners that ended on this instance. Only for jobs with such listeners.",
            Tag.JOB,
            Tag.HOOK,
            Tag.OUTCOME),
    HOOKS_ACTIVE(
            "elasticjob.hooks.active",
            Meter.Type.LONG_TASK_TIMER,
            "Calls of the job's ClusterJobListeners that have started on this instance and not returned, and the time since"
                    + " their start. Only for jobs with such listeners.",
            Tag.JOB,
            Tag.HOOK),
    LATENESS(
            "elasticjob.firings.lateness",
            Meter.Type.TIMER,
            "Delay of scheduled executions: from the scheduled time to the start on a thread. Manual runs and failovers don't"
                    + " count.",
            Tag.JOB),
    ITEMS_OWNED("elasticjob.items.owned", Meter.Type.GAUGE, "Items that this instance owns.", Tag.JOB),
    ITEMS_RUNNING(
            "elasticjob.items.running",
            Meter.Type.GAUGE,
            "Items that this instance has claimed and not ended: they execute, or wait for a thread or a retry.",
            Tag.JOB),
    ITEMS_LONGEST_WAIT(
            "elasticjob.items.longest.wait",
            Meter.Type.GAUGE,
            "Time in seconds for which the first of the job's claimed items and listener calls has waited here until now, for a"
                    + " thread or because of the job's concurrency; 0 if none waits.",
            Tag.JOB),
    PAUSED(
            "elasticjob.jobs.paused",
            Meter.Type.GAUGE,
            "1 while the job is paused, by operators or by itself, or all jobs of the namespace are; otherwise 0.",
            Tag.JOB),
    PAUSED_ITSELF(
            "elasticjob.jobs.paused.after.failures",
            Meter.Type.GAUGE,
            "1 while the job's pause-after-failures is what pauses it; otherwise 0.",
            Tag.JOB),
    DISABLED(
            "elasticjob.jobs.disabled",
            Meter.Type.GAUGE,
            "1 while this instance runs no items of the job because its server is disabled for it; otherwise 0, also while the"
                    + " job is paused or there is no connection.",
            Tag.JOB),
    DEMAND_OPEN(
            "elasticjob.demand.open",
            Meter.Type.GAUGE,
            "Items of the job that would start if one more instance with room came: due, requested, or interrupted. Read each"
                    + " elasticjob.metrics.demand-interval by the instance that leads the job; NaN on the others. Only with"
                    + " this interval.",
            Tag.JOB),
    DEMAND_RUNNING(
            "elasticjob.demand.running",
            Meter.Type.GAUGE,
            "Items of the job that are claimed, in the whole cluster. Read like elasticjob.demand.open.",
            Tag.JOB),
    DEMAND_WEIGHT(
            "elasticjob.demand.weight",
            Meter.Type.GAUGE,
            "The weight of the job's open and running items: what instances need room for. Read like"
                    + " elasticjob.demand.open.",
            Tag.JOB),
    DEMAND_OPEN_AGE(
            "elasticjob.demand.open.age",
            Meter.Type.GAUGE,
            "Time in seconds for which the job's oldest due work has waited: since it came due, also while its item still ran"
                    + " what was before; with catchUp=EACH, since the oldest firing that will be made up for. 0 if no item"
                    + " is open, NaN if it isn't known. Read like elasticjob.demand.open.",
            Tag.JOB),
    DEMAND_NEXT_DUE(
            "elasticjob.demand.next.due",
            Meter.Type.GAUGE,
            "Time in seconds until the next item of the job becomes due by itself; NaN if none does. Read like"
                    + " elasticjob.demand.open.",
            Tag.JOB),
    FIRINGS_LOST(
            "elasticjob.firings.lost",
            Meter.Type.COUNTER,
            "Firings of items that did not run and will not be repeated. Counted by the instance that reports the loss.",
            Tag.JOB),
    FIRINGS_FOLDED(
            "elasticjob.firings.folded",
            Meter.Type.COUNTER,
            "Firings of items that did not run and that one later execution makes up for.",
            Tag.JOB),
    FIRINGS_SKIPPED(
            "elasticjob.firings.skipped",
            Meter.Type.COUNTER,
            "Firings of items that did not run because the item was executing, as overlap=SKIP says.",
            Tag.JOB),
    FIRINGS_OVERDUE(
            "elasticjob.firings.overdue",
            Meter.Type.COUNTER,
            "Firings that no item had begun within the job's expect-within. Counted by the leader, once for firings that follow"
                    + " each other.",
            Tag.JOB),
    ITEMS_STUCK(
            "elasticjob.items.stuck",
            Meter.Type.COUNTER,
            "Executions of items that took longer than the job's stuck-after. Counted once each, by the instance that reports"
                    + " it, while the execution goes on.",
            Tag.JOB),
    RUNS_DROPPED(
            "elasticjob.runs.dropped",
            Meter.Type.COUNTER,
            "Manual runs that an item did not take part in, because they were cancelled while they waited, or the item was"
                    + " disabled. Counted by the instance that reports it.",
            Tag.JOB),
    ITEMS_REFUSED(
            "elasticjob.items.refused",
            Meter.Type.COUNTER,
            "Items that failed a firing or a manual run without being started, because the job's ClusterJobListeners failed"
                    + " before the first item. Counted by the owner of the item. They are not among elasticjob.executions.",
            Tag.JOB),
    FAILOVERS(
            "elasticjob.failovers",
            Meter.Type.COUNTER,
            "Interrupted executions that this instance has started again, also those that another instance has handed over"
                    + " when it was stopped.",
            Tag.JOB),
    CRASHES(
            "elasticjob.crashes",
            Meter.Type.COUNTER,
            "Executions that were interrupted because their instance died or lost its session. What an instance hands over when"
                    + " it is stopped doesn't count. Counted by the instance that finds it.",
            Tag.JOB),
    RESHARDS(
            "elasticjob.reshards",
            Meter.Type.TIMER,
            "Assignments that this instance has put in force as the leader, and how long that took.",
            Tag.JOB),
    RESHARDS_MOVED(
            "elasticjob.reshards.moved",
            Meter.Type.COUNTER,
            "Items that had another owner, or their first one, after a reshard by this instance.",
            Tag.JOB),
    REPAIRS(
            "elasticjob.reconcile.repairs",
            Meter.Type.COUNTER,
            "Nodes in the registry that this instance, as the leader, found different from the plan and repaired.",
            Tag.JOB),
    REQUESTS(
            "elasticjob.registry.requests",
            Meter.Type.TIMER,
            "Requests of jobs to the registry. Jobs share requests, so there are fewer than one for each job.",
            Tag.KIND,
            Tag.REQUEST_OUTCOME),
    CONNECTED(
            "elasticjob.registry.connected",
            Meter.Type.GAUGE,
            "1 while this instance has a connection to the registry, otherwise 0. NaN while there is nothing to connect for: the"
                    + " instance runs no jobs, or is stopping."),
    DATA_LOST(
            "elasticjob.registry.data.lost",
            Meter.Type.GAUGE,
            "1 from the moment when this instance notices that ZooKeeper has lost its data, or has gone back to an older copy"
                    + " of it, until an operator confirms that; otherwise 0."),
    LEASE_REMAINING(
            "elasticjob.lease.remaining",
            Meter.Type.GAUGE,
            "Time in seconds for which running executions may rely on this instance's registry session, if nothing prolongs"
                    + " it. It is prolonged while an item runs; without one, 0 is normal."),
    CLOCK_AHEAD(
            "elasticjob.clock.ahead",
            Meter.Type.GAUGE,
            "Time in seconds by which this machine's clock is ahead of the registry's, as far as this is known; negative if it"
                    + " is behind. Below a minute, the way of the registry's answers counts as well."),
    THREADS_BUSY(
            "elasticjob.threads.busy",
            Meter.Type.GAUGE,
            "Shared threads that are occupied. Threads of dedicated executors don't count."),
    THREADS_MAX(
            "elasticjob.threads.max",
            Meter.Type.GAUGE,
            "The most shared threads that may be occupied at the same time: elasticjob.executor.max-threads."),
    CAPACITY_USED(
            "elasticjob.capacity.used",
            Meter.Type.GAUGE,
            "What the items weigh together that this instance has claimed or executes, over all its jobs."),
    CAPACITY_LIMIT(
            "elasticjob.capacity.limit",
            Meter.Type.GAUGE,
            "What they may weigh together: elasticjob.worker.capacity; 0 if there is no limit."),
    TASKS_WAITING(
            "elasticjob.threads.waiting",
            Meter.Type.GAUGE,
            "Items and listener calls that could run if a shared thread were free."),
    LONGEST_WAIT(
            "elasticjob.threads.longest.wait",
            Meter.Type.GAUGE,
            "Time in seconds for which the first of them has waited for a thread until now; 0 if none waits. The delay"
                    + " before start is counted only once an item begins; this grows while it waits."),
    EVENTS_DROPPED(
            "elasticjob.events.dropped",
            Meter.Type.COUNTER,
            "Events that were dropped because their consumer was too slow and its queue was full. Jobs are not affected.",
            Tag.CONSUMER),
    TRACE_WAITING(
            "elasticjob.trace.waiting",
            Meter.Type.GAUGE,
            "Events that wait to be written to the database of the event trace. Only with an event trace."),
    TRACE_DELAY(
            "elasticjob.trace.delay",
            Meter.Type.GAUGE,
            "Time in seconds for which the oldest of these events has waited; 0 if none waits. Only with an event trace."),
    TRACE_FAILURES(
            "elasticjob.trace.failures",
            Meter.Type.COUNTER,
            "Writes to the database of the event trace that failed. Each is repeated. Only with an event trace.");

    private final String meterName;
    private final Meter.Type type;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // Only copies of it are given out.
    private final KeyName[] tags;

    JobMeter(String meterName, Meter.Type type, String description, KeyName... tags) {
        this.meterName = meterName;
        this.type = type;
        this.description = description;
        this.tags = tags;
    }

    @Override
    public String getName() {
        return meterName;
    }

    @Override
    public Meter.Type getType() {
        return type;
    }

    public String description() {
        return description;
    }

    @Override
    public KeyName[] getKeyNames() {
        return tags.clone();
    }

    /** The tags of the meters. Each has few values, except the job's name. */
    public enum Tag implements KeyName {
        JOB("job", "the job's name"),
        OUTCOME("outcome", "`completed`, `failed`, `timeout`, `interrupted`, `cancelled`"),
        TRIGGER(
                "trigger",
                "`schedule`, `manual`, `failover`, `misfire`; `retry` if the execution was retried on this instance"),
        HOOK("hook", "`before` the first item of a firing, `after` its last one"),
        KIND("kind", "`read`, `commit`"),
        REQUEST_OUTCOME("outcome", "`success`, `refused`, `unavailable`, `error`"),
        CONSUMER(
                "consumer",
                "the consumer that was too slow: `spring` for listeners of application events, `trace` for the event trace");

        private final String key;
        private final String meaning;

        Tag(String key, String meaning) {
            this.key = key;
            this.meaning = meaning;
        }

        @Override
        public String asString() {
            return key;
        }

        /** The possible values, in Markdown. */
        public String meaning() {
            return meaning;
        }
    }
}
