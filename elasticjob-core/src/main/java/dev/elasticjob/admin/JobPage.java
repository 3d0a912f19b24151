package dev.elasticjob.admin;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Some jobs of the namespace, without their items. Immutable.
 *
 * @param jobs at most {@link #SIZE}, in the order that was asked for
 * @param names how many jobs match; of a query that is {@linkplain Query#isSwept() answered from a sweep}, how many of those
 *     that were read
 * @param next the value for {@link Query#after} of the next page; empty on the last one
 * @param swept of a query that is answered from a sweep, how many jobs have been read, and how long ago
 */
public record JobPage(List<JobReport> jobs, int names, Optional<String> next, Optional<Swept.Progress> swept) {
    /** The most jobs of one page, which are read in one request. */
    public static final int SIZE = 50;

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    /** By what jobs are ordered; jobs that are equal in it, by name. */
    public enum Sort {
        /** The name. */
        NAME,
        /** The {@link JobCondition}: the worst first, of one condition the longest lasting first. */
        CONDITION,
        /** When the last execution ended: the earliest first. Jobs that run, and those that have not ended one, are last. */
        ENDED,
        /** The next firing: the soonest first. Jobs without one are last. */
        NEXT_FIRING,
        /** The number of items: the smallest first. */
        ITEMS,
        /** The number of instances: the smallest first. */
        INSTANCES
    }

    /**
     * Selects jobs.
     *
     * @param name part of the name, in any case; empty for all
     * @param status of the jobs; empty for all
     * @param condition of the jobs; empty for all
     * @param sort their order
     * @param descending whether that order is reversed; what is last because it is absent is last also then
     * @param after where the page begins: {@link JobPage#next} of the page before; empty for the first page
     */
    public record Query(
            String name,
            Optional<JobStatus> status,
            Optional<JobCondition> condition,
            Sort sort,
            boolean descending,
            String after) {
        public static Query all() {
            return new Query("", Optional.empty(), Optional.empty(), Sort.NAME, false, "");
        }

        /** Only a sweep over all jobs knows the answer, unless names are all that is asked for. */
        public boolean isSwept() {
            return status.isPresent() || condition.isPresent() || sort != Sort.NAME || descending;
        }

        boolean matches(String jobName) {
            return jobName.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
        }

        boolean matches(Attention.Checked checked) {
            return matches(checked.job().name())
                    && status.filter(only -> checked.job().status() != only).isEmpty()
                    && condition
                            .filter(only -> JobCondition.of(checked) != only)
                            .isEmpty();
        }

        public Query named(String part) {
            return new Query(part, status, condition, sort, descending, after);
        }

        public Query withStatus(JobStatus only) {
            return new Query(name, Optional.of(only), condition, sort, descending, after);
        }

        public Query withCondition(JobCondition only) {
            return new Query(name, status, Optional.of(only), sort, descending, after);
        }

        public Query sorted(Sort by, boolean reversed) {
            return new Query(name, status, condition, by, reversed, after);
        }

        public Query after(String last) {
            return new Query(name, status, condition, sort, descending, last);
        }
    }

    /**
     * The names of all jobs that a query selects, whatever its page.
     *
     * @param swept as in {@link JobPage}
     */
    public record Names(NavigableSet<String> names, Optional<Swept.Progress> swept) {
        public Names {
            names = Collections.unmodifiableNavigableSet(new TreeSet<>(names));
        }
    }
}
