package dev.elasticjob.admin;

import dev.elasticjob.admin.JobReport.DrainedBy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One server in all jobs of the namespace. Immutable.
 *
 * @param server its address
 * @param instances those on it, by id
 * @param jobs those that name the server, by name
 */
public record ServerReport(String server, List<InstanceOnServer> instances, List<JobOnServer> jobs) {
    public ServerReport {
        instances = List.copyOf(instances);
        jobs = List.copyOf(jobs);
    }

    /** How many jobs are disabled on it. */
    public int disabledJobs() {
        return (int) jobs.stream().filter(JobOnServer::disabled).count();
    }

    /** How many jobs have no instance on it: entries of the past, unless the server is only down. */
    public int deadJobs() {
        return (int) jobs.stream().filter(JobOnServer::dead).count();
    }

    /**
     * A job that names the server.
     *
     * @param disabled whether operators have disabled the server for it
     * @param dead whether it has no instance on the server
     */
    public record JobOnServer(String job, boolean disabled, boolean dead) {}

    /** What an instance does, all its jobs together. */
    public enum State {
        /** It takes part in all its jobs. */
        TAKES_PART,
        /** It has been taken out of some of its jobs only. */
        PARTLY_TAKEN_OUT,
        /** It takes part in no job any more, and still owns or executes items. */
        LEAVING,
        /** It owns nothing, and executes nothing that is recorded; but some of its jobs don't record executions. */
        UNRECORDED,
        /** It owns nothing and executes nothing, and gets nothing until an operator lets it take part again. */
        EMPTY
    }

    /**
     * One instance in all its jobs. Those of one process have the same id in most jobs.
     *
     * @param capacity the largest total weight of items that it executes at a time; empty if there is no limit
     * @param parts its jobs, by name
     * @param emptySince when it became {@link State#EMPTY}: by the end of the last execution on it, or when it was taken out
     *     of its last job. Absent if it isn't empty, and if later executions elsewhere have replaced records that may have
     *     been its own
     */
    public record InstanceOnServer(String id, OptionalInt capacity, List<Part> parts, Optional<Instant> emptySince) {
        public InstanceOnServer {
            parts = List.copyOf(parts);
        }

        public State state() {
            if (parts.stream().noneMatch(Part::takenOut)) {
                return State.TAKES_PART;
            }
            if (!parts.stream().allMatch(Part::takenOut)) {
                return State.PARTLY_TAKEN_OUT;
            }
            if (items() > 0 || running() > 0) {
                return State.LEAVING;
            }
            return parts.stream().allMatch(Part::recorded) ? State.EMPTY : State.UNRECORDED;
        }

        /** How many items it owns. */
        public int items() {
            return parts.stream().mapToInt(part -> part.items().size()).sum();
        }

        /** How many items it executes, as far as executions are recorded. */
        public int running() {
            return parts.stream().mapToInt(part -> part.running().size()).sum();
        }

        /** The total weight of the items that it executes, as far as executions are recorded. */
        public long used() {
            return parts.stream().mapToLong(Part::weight).sum();
        }

        /** The latest of its drains by operators. */
        public Optional<DrainedBy> drainedBy() {
            return parts.stream()
                    .flatMap(part -> part.drainedBy().stream())
                    .max(Comparator.comparing(DrainedBy::since));
        }
    }

    /**
     * What an instance does in one job.
     *
     * @param items those that it owns
     * @param running those that it executes, also of other owners
     * @param weight the total weight of those that it executes, by the job's present settings
     * @param draining whether it gives its items away, because it is stopping or operators have drained it
     * @param drainedBy the operator who has drained it; empty if it is stopping
     * @param disabled whether operators have disabled its server for the job
     * @param matches whether it has the labels that the job asks for; an instance that doesn't gets no item
     * @param alone whether no other instance of the job could take its items
     * @param recorded whether the job records its scheduled executions ({@code monitorExecution}) and all records of its items
     *     can be read: if not, it may execute more than {@code running} says
     */
    public record Part(
            String job,
            List<Integer> items,
            List<Integer> running,
            long weight,
            boolean draining,
            Optional<DrainedBy> drainedBy,
            boolean disabled,
            boolean matches,
            boolean alone,
            boolean recorded) {
        public Part {
            items = List.copyOf(items);
            running = List.copyOf(running);
        }

        /** Whether it gets no item of the job. */
        public boolean takenOut() {
            return draining || disabled;
        }
    }
}
