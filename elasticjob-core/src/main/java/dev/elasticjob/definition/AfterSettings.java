package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    /** One transaction reads and checks a node of each. */
    private static final int MAX_PARENTS = 16;

    public AfterSettings {
        jobs = List.copyOf(jobs);
    }

    /** Follows successful firings of these jobs, and waits a day for the last of them. */
    public static AfterSettings of(String... jobs) {
        return new AfterSettings(List.of(jobs), AfterOutcome.SUCCESS, Duration.ofHours(24));
    }

    static AfterSettings read(SettingSource source) {
        AfterSettings other = source.base().map(JobDefinition::after).orElse(NONE);
        return new AfterSettings(
                source.names("after.jobs").orElse(other.jobs),
                source.choice("after.outcome", AfterOutcome.class).orElse(other.outcome),
                source.duration("after.window").orElse(other.window));
    }

    /** Of the names, without what depends on the job that runs after these. */
    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        if (jobs.size() > MAX_PARENTS) {
            String expected = "a job can run after at most %d others".formatted(MAX_PARENTS);
            found.add(new Violation("after", jobs.size() + " jobs", expected));
        }
        if (Set.copyOf(jobs).size() < jobs.size()) {
            found.add(new Violation("after", jobs.toString(), "expected each job once; remove the repeated names"));
        }
        for (String job : jobs) {
            if (DefinitionCheck.nameFault(job).isPresent()) {
                String expected = "no job can have this name; expected the name of another job";
                found.add(new Violation("after", job, expected));
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return "jobs=%s, outcome=%s, window=%s".formatted(jobs, outcome, WrittenDuration.of(window));
    }
}
