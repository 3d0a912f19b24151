package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.TestLease;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.execution.pool.NamedObjects;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A runner of one job whose threads begin, and whose time passes, when a test says so. */
public final class OneRunner {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    /** After so long, a lease is over; a first one lasts a part of that. */
    static final Duration LEASE = Duration.ofHours(10);

    private static final long SESSION = 7;

    final ManualTime time = new ManualTime(NOON);
    final SessionLease lease = TestLease.held(time, SESSION, LEASE);
    public final Deque<Runnable> threads = new ArrayDeque<>();
    final List<JobEvent> events = new ArrayList<>();
    final Heard heard = new Heard();
    public final Map<Integer, ExecutionResult> endings = heard.endings;
    /** What the job's error handler, "heard", has heard. */
    public final List<Throwable> failures = new ArrayList<>();

    /** What the error handler does beside it. */
    public Runnable onFailure = () -> {};

    /** What receives the events, besides {@link #events}. */
    public Consumer<JobEvent> onEvent = event -> {};

    /** What surrounds executions. */
    ExecutionObserver observer = ExecutionObserver.NONE;

    public final FairPool.Bulkhead bulkhead;
    public final ItemRunner runner;

    public OneRunner(JobInvoker job, ElasticJobListener... listeners) {
        this(job, Map.of(), listeners);
    }

    public OneRunner(JobInvoker job, Map<String, Executor> executors, ElasticJobListener... listeners) {
        this.bulkhead = new FairPool(
                        threads::add,
                        NamedObjects.<Executor>by("executorServiceHandler").with(executors),
                        8,
                        time)
                .bulkhead("orders");
        JobErrorHandler heard = (name, cause) -> {
            failures.add(cause);
            onFailure.run();
        };
        JobErrors errors = new JobErrors(JobErrors.builtIn().with(Map.of("heard", heard)), time);
        this.runner = new ItemRunner(
                new RunScope(
                        job,
                        bulkhead,
                        errors,
                        List.of(listeners),
                        List.of(),
                        items -> observer.begins(items),
                        lease,
                        time,
                        time,
                        Runnable::run,
                        threads::add,
                        new FirstExecutions(),
                        this::tell),
                item -> false,
                this.heard);
    }

    private void tell(JobEvent event) {
        events.add(event);
        onEvent.accept(event);
    }

    public static JobDefinition.Builder job() {
        return JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .shardingTotalCount(10)
                .jobExceptionHandler("heard");
    }

    /** Claims so many items, and hands them to the runner. */
    public OneRunner claim(JobDefinition.Builder definition, int items) {
        JobDefinition built = definition.build();
        runner.run(
                IntStream.range(0, items).mapToObj(item -> claimed(built, item)).toList());
        return this;
    }

    /** Runs what has a thread by now, each to its end. */
    public OneRunner runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        return this;
    }

    public OneRunner pass(Duration duration) {
        time.advance(duration);
        return runAll();
    }

    public ItemState state(int item) {
        return ended(item).state();
    }

    String failure(int item) {
        return String.valueOf(ended(item).failure());
    }

    private ExecutionResult.Returned ended(int item) {
        if (endings.get(item) instanceof ExecutionResult.Returned returned) {
            return returned;
        }
        throw new AssertionError("Item " + item + " has not returned: " + endings);
    }

    <E extends JobEvent> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static ClaimedItem claimed(JobDefinition definition, int item) {
        ItemRecord running = new ItemRecord(NOON, ItemState.RUNNING, "a@-@1", null, 1, 0, NOON, null, null, Map.of());
        return new ClaimedItem(
                item,
                7,
                10,
                definition,
                NOON,
                "a@-@1",
                42,
                SESSION,
                running,
                4,
                ItemRecord.NEW,
                Optional.empty(),
                ExecutionTrigger.SCHEDULE,
                Optional.empty(),
                "",
                0,
                false,
                Room.NONE);
    }
}
