package dev.elasticjob.console.effect;

/**
 * One thing that follows from a command, as a code that the page has a sentence for.
 *
 * @param count how many items, instances or jobs it concerns; 0 if it isn't about a number
 */
public record Effect(Code code, int count) {
    /** What may follow. */
    public enum Code {
        /** So many items run once. */
        ITEMS_RUN,
        /** So many disabled items stay out. */
        DISABLED_STAY_OUT,
        /** So many items run now, and once more after that. */
        RUNNING_RUN_AGAIN,
        /** So many failed items run again. */
        FAILED_RUN_AGAIN,
        /** So many executions are interrupted, and fail. */
        EXECUTIONS_END,
        /** So many interrupted executions are not taken over. */
        NOT_TAKEN_OVER,
        /** On so many items, a run that waits doesn't begin. */
        RUNS_DROPPED,
        /** Items that have not begun the firing skip it. */
        REST_IS_SKIPPED,
        /** So many items run, and continue to their end. */
        RUNNING_CONTINUE,
        /** Nothing starts until somebody resumes. */
        NOTHING_STARTS,
        /** So many jobs are concerned, also later ones. */
        ALL_JOBS,
        /** The loss of data is not reported any more, and what it holds goes on. */
        LOSS_CONFIRMED,
        /** What comes due starts again. */
        STARTS_AGAIN,
        /** The namespace is paused as well, so nothing starts. */
        NAMESPACE_STAYS_PAUSED,
        /** So many items move to other instances. */
        ITEMS_MOVE,
        /** No other instance can take the items. */
        NOBODY_TAKES_OVER,
        /** The instance lives on, and takes part again after a restart. */
        UNTIL_RESTART,
        /** So it is in each job in which the instance is registered. */
        IN_ALL_ITS_JOBS,
        /** The items are rebalanced. */
        REBALANCED,
        /** Firings of the item are skipped, and not made up for. */
        FIRINGS_SKIPPED,
        /** Skipped firings are not made up for. */
        FROM_NEXT_FIRING,
        /** Other jobs are not affected. */
        ONLY_THIS_JOB,
        /** So many instances stop the job. */
        INSTANCES_STOP,
        /** The settings and the state of each item are gone for good. */
        GONE_FOR_GOOD,
        /** The job comes back when an application that declares it starts. */
        COMES_BACK,
        /** So many of the next firings don't happen any more. */
        FIRINGS_DROPPED,
        /** So many firings happen in addition. */
        FIRINGS_ADDED,
        /** So many items are added. */
        ITEMS_ADDED,
        /** So many items don't exist any more. */
        ITEMS_GONE,
        /** It concerns servers that are new to the job. */
        NEW_SERVERS_ONLY,
        /** Running executions keep the settings that they have begun with. */
        FROM_NEXT_EXECUTION,
        /** An application whose own settings overwrite these undoes the change at its next start. */
        OVERWRITTEN_AT_START,
        /** Instances that take jobs from the registry, and may run this one, run it. */
        JOINED_WHERE_ALLOWED,
        /** It is so already. */
        ALREADY,
        /** So many of the items don't exist. */
        NO_SUCH_ITEMS,
        /** No enabled instance owns the items. */
        NO_OWNER,
        /** The job is paused. */
        PAUSED,
        /** No item is known to have failed in that run. */
        NONE_FAILED,
        /** There is nothing that could be cancelled. */
        NOTHING_TO_CANCEL,
        /** So many scheduled times run once more, one after the other. */
        TIMES_RUN,
        /** The schedule goes first. */
        SCHEDULE_GOES_FIRST,
        /** The range has no scheduled time. */
        NO_TIMES,
        /** The range has more than so many scheduled times. */
        TOO_MANY_TIMES,
        /** The job has a backfill already. */
        BACKFILL_GOES_ON,
        /** The job has no backfill. */
        NO_BACKFILL,
        /** No further time of the backfill begins. */
        NO_FURTHER_TIME,
        /** So many times are under way. What waits is dropped; what executes goes on. */
        TIMES_UNDER_WAY,
        /** So many servers are disabled for the job. */
        SERVERS_DISABLED,
        /** So many servers are enabled for the job. */
        SERVERS_ENABLED,
        /** No instance is there whose server could be disabled or enabled. */
        NO_SERVER
    }

    static Effect of(Code code) {
        return new Effect(code, 0);
    }
}
