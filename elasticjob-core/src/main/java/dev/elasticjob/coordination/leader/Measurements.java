package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Collection;

/**
 * When the leader of a job may move items for the sake of balance, if the job's strategy asks for durations. The rules are
 * those of "Measuring" in {@code docs/internals/protocol-placement.md}.
 *
 * <p>Confined to the coordination executor.
 */
final class Measurements {
    private static final Duration PERIOD = Duration.ofHours(1);
    /** In each balance, one item in so many may move. */
    private static final int ONE_IN = 20;

    private final JobScope scope;
    private final Runnable lookAgain;
    private TaskTimer.Cancellable timer = () -> {};
    private boolean measures;
    private boolean due;
    private boolean waits;

    /** @param lookAgain called when another round is due */
    Measurements(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /** @param needed whether the job's strategy needs durations */
    void follow(boolean needed) {
        if (needed && !measures) {
            measures = true;
            await();
        } else if (!needed && measures) {
            stop();
        }
    }

    private void await() {
        timer.cancel();
        timer = scope.connection().later(PERIOD, () -> {
            due = true;
            lookAgain.run();
        });
    }

    void stop() {
        timer.cancel();
        measures = false;
        due = false;
    }

    /** As long as an instance is awaited, nothing is balanced. */
    void waitsForSomebody(boolean now) {
        waits = now;
    }

    /** Whether it is time to balance. */
    boolean isDue() {
        return due && !waits;
    }

    /** It was done; the next time is a period later. */
    void balanced() {
        if (due) {
            due = false;
            await();
        }
    }

    /**
     * What the strategy is asked with.
     *
     * @param read all items of the job
     * @param balances whether items may move for the sake of balance
     */
    static Measured of(Collection<ItemView> read, int total, boolean balances) {
        return new Measured(ItemView.durations(read), balances ? Math.max(1, total / ONE_IN) : 0);
    }
}
