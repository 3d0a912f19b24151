package dev.elasticjob.coordination.group;

import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index that this instance holds, and the calls of the application's code that begin and end the work on it: one after
 * the other, each on a thread of its own.
 *
 * <p>Confined to the coordination executor, which it never blocks.
 */
final class IndexHolder {
    private static final Logger log = LoggerFactory.getLogger(IndexHolder.class);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);
    private static final int FRAMES = 5;

    private final GroupScope scope;
    private final ShardingNotice notice;
    private final Supplier<String> instance;
    private final Runnable lookAgain;
    private final FailureLog failures;
    private State state = State.IDLE;
    private @Nullable Held held;
    private @Nullable NoticeCall begin;
    private @Nullable NoticeCall end;

    /** How far an instance is with its index, and what may follow. */
    enum State {
        /** It holds none, and none of its calls is under way. */
        IDLE,
        /** It holds one, and is about to be told, or has been told. */
        HELD,
        /** It is told to stop, and has not returned. */
        STOPPING,
        /** No call is under way; the index is to be given back. */
        RETURNED;

        Set<State> successors() {
            return switch (this) {
                case IDLE -> EnumSet.of(HELD, RETURNED);
                case HELD -> EnumSet.of(STOPPING, RETURNED);
                case STOPPING -> EnumSet.of(RETURNED);
                case RETURNED -> EnumSet.of(IDLE);
            };
        }
    }

    /**
     * An index.
     *
     * @param version of the node that decides: with another one, the assignment is over
     * @param session whose lock it is
     */
    record Held(ShardAssignment assignment, int version, long session) {}

    /** @param lookAgain called when a call has returned */
    IndexHolder(GroupScope scope, ShardingNotice notice, Supplier<String> instance, Runnable lookAgain) {
        this.scope = scope;
        this.notice = notice;
        this.instance = instance;
        this.lookAgain = lookAgain;
        this.failures = new FailureLog(log, scope.connection()::nanoTime);
    }

    State state() {
        return state;
    }

    /** Whether none of the application's code runs here, or is about to. */
    boolean isIdle() {
        return state == State.IDLE || state == State.RETURNED;
    }

    Optional<Held> held() {
        return Optional.ofNullable(held);
    }

    private void become(State next) {
        if (!state.successors().contains(next)) {
            throw new IllegalStateException("Group \"%s\" can't go from %s to %s".formatted(scope.name(), state, next));
        }
        state = next;
    }

    // ------------------------------------------------------------------ the begin

    /** The lock is ours: the work may begin, if the lease holds. */
    void begin(Held taken) {
        become(State.HELD);
        held = taken;
        end = null;
        ShardAssignment share = taken.assignment();
        log.info(
                "Group \"{}\": this instance, \"{}\", has index {} of {} at epoch {}",
                scope.name(),
                instance.get(),
                share.index(),
                share.total(),
                share.epoch());
        var call = new NoticeCall(
                () -> notice.shardingCompleted(share), () -> scope.lease().holds(taken.session()));
        begin = call;
        scope.events().accept(new GroupEvent.IndexAssigned(scope.tree().group(), instance.get(), share));
        call.on(scope.workers()).thenAcceptAsync(result -> begun(call, result), scope.executor());
    }

    /** The lock is ours, but the work is not to begin. */
    void takeWithoutBeginning() {
        become(State.RETURNED);
    }

    private void begun(NoticeCall call, NoticeCall.Result result) {
        result.failure().ifPresent(failure -> report("shardingCompleted", failure));
        if (call != begin) {
            return;
        }
        if (state == State.HELD && !result.begun()) {
            become(State.RETURNED);
            lookAgain.run();
        } else if (state == State.STOPPING) {
            callToStop();
        }
    }

    // ------------------------------------------------------------------ the end

    /**
     * Tells the application to stop, unless it has been told.
     *
     * @param reason for the log
     */
    void stop(String reason) {
        NoticeCall call = begin;
        if (state != State.HELD || call == null) {
            return;
        }
        log.info("Group \"{}\": stopping the work on this instance's index, because {}", scope.name(), reason);
        if (call.cancel()) {
            become(State.RETURNED);
            lookAgain.run();
            return;
        }
        become(State.STOPPING);
        if (call.isOver()) {
            callToStop();
        }
        scope.connection().later(scope.times().stopTimeout(), () -> reportDelay(call));
    }

    private void callToStop() {
        if (end != null) {
            return;
        }
        var call = new NoticeCall(notice::startSharding, () -> true);
        end = call;
        call.on(scope.workers()).thenAcceptAsync(result -> ended(call, result), scope.executor());
    }

    private void ended(NoticeCall call, NoticeCall.Result result) {
        result.failure().ifPresent(failure -> report("startSharding", failure));
        if (call != end || state != State.STOPPING) {
            return;
        }
        if (!result.begun()) {
            end = null;
            scope.connection().later(BEFORE_NEXT_TRY, this::callToStop);
            return;
        }
        become(State.RETURNED);
        held().ifPresent(over -> scope.events()
                .accept(new GroupEvent.IndexReleased(scope.tree().group(), instance.get(), over.assignment())));
        lookAgain.run();
    }

    private void reportDelay(NoticeCall stopped) {
        if (state != State.STOPPING || stopped != begin) {
            return;
        }
        NoticeCall late = end == null ? stopped : end;
        log.warn(
                "Group \"{}\": expected \"{}\" to return within {}, but it is still running, so the next assignment is"
                        + " late. Make it return sooner. It is at {}",
                scope.name(),
                end == null ? "shardingCompleted" : "startSharding",
                DurationText.of(scope.times().stopTimeout()),
                Arrays.stream(late.where()).limit(FRAMES).map(String::valueOf).collect(Collectors.joining(", ")));
    }

    private void report(String call, Throwable failure) {
        failures.error(
                "Group \"%s\": \"%s\" failed; this counts as returned, and this instance keeps its place in the group"
                        .formatted(scope.name(), call),
                failure);
        scope.events().accept(new GroupEvent.NoticeFailed(scope.tree().group(), instance.get(), call, failure));
    }

    /** The lock is deleted, or its session is over. */
    void released() {
        become(State.IDLE);
        held = null;
        begin = null;
        end = null;
    }

    /** Tells the application to stop if the lease is over; one that is still beginning is interrupted. */
    void stopWithoutLease() {
        Held present = held;
        if (present == null || isIdle() || scope.lease().holds(present.session())) {
            return;
        }
        stop("its registry session may have expired");
        if (end == null && begin != null) {
            begin.interrupt();
        }
    }

    /** Interrupts the application's code. */
    void interrupt() {
        NoticeCall.interruptIfThere(begin);
        NoticeCall.interruptIfThere(end);
    }
}
