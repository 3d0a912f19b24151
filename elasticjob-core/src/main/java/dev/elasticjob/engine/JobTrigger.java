package dev.elasticjob.engine;

import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.state.FormerSchedule;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a job at its next due time. The job then reads from the registry what is due, so an extra wake-up is harmless.
 * Never waits longer than a minute, so that it notices when the clock is set, or differs from the registry's.
 *
 * <p>Confined to the coordination executor.
 */
final class JobTrigger {
    private static final Duration MAX_NAP = Duration.ofMinutes(1);
    /** An answer of the registry that is asked for again, while it says that the clocks differ. */
    private static final Duration OLD = Duration.ofSeconds(30);

    private final RegistryTime time;
    private final TaskTimer timer;
    private final Executor executor;
    private final Runnable fire;
    private final Runnable compare;
    private final Runnable atEachAwakening;
    private @Nullable Schedule schedule;
    private List<FormerSchedule> former = List.of();
    private @Nullable Armed armed;

    /**
     * All are called on the executor.
     *
     * @param fire called when the job is due
     * @param compare called about once a minute while the clocks differ, as far as is known
     * @param atEachAwakening called once a minute at least
     */
    JobTrigger(
            RegistryTime time,
            TaskTimer timer,
            Executor executor,
            Runnable fire,
            Runnable compare,
            Runnable atEachAwakening) {
        this.time = time;
        this.timer = timer;
        this.executor = executor;
        this.fire = fire;
        this.compare = compare;
        this.atEachAwakening = atEachAwakening;
    }

    /** @param owed former schedules under which firings are still owed: some may lie ahead, if the clock is behind */
    void follow(Schedule next, List<FormerSchedule> owed) {
        if (armed == null || !next.equals(schedule) || !owed.equals(former)) {
            schedule = next;
            former = owed;
            arm(time.due());
        }
    }

    void disarm() {
        if (armed != null) {
            armed.timer().cancel();
            armed = null;
        }
    }

    private void arm(Instant after) {
        disarm();
        if (schedule == null) {
            return;
        }
        Stream<Instant> ofFormer = former.stream().flatMap(owed -> owed.nextAfter(after).stream());
        Stream.concat(schedule.nextAfter(after).stream(), ofFormer)
                .min(Comparator.naturalOrder())
                .ifPresent(due -> {
                    Duration left = Duration.between(time.due(), due);
                    Duration nap = left.compareTo(MAX_NAP) > 0 ? MAX_NAP : left;
                    armed = new Armed(due, timer.after(nap, () -> executor.execute(this::awake)));
                });
    }

    /** A timer that was cancelled too late calls this too, so only the present timer counts. */
    private void awake() {
        Armed woken = armed;
        if (woken == null) {
            return;
        }
        Instant now = time.due();
        arm(now);
        if (!now.isBefore(woken.due())) {
            fire.run();
        }
        if (time.differs() && time.age().compareTo(OLD) >= 0) {
            compare.run();
        }
        atEachAwakening.run();
    }

    private record Armed(Instant due, TaskTimer.Cancellable timer) {}
}
