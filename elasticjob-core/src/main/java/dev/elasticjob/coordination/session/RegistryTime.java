package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The registry's clock, which all instances share: the time of the newest answer to a commit of ours, at no cost, plus
 * the time measured since by the monotonic clock, so changes of the local clock have no effect. It also says by which time
 * firings are due here, if the local clock is wrong. Confined to the coordination executor, except the questions, which any
 * thread may ask.
 */
public final class RegistryTime {
    private static final Duration NEVER = Duration.ofDays(365);

    /** Clocks that differ by less agree: the answer to a commit may have been on its way for that long. */
    public static final Duration AGREEING = Duration.ofMinutes(1);

    /** How long a registry's clock that is ahead from the start has to be as steady as the monotonic clock. */
    private static final Duration STEADY = Duration.ofMinutes(2);

    private final Clock clock;
    private final TaskTimer timer;
    private final List<Runnable> setBack = new ArrayList<>();
    private volatile @Nullable Observed last;
    private Comparison compared = Comparison.AGREE;
    private Optional<Differences> differences = Optional.empty();

    public RegistryTime(Clock clock, TaskTimer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /** @param told whenever the clocks begin to differ, and when they agree again */
    public void onDifference(Differences told) {
        differences = Optional.of(told);
    }

    /**
     * The registry's present time, as far as it is known: behind by at most the way of a commit's answer. It is ahead only
     * if the registry's own clock was ahead, and was set since.
     */
    public Instant now() {
        Observed known = last;
        return known == null ? clock.instant() : known.time(timer.nanoTime());
    }

    /**
     * The time by which firings are due: the local clock's, as long as it agrees with the registry's, and otherwise the
     * registry's. If the registry's clock was seen to jump ahead, the time before the jump goes on until the clocks agree. If
     * it is ahead from the start, it counts once it has been steady for a while. So nothing runs before its time because
     * the registry's clock is wrong for a moment.
     */
    public Instant due() {
        Instant here = clock.instant();
        Observed known = last;
        if (known == null) {
            return here;
        }
        long nanos = timer.nanoTime();
        Instant registry = known.timeWithoutJump(nanos);
        boolean unproven = registry.isAfter(here) && !known.isSteady();
        return agree(here, registry) || unproven ? here : registry;
    }

    /** This machine's time. */
    public Instant here() {
        return clock.instant();
    }

    /** Whether the registry's clock has jumped ahead since it last agreed with the local one. */
    public boolean registryHasJumped() {
        Observed known = last;
        return known != null && known.hasJumpedAhead();
    }

    /** How far the local clock is ahead of the registry's; negative if it is behind. */
    public Duration ahead() {
        return Duration.between(now(), clock.instant());
    }

    /** Whether the local clock and the registry's differ, as far as the registry's is known. */
    public boolean differs() {
        return ahead().abs().compareTo(AGREEING) > 0;
    }

    /** How long ago the registry said so; the longest time if it never has. */
    public Duration age() {
        Observed known = last;
        return known == null ? NEVER : Duration.ofNanos(timer.nanoTime() - known.at());
    }

    /** Tells, on the coordination executor, that the registry's clock is behind what it has said before. */
    public Subscription onSetBack(Runnable listener) {
        setBack.add(listener);
        return () -> setBack.remove(listener);
    }

    void observe(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            committed.time().ifPresent(this::observe);
        }
    }

    /** A time that the registry's clock has passed: better than none before a commit has returned its time. */
    public void observePast(Instant registryTime) {
        if (last == null) {
            last = new Observed(registryTime, timer.nanoTime(), Duration.ZERO, OptionalLong.empty());
        }
    }

    private void observe(Instant registryTime) {
        Observed before = last;
        boolean wasAhead = before != null && new RegistryMoment(registryTime).isAhead(now());
        long at = timer.nanoTime();
        Duration jumps = before == null || agree(clock.instant(), registryTime)
                ? Duration.ZERO
                : before.jumpsUntil(registryTime, at);
        last = new Observed(registryTime, at, jumps, OptionalLong.of(steadySince(before, registryTime, at)));
        compare(registryTime);
        if (wasAhead) {
            List.copyOf(setBack).forEach(Runnable::run);
        }
    }

    private static long steadySince(@Nullable Observed before, Instant registryTime, long at) {
        return before != null && (before.isSteady() || agree(before.time(at), registryTime))
                ? before.since().orElse(at)
                : at;
    }

    /** One answer may have been on its way for long, or found this process standing still. */
    private void compare(Instant registryTime) {
        boolean agree = agree(clock.instant(), registryTime);
        Comparison before = compared;
        compared = agree ? Comparison.AGREE : before.afterADifference();
        if (compared == Comparison.DIFFER && before != Comparison.DIFFER) {
            differences.ifPresent(Differences::begin);
        } else if (agree && before == Comparison.DIFFER) {
            differences.ifPresent(Differences::end);
        }
    }

    private static boolean agree(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(AGREEING) <= 0;
    }

    private enum Comparison {
        AGREE,
        DIFFERED_ONCE,
        DIFFER;

        Comparison afterADifference() {
            return this == AGREE ? DIFFERED_ONCE : DIFFER;
        }
    }

    /** Receives changes, on the coordination executor. */
    public interface Differences {
        /** The clocks differ from now on. */
        void begin();

        /** The clocks agree again. */
        void end();
    }

    /**
     * @param jumps by how much the registry's clock has moved against the monotonic one, since it agreed with the local one
     * @param since the first answer with which the following ones agree; empty before there is one, as a time that was not the present one says nothing
     */
    private record Observed(Instant time, long at, Duration jumps, OptionalLong since) {
        Instant time(long nanoTime) {
            return time.plusNanos(nanoTime - at);
        }

        Instant timeWithoutJump(long nanoTime) {
            return hasJumpedAhead() ? time(nanoTime).minus(jumps) : time(nanoTime);
        }

        /** Whether answers over some time agree with the monotonic clock. What was said once proves nothing, however long ago. */
        boolean isSteady() {
            return since.isPresent() && at - since.getAsLong() >= STEADY.toNanos();
        }

        boolean hasJumpedAhead() {
            return jumps.compareTo(AGREEING) > 0;
        }

        Duration jumpsUntil(Instant observed, long nanoTime) {
            Instant expected = time(nanoTime);
            return since.isEmpty() || agree(expected, observed)
                    ? jumps
                    : jumps.plus(Duration.between(expected, observed));
        }
    }
}
