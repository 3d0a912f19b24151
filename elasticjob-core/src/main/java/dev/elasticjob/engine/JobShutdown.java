package dev.elasticjob.engine;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.job.Failures;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts jobs down on this instance: nothing more is claimed, running items may end until the shutdown timeout, the
 * others are interrupted, and then the instance leaves the jobs. Used to stop an engine, and to unregister a job.
 *
 * <p>Confined to the coordination executor, except {@link #participants()} and {@link #concerns}.
 */
final class JobShutdown {
    /** What an engine takes part in, a job or a group: how it leaves it in good order. On the coordination executor. */
    interface Participant {
        /** Unique within the engine; may be called by any thread. */
        String name();

        /**
         * Begins nothing more, and hands over what doesn't run, unless that is to wait for this process to come back.
         *
         * @return completes when the application's code has returned, and the registry shows it
         */
        CompletionStage<Void> drain(Departure departure);

        /** Completes when none of the application's code runs here any more, nor will. */
        CompletionStage<Void> returned();

        /** @param reason for the log */
        void interruptAll(String reason);

        /**
         * Completes when it has left, or could not, if that is with the end of the process; then the end of the session has the
         * same effect.
         */
        CompletionStage<Void> leave(Departure departure);
    }

    /** Why an engine leaves. */
    enum Departure {
        /** The process ends, and may come back. */
        WITH_THE_PROCESS,
        /** The process goes on with other things. */
        FOR_GOOD
    }

    private static final Logger log = LoggerFactory.getLogger(JobShutdown.class);

    /** The time in which an interrupted execution has to return. */
    private static final Duration CUT_OFF = Duration.ofSeconds(1);
    /** The time in which the registry has to answer, so that results are written and the instance leaves. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final List<Participant> participants;
    private final EngineParts parts;
    private final String reason;
    private final Departure departure;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final CompletableFuture<Void> enough = new CompletableFuture<>();
    /** Completes when it is time to leave all jobs. */
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();

    private TaskTimer.@Nullable Cancellable patience;

    /**
     * @param reason logged with each interruption
     */
    JobShutdown(Collection<? extends Participant> participants, EngineParts parts, String reason, Departure departure) {
        this.participants = List.copyOf(participants);
        this.parts = parts;
        this.reason = reason;
        this.departure = departure;
    }

    List<Participant> participants() {
        return participants;
    }

    boolean concerns(String name) {
        return participants.stream().anyMatch(job -> job.name().equals(name));
    }

    void begin() {
        TaskTimer.Cancellable deadline = parts.timer().after(parts.shutdownTimeout(), this::cutOff);
        Map<Participant, CompletableFuture<Void>> drained = new LinkedHashMap<>();
        participants.forEach(job -> drained.put(job, drained(job).toCompletableFuture()));
        Stages.all(drained.values()).whenComplete((done, error) -> {
            idle.complete(null);
            quiet.complete(null);
        });
        Stages.all(participants.stream().map(job -> job.returned()).toList())
                .whenCompleteAsync((done, error) -> awaitRegistry(), parts.coordination());
        quiet.whenCompleteAsync(
                (done, error) -> {
                    deadline.cancel();
                    awaitRegistry();
                },
                parts.coordination());
        leaveEachAfter(drained);
    }

    /**
     * A failure must not prevent the instance from leaving the job, because the caller that stops the engine waits for
     * that.
     */
    private CompletionStage<Void> drained(Participant job) {
        try {
            return job.drain(departure);
        } catch (Throwable e) {
            log.error(
                    "\"{}\": draining failed (see the cause); this instance leaves as soon as nothing of it runs here",
                    job.name(),
                    Failures.printable(e));
            return job.returned();
        }
    }

    /** Interrupts running executions, and gives them a moment to return. */
    private void cutOff() {
        parts.coordination().execute(() -> {
            if (!quiet.isDone()) {
                participants.forEach(job -> job.interruptAll(reason));
            }
        });
        parts.timer().after(CUT_OFF, () -> quiet.complete(null));
    }

    /** No execution is left. From now on, the registry has a limited time to answer. */
    private void awaitRegistry() {
        if (patience == null && !enough.isDone()) {
            patience = parts.timer()
                    .after(
                            PATIENCE,
                            () -> parts.coordination().execute(() -> {
                                quiet.complete(null);
                                enough.complete(null);
                            }));
        }
    }

    /**
     * A job's items become available to other instances as soon as none of them runs here, whatever the other jobs
     * still do.
     */
    private void leaveEachAfter(Map<Participant, CompletableFuture<Void>> drained) {
        List<CompletionStage<Void>> leavings = new ArrayList<>();
        drained.forEach((job, done) -> leavings.add(CompletableFuture.anyOf(done, quiet)
                .handle((any, error) -> job)
                .thenComposeAsync(idle -> idle.leave(departure), parts.coordination())));
        Stages.all(leavings)
                .whenCompleteAsync(
                        (done, error) -> {
                            if (patience != null) {
                                patience.cancel();
                            }
                            left.complete(null);
                            enough.complete(null);
                        },
                        parts.coordination());
    }

    /** Completes when every thread has returned and its end is written; never, if one never returns. */
    CompletionStage<Void> idle() {
        return idle;
    }

    /** Completes when the registry shows no trace of this instance any more, or its session is over. Never fails. */
    CompletionStage<Void> left() {
        return left;
    }

    /** Completes when the instance has left the jobs, or the time to wait for it is up. Never fails. */
    CompletionStage<Void> enough() {
        return enough.copy();
    }
}
