package dev.elasticjob.admin.table;

/**
 * One thing that follows from a command, as a code that the page of the console has a text for.
 *
 * @param count how many items, instances or jobs it concerns; 0 if it isn't about a number
 */
public record Effect(Code code, int count) {
    /** What may follow. A sentence with a number counts what it names. */
    public enum Code {
        ITEMS_RUN("Items that run once, each as soon as it neither runs nor is due: %d"),
        DISABLED_STAY_OUT("Disabled items, which stay out: %d"),
        RUNNING_RUN_AGAIN("Items that run now, and run again when they have ended: %d"),
        FAILED_RUN_AGAIN("Items that failed, and run again as the next attempt: %d"),
        EXECUTIONS_END("Executions that are interrupted, and have failed. They are not retried: %d"),
        NOT_TAKEN_OVER("Interrupted executions that are not taken over any more: %d"),
        RUNS_DROPPED("Items for which the run waits, and where it does not begin: %d"),
        REST_IS_SKIPPED("Items that have not begun the firing skip it"),
        RUNNING_CONTINUE("Items that run now, and continue to their end: %d"),
        NOTHING_STARTS("Nothing starts until somebody resumes, also after restarts"),
        ALL_JOBS("Jobs that this concerns, besides those that are registered later: %d"),
        LOSS_CONFIRMED("The loss is not reported any more, and instances that are held by it start jobs again"),
        NO_LOSS("The registry has not lost its data, or somebody has confirmed that it has"),
        TOKENS_RAISED("Fencing tokens are greater than the given one from the next claim on. That can't be undone"),
        NEVER_STARTED("No instance has started in this namespace yet, so it has no fencing tokens"),
        STARTS_AGAIN("What comes due from now on starts again, and so do interrupted executions and runs that wait"),
        NAMESPACE_STAYS_PAUSED("All jobs of the namespace are paused, so nothing starts until they are resumed"),
        ITEMS_MOVE("Items that move to other instances, if they run when they have ended: %d"),
        NOBODY_TAKES_OVER("No other instance can take its items: they wait until one can"),
        UNTIL_RESTART("The process lives on, and takes part again when the drain is ended or the process is restarted"),
        AWAITED_NO_MORE(
                "Its successor isn't awaited any more: an instance that comes later gets items as any that joins"),
        JOBS_LEFT("Jobs that it takes part in, and leaves: %d"),
        JOBS_WAIT("Jobs whose items wait, because no other instance can take them: %d"),
        JOBS_WAITED("Jobs whose items wait for its successor: %d"),
        ITEMS_WAIT("Items that wait for its successor, and then move to instances that may run them: %d"),
        JOBS_JOINED("Jobs that it takes part in again: %d"),
        REBALANCED("The leader makes a new assignment"),
        NOBODY_MATCHES("None of the present instances has the labels that runOn asks for: the items wait for one"),
        OWN_STRATEGY(
                "The sharding strategy is none of the built-in ones: each instance needs a bean of its name, or the default one divides"),
        FIRINGS_SKIPPED(
                "Firings are skipped until the item is enabled again, also after restarts, and not made up for"),
        FROM_NEXT_FIRING("The item runs again from its next firing on. Skipped firings are not made up for"),
        ONLY_THIS_JOB("Only this job is affected, also after restarts"),
        INSTANCES_STOP("Instances that stop the job: %d"),
        GONE_FOR_GOOD("The settings, disabled items and the last execution of each item are deleted for good"),
        COMES_BACK("The job comes back when an application that declares it starts"),
        FIRINGS_DROPPED("Of the next firings, those that do not happen any more: %d"),
        FIRINGS_ADDED("Firings that are new among the next ones: %d"),
        AFTER_THE_END("The next firing follows from the end of the last one, which the registry doesn't have yet"),
        COUNTED_FROM_END("Each further firing follows from the end of the one before, so its time isn't known yet"),
        ITEMS_ADDED("Items that are added: %d"),
        ITEMS_GONE("Items that are removed, after they have ended: %d"),
        NEW_SERVERS_ONLY("The setting \"disabled\" concerns servers that are new to the job"),
        FROM_NEXT_EXECUTION("Running executions keep the settings that they have begun with"),
        OVERWRITTEN_AT_START("The application declares this job with overwrite=true: its next start undoes the change"),
        REPAIRED("The instances of the job take it up again with these settings"),
        USABLE("The settings can be used: there is nothing to repair"),
        UNREADABLE("The job's settings or its assignment can't be read: nothing of it starts until that is mended"),
        JOINED_WHERE_ALLOWED("Instances that may run it join within a second. Others leave it alone"),
        ALREADY("It is so already"),
        NO_SUCH_ITEMS("Items that don't exist: %d of those that were named"),
        NO_OWNER("No instance owns the items: none is enabled, not drained, and matches the job's runOn"),
        PAUSED("The job is paused"),
        NONE_FAILED("No item is known to have failed in that run"),
        NOTHING_TO_CANCEL("Nothing is executing or waiting"),
        TIMES_RUN("Scheduled times that run once more, one after the other: %d"),
        SCHEDULE_GOES_FIRST("The schedule goes first: a due firing waits at most for the execution that is under way"),
        NO_TIMES("The schedule has no time in this range"),
        NO_TIMES_AT_ALL("The job's firings have no scheduled times that could run once more. Trigger the job instead"),
        TOO_MANY_TIMES("The range has more scheduled times than are allowed. Choose a shorter one. Allowed are: %d"),
        BACKFILL_GOES_ON("The job has a backfill already: stop it, or wait for its end"),
        NO_BACKFILL("The job has no backfill: it has ended, or was stopped"),
        NO_FURTHER_TIME("No further time of the backfill begins"),
        TIMES_UNDER_WAY("Times that are under way. What waits is dropped, what executes goes on: %d"),
        SERVERS_DISABLED("Servers that are disabled for the job, also after restarts: %d"),
        SERVERS_ENABLED("Servers that are enabled for the job: %d"),
        NO_SERVER("No instance runs the job, so there is no server to disable or enable"),
        NO_WORKERS(
                "No worker is started until it is resumed. Those that have started go on, and what is due stays owed"),
        WORKERS_START("Workers are started again as the demand asks"),
        RESOURCE_SUSPENDS("Its resource says suspend: true, too: no worker is started until that is changed as well"),
        NOT_ATTENDED("No controller looks after it now. The first one that does follows this"),
        ATTENDED("A controller looks after it: delete its resource, then it goes by itself"),
        FORGOTTEN("It isn't shown any more, and its suspension is forgotten, until a controller shows it again");

        private final String text;

        Code(String text) {
            this.text = text;
        }
    }

    static Effect of(Code code) {
        return new Effect(code, 0);
    }

    /** A sentence for people who have no page. */
    public String text() {
        return code.text.formatted(count);
    }
}
