package dev.elasticjob.admin;

import java.util.List;
import java.util.Optional;

/**
 * Some jobs of the namespace, ordered by name, without their items. Immutable.
 *
 * @param jobs at most {@link #SIZE}
 * @param names how many jobs of the namespace have a matching name
 * @param next the value for {@link Query#after} of the next page; empty on the last one
 */
public record JobPage(List<JobReport> jobs, int names, Optional<String> next) {
    /** The most jobs of one page, which are read in one request. */
    public static final int SIZE = 50;

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    /**
     * Selects jobs.
     *
     * @param name part of the name, in any case; empty for all
     * @param status of the jobs; empty for all. With a status, more jobs are read than the page shows, 50 at a time
     * @param after the name after which the page begins; empty for the first page
     */
    public record Query(String name, Optional<JobStatus> status, String after) {
        public static Query all() {
            return new Query("", Optional.empty(), "");
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
