package dev.elasticjob.execution;

import dev.elasticjob.coordination.ClaimedItem;
import dev.elasticjob.coordination.Ending;
import dev.elasticjob.coordination.ItemState;
import dev.elasticjob.coordination.SessionLease;
import dev.elasticjob.job.JobEvent;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the claimed items of one job on the shared pool, and tells how each ended. An item begins only while its lease
 * holds; what is interrupted from here and gives up counts as interrupted, not as failed.
 *
 * <p>Called on the coordination executor, which also hears the ends; the user's code runs on the pool's threads.
 */
public final class ItemRunner {
    private static final Logger log = LoggerFactory.getLogger(ItemRunner.class);
    /** In bytes: a thousand records must fit into one answer of the registry. */
    private static final int SHOWN_FAILURE = 200;

    private final JobInvoker invoker;
    private final FairPool pool;
    private final SessionLease lease;
    private final Clock clock;
    private final Executor executor;
    private final Consumer<JobEvent> events;
    private final Map<ClaimedItem, Running> running = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    public ItemRunner(
            JobInvoker invoker,
            FairPool pool,
            SessionLease lease,
            Clock clock,
            Executor executor,
            Consumer<JobEvent> events) {
        this.invoker = invoker;
        this.pool = pool;
        this.lease = lease;
        this.clock = clock;
        this.executor = executor;
        this.events = events;
    }

    /** Runs each item; the end of each is told on the coordination executor once its thread has returned. */
    public void run(List<ClaimedItem> items, BiConsumer<ClaimedItem, Ending> ended) {
        Map<Integer, String> parameters = items.get(0).definition().itemParameters();
        for (ClaimedItem item : items) {
            Running execution = new Running(item, parameters.getOrDefault(item.item(), ""));
            running.put(item, execution);
            try {
                pool.execute(item.jobName(), () -> end(item, execution.run(), ended));
            } catch (RejectedExecutionException e) {
                log.error("Job \"{}\": item {} can't begin", item.jobName(), item.item(), e);
                end(item, new Ending.Unclaimed(), ended);
            }
        }
    }

    private void end(ClaimedItem item, Ending ending, BiConsumer<ClaimedItem, Ending> ended) {
        running.remove(item);
        executor.execute(() -> ended.accept(item, ending));
    }

    /** What has not begun never will; it is unclaimed when its turn comes. */
    public void beginNothingMore() {
        stopped = true;
    }

    /** Interrupts all executions. */
    public void interruptAll(String reason) {
        running.values().forEach(execution -> execution.interrupt(reason));
    }

    /** Interrupts the executions whose lease is over. */
    public void interruptWithoutLease() {
        running.values().stream()
                .filter(Running::isLeaseLost)
                .forEach(execution -> execution.interrupt("its registry session may be over"));
    }

    /** Lets the executions whose lease is over go on, and says so once for each. */
    public void goOnWithoutLease() {
        running.values().stream().filter(Running::isLeaseLost).forEach(Running::goOn);
    }

    /** One execution; its thread is guarded by its monitor, so that an interrupt never hits a thread that went on. */
    private final class Running {
        private final ClaimedItem item;
        private final ItemContext context;
        private @Nullable Thread thread;
        private boolean interrupted;
        private boolean goesOn;

        Running(ClaimedItem item, String parameter) {
            this.item = item;
            this.context = new ItemContext(item, parameter, this::isLeaseLost);
        }

        boolean isLeaseLost() {
            return item.token() != 0 && !lease.holds(item.sessionId());
        }

        Ending run() {
            if (!begins()) {
                return new Ending.Unclaimed();
            }
            Instant began = clock.instant();
            tell(new JobEvent.ItemStarted(
                    item.jobName(), item.instance(), item.item(), item.scheduledAt(), item.attempt()));
            Throwable failure = null;
            try {
                invoker.invoke(context);
            } catch (Throwable e) {
                failure = e;
            }
            boolean cutOff = returned();
            Ending ending = ending(began, failure, cutOff);
            tell(new JobEvent.ItemFinished(
                    item.jobName(),
                    item.instance(),
                    item.item(),
                    item.scheduledAt(),
                    item.attempt(),
                    Optional.ofNullable(failure)));
            return ending;
        }

        private Ending ending(Instant began, @Nullable Throwable failure, boolean cutOff) {
            Instant returned = clock.instant();
            if (failure == null) {
                return new Ending.Returned(ItemState.COMPLETED, began, returned, null);
            }
            if (cutOff) {
                log.warn("Job \"{}\": item {} was cut off: {}", item.jobName(), item.item(), failure.toString());
                return new Ending.Returned(ItemState.INTERRUPTED, began, returned, head(failure));
            }
            log.error(
                    "Job \"{}\": item {} (firing {}) failed", item.jobName(), item.item(), item.scheduledAt(), failure);
            return new Ending.Returned(ItemState.FAILED, began, returned, head(failure));
        }

        private synchronized boolean begins() {
            if (stopped || interrupted || isLeaseLost()) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        }

        /** Whether it was interrupted from here; the thread goes on to other work without a trace of it. */
        private synchronized boolean returned() {
            thread = null;
            boolean stray = Thread.interrupted();
            if (stray && !interrupted) {
                log.debug("Job \"{}\": item {} left its thread interrupted", item.jobName(), item.item());
            }
            return interrupted;
        }

        synchronized void interrupt(String reason) {
            if (!interrupted) {
                interrupted = true;
                if (thread != null) {
                    log.warn("Job \"{}\": item {} is interrupted: {}", item.jobName(), item.item(), reason);
                    thread.interrupt();
                }
            }
        }

        synchronized void goOn() {
            if (!goesOn && thread != null) {
                goesOn = true;
                log.warn(
                        "Job \"{}\": item {} goes on though its registry session may be over; another instance may run it"
                                + " too",
                        item.jobName(),
                        item.item());
            }
        }
    }

    private void tell(JobEvent event) {
        executor.execute(() -> events.accept(event));
    }

    private static String head(Throwable failure) {
        String text = failure.toString();
        int end = Math.min(text.length(), SHOWN_FAILURE);
        while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > SHOWN_FAILURE) {
            end--;
        }
        return end == text.length() ? text : text.substring(0, end) + "…";
    }
}
