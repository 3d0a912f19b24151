package dev.elasticjob.execution.pool;

import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.pool.PoolOccupancy.Holder;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.Failures;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that an engine's jobs share, and each job's {@link Bulkhead}. A free thread goes to the job that has
 * waited longest for one, so that a job with many or slow items can't starve others.
 *
 * <p>Thread-safe. The pool's monitor guards the pool and its bulkheads; no foreign code runs under it.
 */
public final class FairPool {
    private static final Logger log = LoggerFactory.getLogger(FairPool.class);
    /** The shared threads' name in the log. */
    private static final String SHARED = "shared threads";

    private final Executor workers;
    private final NamedObjects<Executor> executors;
    private final int maxThreads;
    /** Jobs with tasks that are ready for a shared thread; the first has waited longest. */
    private final Set<Bulkhead> turns = new LinkedHashSet<>();

    /** By the waiting job, so that each change asks a job once, however many requests it has. */
    private final Map<Bulkhead, List<Runnable>> waiters = new LinkedHashMap<>();

    /** The tasks that have a shared thread, and since when; the first has had its own for the longest time. */
    private final Map<Turn, Long> taken = new LinkedHashMap<>();

    private final TaskTimer timer;
    private final FailureLog failures;

    private int threads;
    /** The threads that are about to take a task. */
    private int idle;

    private long lastBegin;
    private boolean watched;
    private TaskTimer.@Nullable Cancellable nextLook;
    private boolean reported;

    /**
     * @param workers gives each task a thread at once
     * @param executors the executors on which jobs may run their items instead of the shared threads
     * @param maxThreads the number of workers that run items
     * @param timer wakes the pool to see whether its tasks begin, while some wait
     */
    public FairPool(Executor workers, NamedObjects<Executor> executors, int maxThreads, TaskTimer timer) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("\"maxThreads\" must be at least 1, but is " + maxThreads);
        }
        this.workers = workers;
        this.executors = executors;
        this.maxThreads = maxThreads;
        this.timer = timer;
        this.failures = new FailureLog(log, timer);
        this.lastBegin = timer.nanoTime();
    }

    public Bulkhead bulkhead(String job) {
        return new Bulkhead(job);
    }

    /** The number of workers that run a task. */
    public synchronized int busy() {
        return threads - idle;
    }

    /** A task that needs a thread. It is run once or rejected once, unless it is withdrawn before. */
    public interface Task {
        void run();

        /** There is no thread for the task; it won't run. */
        void refused(RejectedExecutionException reason);

        static Task of(Runnable run, Consumer<RejectedExecutionException> refused) {
            return new Task() {
                @Override
                public void run() {
                    run.run();
                }

                @Override
                public void refused(RejectedExecutionException reason) {
                    refused.accept(reason);
                }
            };
        }
    }

    /**
     * @param bounded whether the task counts towards the job's {@code concurrency}
     * @param asked when the job asked for a thread
     * @param since when it could have begun, had there been a thread
     */
    private record Turn(Bulkhead of, Task task, boolean bounded, long asked, long since) {
        Turn(Bulkhead of, Task task, boolean bounded, long asked) {
            this(of, task, bounded, asked, asked);
        }

        Turn readyAt(long now) {
            return new Turn(of, task, bounded, asked, now);
        }
    }

    /** An executor of the application. The engine never shuts it down. */
    private static final class OwnExecutor {
        private final String name;
        private final Executor executor;
        private boolean handing;

        OwnExecutor(String name, Executor executor) {
            this.name = name;
            this.executor = executor;
        }
    }

    /**
     * One job's access to its threads: the shared ones, or those of the executor that the job names. At most {@code
     * concurrency} of its items run at the same time. The others wait without taking the turns of other jobs.
     */
    public final class Bulkhead implements Capacity {
        private final String job;
        private final Deque<Turn> behindBound = new ArrayDeque<>();
        private final Deque<Turn> ready = new ArrayDeque<>();
        private String ownName = "";
        private @Nullable OwnExecutor own;
        private int bound;
        private int running;

        private Bulkhead(String job) {
            this.job = job;
        }

        /** Follows the definition's settings from now on. Called by one thread at a time. */
        public void follow(JobDefinition definition) {
            String name = definition.executorServiceHandler();
            OwnExecutor next = name.equals(ownName) ? own : find(name);
            ownName = name;
            change(() -> {
                bound = definition.concurrency();
                own = next;
            });
        }

        /** Settings are checked at startup, so an unknown name was set in the registry. */
        private @Nullable OwnExecutor find(String name) {
            Executor found = executors.find(name).orElse(null);
            if (found == null && !name.isEmpty()) {
                log.error(
                        "Job \"{}\": its settings in the registry name the executor \"{}\", which this instance doesn't"
                                + " have, so its items run on the shared threads. Available: {}",
                        job,
                        name,
                        executors.names());
            }
            return found == null ? null : new OwnExecutor(name, found);
        }

        /** Runs the task as soon as the bound and the threads allow. Never blocks the caller. */
        public void execute(Task task) {
            change(() -> behindBound.addLast(new Turn(this, task, true, timer.nanoTime())));
        }

        /** Runs a task that is not an item and doesn't count towards the bound. */
        public void executeBeside(Task task) {
            change(() -> ready.addLast(new Turn(this, task, false, timer.nanoTime())));
        }

        /** Withdraws a task that still waits here. */
        public void forget(Task task) {
            change(() -> {
                if (ready.removeIf(turn -> turn.bounded() && turn.task().equals(task))) {
                    running--;
                } else if (!behindBound.removeIf(turn -> turn.task().equals(task))) {
                    ready.removeIf(turn -> turn.task().equals(task));
                }
            });
        }

        @Override
        public int free() {
            synchronized (FairPool.this) {
                if (!behindBound.isEmpty() || (own != null && own.handing)) {
                    return 0;
                }
                int within = bound == 0 ? Integer.MAX_VALUE : Math.max(0, bound - running);
                return own == null ? Math.min(within, freeThreads()) : within;
            }
        }

        /** What keeps the next item of the job from a thread, in words; empty if nothing does that is known here. */
        public String takenBy() {
            synchronized (FairPool.this) {
                if (bound != 0 && running >= bound) {
                    return "its own items have as many as its concurrency of %d allows".formatted(bound);
                }
                if (own != null || freeThreads() > 0) {
                    return "";
                }
                return "all %d threads there are taken: %s"
                        .formatted(
                                maxThreads,
                                state().holders().stream().map(Holder::toString).collect(Collectors.joining("; ")));
            }
        }

        /**
         * How long the first of the job's tasks has waited until now, for a thread or for its turn among the job's own
         * items; zero if none waits.
         */
        public Duration longestWait() {
            synchronized (FairPool.this) {
                long now = timer.nanoTime();
                long first = Stream.concat(ready.stream(), behindBound.stream())
                        .mapToLong(Turn::asked)
                        .min()
                        .orElse(now);
                return Duration.ofNanos(now - first);
            }
        }

        @Override
        public void whenFree(Runnable once) {
            change(() -> waiters.computeIfAbsent(this, any -> new ArrayList<>()).add(once));
        }

        private void change(Runnable what) {
            synchronized (FairPool.this) {
                what.run();
                arrange();
            }
            proceed();
        }

        /** Makes the tasks ready that the bound allows. */
        private void arrange() {
            while (!behindBound.isEmpty() && (bound == 0 || running < bound)) {
                ready.addLast(behindBound.removeFirst().readyAt(timer.nanoTime()));
                running++;
            }
            if (own == null && !ready.isEmpty()) {
                turns.add(this);
            } else {
                turns.remove(this);
            }
        }

        private void proceed() {
            startHandingOver();
            startThreads();
            tellFree();
            watch();
        }

        private void ended(Turn turn) {
            running -= turn.bounded() ? 1 : 0;
            arrange();
        }

        private void refuse(Turn turn, RejectedExecutionException reason) {
            synchronized (FairPool.this) {
                ended(turn);
            }
            guarded(() -> turn.task().refused(reason));
        }

        // -------------------------------------------------------------- the job's own executor

        /**
         * The executor may block its caller, or run the task on its caller's thread. So one dedicated thread passes all
         * tasks on, and ends when none is left.
         */
        private void startHandingOver() {
            OwnExecutor to;
            synchronized (FairPool.this) {
                to = own;
                if (to == null || to.handing || ready.isEmpty()) {
                    return;
                }
                to.handing = true;
            }
            Throwable failure = start(workers, SHARED, () -> {
                eachReady(to, turn -> hand(turn, to));
                proceed();
            });
            if (failure != null) {
                var reason = rejected("No thread is available to call the executor \"" + to.name + "\"", failure);
                eachReady(to, turn -> refuse(turn, reason));
            }
        }

        private void eachReady(OwnExecutor to, Consumer<Turn> action) {
            for (Turn turn = next(to); turn != null; turn = next(to)) {
                action.accept(turn);
            }
        }

        private @Nullable Turn next(OwnExecutor to) {
            synchronized (FairPool.this) {
                to.handing = own == to && !ready.isEmpty();
                return to.handing ? ready.removeFirst() : null;
            }
        }

        private void hand(Turn turn, OwnExecutor to) {
            Throwable failure = start(to.executor, to.name, () -> {
                try {
                    turn.task().run();
                } finally {
                    change(() -> ended(turn));
                }
            });
            if (failure != null) {
                refuse(turn, rejected("The executor \"" + to.name + "\" rejected the task", failure));
            }
        }
    }

    // ------------------------------------------------------------------ the shared threads

    private void startThreads() {
        while (takesAnotherThread()) {
            Throwable failure = start(workers, SHARED, this::work);
            if (failure != null) {
                refuseOne(failure);
            }
        }
    }

    private void refuseOne(Throwable failure) {
        Turn last = lastWithoutThread();
        if (last != null) {
            String job = last.of().job;
            last.of().refuse(last, rejected("No thread is available for an item of job \"" + job + "\"", failure));
        }
    }

    private synchronized boolean takesAnotherThread() {
        boolean another = threads < maxThreads && lacksThread();
        if (another) {
            threads++;
            idle++;
        }
        return another;
    }

    private int freeThreads() {
        return threads == maxThreads || lacksThread() ? 0 : maxThreads - threads;
    }

    private boolean lacksThread() {
        int ready = 0;
        for (Bulkhead job : turns) {
            ready += job.ready.size();
        }
        return ready > idle;
    }

    /** Withdraws the newest task of the job whose turn is last, unless another thread is about to take it. */
    private synchronized @Nullable Turn lastWithoutThread() {
        threads--;
        idle--;
        if (!lacksThread()) {
            return null;
        }
        Bulkhead last = turns.stream().reduce((one, next) -> next).orElseThrow();
        Turn turn = last.ready.removeLast();
        last.arrange();
        return turn;
    }

    /** Runs one thread's work: a task, then the next one in turn. */
    private void work() {
        for (Turn turn = next(); turn != null; turn = next()) {
            guarded(turn.task()::run);
            synchronized (this) {
                idle++;
                taken.remove(turn);
                turn.of().ended(turn);
            }
            guarded(turn.of()::proceed);
        }
        tellFree();
    }

    /** A task of the job that has waited longest; the job goes to the end of the queue. */
    private synchronized @Nullable Turn next() {
        idle--;
        Iterator<Bulkhead> longest = turns.iterator();
        if (!longest.hasNext()) {
            threads--;
            return null;
        }
        Bulkhead job = longest.next();
        longest.remove();
        Turn turn = job.ready.removeFirst();
        lastBegin = timer.nanoTime();
        reported = false;
        taken.put(turn, lastBegin);
        job.arrange();
        return turn;
    }

    // ------------------------------------------------------------------ standing still

    /** Who has the threads now, and who waits for one. */
    public synchronized PoolOccupancy state() {
        long now = timer.nanoTime();
        Map<String, Holder> holders = new LinkedHashMap<>();
        taken.forEach((turn, since) -> holders.merge(
                turn.of().job,
                new Holder(turn.of().job, 1, Duration.ofNanos(now - since)),
                (first, next) -> new Holder(first.job(), first.threads() + 1, first.longest())));
        List<Turn> waiting = turns.stream().flatMap(job -> job.ready.stream()).toList();
        long first = waiting.stream().mapToLong(Turn::since).min().orElse(now);
        return new PoolOccupancy(
                List.copyOf(holders.values()),
                waiting.stream().map(turn -> turn.of().job).collect(Collectors.toCollection(TreeSet::new)),
                waiting.size(),
                Duration.ofNanos(now - first),
                Duration.ofNanos(now - lastBegin));
    }

    /** Looks again after a minute, as long as tasks wait and no thread is left for them. */
    private void watch() {
        boolean begins;
        TaskTimer.Cancellable ended = null;
        synchronized (this) {
            boolean waits = !turns.isEmpty() && threads == maxThreads;
            begins = waits && !watched;
            if (watched && !waits) {
                ended = nextLook;
                nextLook = null;
            }
            watched = waits;
        }
        if (ended != null) {
            ended.cancel();
        }
        if (begins) {
            lookLater();
        }
    }

    private void lookLater() {
        TaskTimer.Cancellable look = timer.after(PoolOccupancy.TOO_LONG, this::look);
        boolean inVain;
        synchronized (this) {
            inVain = !watched || nextLook != null;
            nextLook = inVain ? nextLook : look;
        }
        if (inVain) {
            look.cancel();
        }
    }

    private void look() {
        PoolOccupancy state = state();
        boolean report;
        synchronized (this) {
            watched = false;
            nextLook = null;
            report = state.standsStill() && !reported;
            reported |= report;
        }
        if (report) {
            log.warn(
                    "Nothing has begun on the shared threads for {}, because all of them are taken: {}. Meanwhile {} tasks"
                            + " of the jobs {} wait. Find out what the first ones wait for; limit their concurrency, or"
                            + " raise elasticjob.executor.max-threads",
                    DurationText.of(state.sinceBegin()),
                    state.holders().stream().map(Holder::toString).collect(Collectors.joining("; ")),
                    state.tasks(),
                    state.waiting());
        }
        watch();
    }

    private void tellFree() {
        List<Runnable> told = new ArrayList<>();
        synchronized (this) {
            waiters.entrySet()
                    .removeIf(cancellation -> cancellation.getKey().free() > 0 && told.addAll(cancellation.getValue()));
        }
        told.forEach(this::guarded);
    }

    /**
     * Submits the task to an executor, which runs it at most once.
     *
     * @return the reason why the task will never run, or null; an executor may also fail after it has started the task
     */
    private @Nullable Throwable start(Executor executor, String name, Runnable task) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    task.run();
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                return e;
            }
            failures.error("The executor \"%s\" failed after it had started a task".formatted(name), e);
        }
        return null;
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failures.error("A task failed; its thread continues with the next one", e);
        }
    }

    private static RejectedExecutionException rejected(String message, Throwable cause) {
        return new RejectedExecutionException(message, Failures.printable(cause));
    }
}
