package dev.elasticjob.admin;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Some jobs of the namespace, ordered by name, without their items. Immutable.
 *
 * @param jobs at most {@link #SIZE}
 * @param names how many jobs of the namespace have a matching name; with a status, how many of those that were read have both
 * @param next the value for {@link Query#after} of the next page; empty on the last one
 * @param swept with a status, how many jobs have been read, and how long ago
 */
public record JobPage(List<JobReport> jobs, int names, Optional<String> next, Optional<Swept.Progress> swept) {
    /** The most jobs of one page, which are read in one request. */
    public static final int SIZE = 50;

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    /**
     * Selects jobs.
     *
     * @param name part of the name, in any case; empty for all
     * @param status of the jobs; empty for all. With a status, the page shows what a sweep has read until now
     * @param after the name after which the page begins; empty for the first page
     */
    public record Query(String name, Optional<JobStatus> status, String after) {
        public static Query all() {
            return new Query("", Optional.empty(), "");
        }

        boolean matches(String jobName) {
            return jobName.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
        }

        public Query named(String part) {
            return new Query(part, status, after);
        }

        public Query withStatus(JobStatus only) {
            return new Query(name, Optional.of(only), after);
        }

        public Query after(String last) {
            return new Query(name, status, last);
        }
    }
}
