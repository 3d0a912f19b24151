package dev.elasticjob.admin.explain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why an item doesn't run now. Immutable.
 *
 * @param verdict the summary of the conditions
 * @param owner the instance that the assignment in force names for the item
 * @param conditions what keeps the item from running, in the order in which it counts: the first one blocks, and the
 *     others would block if the first were gone. At the end, what can't be known here
 */
public record Explanation(String job, int item, Verdict verdict, Optional<String> owner, List<Condition> conditions) {
    public Explanation {
        conditions = List.copyOf(conditions);
    }

    /** The summary of an explanation. */
    public enum Verdict {
        /** Nothing that the registry shows keeps the item from starting. */
        DUE_NOW,
        /** An instance holds the item's lock: the item executes, or waits there for a thread or a retry. */
        RUNNING,
        /** The item starts by itself, at a time or after an event that the conditions name. */
        WAITS,
        /** The item doesn't start before a person has changed something. */
        BLOCKED
    }

    /** Whether nothing that is known here keeps the item from starting. */
    public boolean isDueNow() {
        return verdict == Verdict.DUE_NOW;
    }

    /**
     * One condition.
     *
     * @param fact what is
     * @param node the node that shows it, below the registry's namespace
     * @param version the version of that node's data, when it was read
     * @param since since when, by the registry's clock
     * @param until when it ends by itself, if that is known
     * @param remedy what would change it; its code is that of a {@link Remedy}
     */
    public record Condition(
            Reason reason,
            Certainty certainty,
            Sentence fact,
            Optional<String> node,
            Optional<Integer> version,
            Optional<Instant> since,
            Optional<Instant> until,
            Sentence remedy) {}

    /** Whether a condition keeps the item from running. */
    public enum Certainty {
        HOLDS,
        /** Only another instance knows whether it does. */
        UNKNOWN
    }

    /** The kinds of conditions. */
    public enum Reason {
        ACCESS_DENIED(false),
        JOB_REMOVED(false),
        DEFINITION_UNREADABLE(false),
        ASSIGNMENT_UNREADABLE(false),
        FOREIGN_INSTANCES(false),
        NO_INSTANCE(false),
        PAUSED(false),
        ALL_SERVERS_DISABLED(false),
        /** Operators have drained all instances, so there is nobody to whom the leader could give the item. */
        ALL_INSTANCES_DRAINED(false),
        /** There are instances, and the job chooses none of them by its {@code runOn}. */
        NO_INSTANCE_MATCHES(false),
        ITEM_BEYOND_TOTAL(false),
        NO_LEADER(true),
        WAITS_FOR_PLAN(true),
        OWNER_GONE(true),
        /** The item's owner has left in good order, and its items wait for its successor. */
        SUCCESSOR_AWAITED(true),
        SERVER_DISABLED(true),
        OWNER_DRAINS(true),
        OWNER_UNMATCHED(true),
        /** The item's weight is above the capacity of its owner, so it never starts there, and no other instance could carry it. */
        ITEM_TOO_HEAVY(false),
        /** The item is due, and its owner has no room for its weight. */
        WAITS_FOR_CAPACITY(true),
        INSTANCE_NOT_ACTIVE(true),
        ITEM_WITHOUT_NODE(true),
        RECORD_UNREADABLE(false),
        OWNER_DIED(true),
        RUNS(true),
        ITEM_DISABLED(false),
        GIVEN_UP(true),
        RESTS(true),
        NO_FREE_THREAD(true),
        CLOCK_DIFFERS(false),
        WAITS_FOR_LISTENERS(true),
        /** Other items have yet to be asked for the manual run that is next. */
        WAITS_FOR_REQUEST(true),
        /** The job runs after another job, whose firings can't be followed at present. */
        PARENT_NOT_FOLLOWED(false),
        /** The job runs after another job only if that has succeeded, and that fails. */
        PARENT_FAILED(true),
        /** The job runs after other jobs, and none of their firings has to be followed now. */
        WAITS_FOR_OTHER_JOBS(true),
        NOT_DUE(true),
        NEVER_DUE(false),
        /** The job has no schedule, and no run waits. */
        ON_REQUEST(true),
        /** What only the instance knows that would run the item: its threads, its clock, its connection. */
        INSIDE_THE_INSTANCE(true),
        /** With {@code monitorExecution=false}, scheduled executions leave no trace in the registry. */
        NOT_RECORDED(true);

        private final boolean passing;

        Reason(boolean passing) {
            this.passing = passing;
        }

        /** Whether it usually ends without a person. */
        boolean isPassing() {
            return passing;
        }
    }
}
