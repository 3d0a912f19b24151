package dev.elasticjob.definition;

import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;

/**
 * Which jobs a job runs after.
 *
 * @param jobs the names of these jobs; none means that the job doesn't follow any. If there are several, the job runs
 *     when all of them have ended the firing of the same scheduled time
 * @param outcome how each of them has to end
 * @param window how long the job waits for the others, once the first of several has ended a firing
 */
public record AfterSettings(List<String> jobs, AfterOutcome outcome, Duration window) {
    /** Follows no job. */
    public static final AfterSettings NONE = of();

    public AfterSettings {
        jobs = List.copyOf(jobs);
    }

    /** Follows successful firings of these jobs, and waits a day for the last of them. */
    public static AfterSettings of(String... jobs) {
        return new AfterSettings(List.of(jobs), AfterOutcome.SUCCESS, Duration.ofHours(24));
    }

    @Override
    public String toString() {
        return "jobs=%s, outcome=%s, window=%s".formatted(jobs, outcome, DurationText.of(window));
    }
}
