package dev.elasticjob.admin.explain;

/** What is so: of an item that doesn't run, or of a job that needs a person. */
public enum Fact implements Sentence.Form {
    ACCESS_DENIED("{problem}"),
    JOB_REMOVED("The job has no definition: it was removed from the registry"),
    DEFINITION_UNREADABLE("The definition can't be used: {problem}"),
    ASSIGNMENT_UNREADABLE("The assignment can't be read: {problem}"),
    FOREIGN_INSTANCES("Instances of other software take part in the job, so no item has an owner: {ids}"),
    NO_INSTANCE("No instance runs the job"),
    NO_INSTANCE_OF_REGISTRY_JOB("No instance runs the job, which is kept in the registry"),
    JOB_PAUSED("An operator paused the job[: {reason}]"),
    JOB_PAUSED_BY("\"{actor}\" paused the job[: {reason}]"),
    JOB_PAUSED_AFTER_FAILURES(
            "The job paused itself after item {item} had failed {times} times in a row, as its pauseAfterFailures"
                    + " says[: {problem}]"),
    ALL_JOBS_PAUSED("An operator paused all jobs of the namespace[: {reason}]"),
    ALL_JOBS_PAUSED_BY("\"{actor}\" paused all jobs of the namespace[: {reason}]"),
    JOB_DISABLED("The job is disabled[ by \"{actor}\"][: {reason}]"),
    DECLARED_DISABLED("The job is declared with \"disabled\", and nobody has enabled it"),
    SERVERS_DISABLED(
            "The servers of all instances of the job[ with {runOn}] are disabled[, the last one by \"{actor}\"][: {reason}]"),
    ALL_DRAINED(
            "All instances of the job[ with {runOn}] are drained, the last one is \"{id}\"[, by \"{actor}\"][: {reason}]"),
    NO_INSTANCE_MATCHES(
            "No instance has the labels that the job's runOn asks for; \"{id}\" doesn't fulfil {requirements}"),
    ITEM_BEYOND_TOTAL("The job has the items 0 to {last}, and item {item} is not among them"),
    NO_LEADER("The job has no leader, so nothing is planned"),
    WAITS_FOR_PLAN("The leader \"{leading}\" has not given the item to a living instance yet"),
    NO_OWNER("The item has no owner"),
    OWNER_GONE("The item's owner \"{owner}\" has left or died[; likewise {others}]"),
    SUCCESSOR_AWAITED("The item's owner \"{owner}\" has stopped in good order, and its items wait for its successor"),
    SERVER_DISABLED("Operators have disabled the server \"{server}\" of the item's owner \"{owner}\""),
    OWNER_DRAINED("The item's owner \"{owner}\" is drained[ by \"{actor}\"][: {reason}]"),
    OWNER_UNMATCHED("The item's owner \"{owner}\" doesn't fulfil {requirements} of the job's runOn"),
    ITEM_TOO_HEAVY(
            "The item has a weight of {weight}, and its owner \"{owner}\" a capacity of {capacity}, so it never starts there[; likewise {others}]"),
    WAITS_FOR_CAPACITY(
            "The item has a weight of {weight}, and waits for capacity of \"{owner}\": {used} of {capacity} are taken[ by {jobs}][; offered to the others since {offered}]"),
    WAITS_BEHIND(
            "The item has a weight of {weight}, and waits for capacity of \"{owner}\" behind item {item} of \"{job}\", which needs {needs}[; offered to the others since {offered}]"),
    OFFERED(
            "The item has a weight of {weight}, and waits for capacity of \"{owner}\"; offered to the others since {offered}"),
    OFFERED_AS_TOO_HEAVY(
            "The item has a weight of {weight}, and its owner \"{owner}\" a capacity of {capacity}, so it is offered to the others"),
    OWNER_STOPS("The item's owner \"{owner}\" is stopping, and gives its items away"),
    OWNER_STOPS_AND_RETURNS("The item's owner \"{owner}\" is stopping, and its items wait for its successor"),
    INSTANCE_NOT_ACTIVE("The job is {state} on the item's owner \"{owner}\", which is this instance"),
    NOT_RECORDED("With monitorExecution=false, only \"{owner}\" knows whether a scheduled execution runs"),
    INSIDE_THE_OWNER(
            "Only \"{owner}\" knows whether it has room, and a free thread within \"concurrency\", and whether its clock and its"
                    + " connection are fine"),
    INSIDE_AN_INSTANCE("Only the instance that would take the item over knows whether it has a free thread within"
            + " \"concurrency\", and whether its clock and its connection are fine"),
    ITEM_WITHOUT_NODE("The item has no node"),
    RECORD_UNREADABLE("The item's record can't be read: {problem}"),
    OWNER_DIED("The instance[ \"{id}\"] that executed the item is gone, which is not recorded yet"),
    RUNS(
            "The item is running on \"{id}\", attempt {attempt}[, for longer than its stuckAfter of {limit}][, {cancelled}][; the firing of {next} cancels it]"
                    + "[; firings that wait behind it: {behind}][, the first of {first}]"),
    RUNS_WITHOUT_FREE_THREAD(
            "The item is running on \"{id}\", attempt {attempt}[, for longer than its stuckAfter of"
                    + " {limit}][, {cancelled}][; the firing of {next} cancels it]"
                    + "[; firings that wait behind it: {behind}][, the first of {first}]; no thread is free there, so it may be waiting for one"),
    HAD_NO_THREAD(
            "The item is claimed by \"{id}\", attempt {attempt}, and had no thread there after its stuckAfter[: {threads}]"),
    ITEM_DISABLED("An operator has disabled the item"),
    GIVEN_UP("The interrupted execution will not be repeated: {reason}"),
    RESTS("The execution was interrupted {crashes} times, and pauses before the next attempt"),
    NO_FREE_THREAD("The execution was interrupted, and this instance has no free thread to take it over"),
    CLOCKS_DIFFER(
            "The clock of {ids} differs from the registry's by more than the job's maxTimeDiffSeconds, so others run its items"),
    ALL_CLOCKS_DIFFER(
            "The clocks of all instances differ from the registry's by more than the job's maxTimeDiffSeconds: {ids}"),
    OWNER_CLOCK_DIFFERS(
            "The clock of \"{owner}\" differs from the registry's by more than the job's maxTimeDiffSeconds"),
    CLOCK_DIFFERS("The clock of this instance is at {here}, and the registry's at {registry}"),
    WAITS_FOR_LISTENERS("The job's cluster listeners are called before the first item of the firing starts"),
    WAITS_FOR_REQUEST("The request for this run takes several transactions, and some of them are missing"),
    FAILED_TOO_OFTEN("The item has failed {times} times in a row, so the job is about to pause itself"),
    NOT_DUE(
            "The item is not due before {next}[, to which its jitter delays the firing of {delayed}][; the firing of {lost} was missed, and misfire is off][; the firing of {skipped} came due while it was executing, and overlap is SKIP]"),
    NEVER_DUE(
            "The job has no further firing[; the firing of {lost} was missed, and misfire is off][; the firing of {skipped} came due while it was executing, and overlap is SKIP]"),
    ON_REQUEST("The job has no schedule: it runs when somebody asks for a run"),
    FIRST_FIRING_LATER("The job has not run by its delay of {pause} yet. Its first firing is due at {next}"),
    FIRST_FIRING_DUE("The job has not run by its delay of {pause} yet. Its first firing is due since {next}"),
    DELAY_NOT_OVER("The job runs {pause} after its last end, and is not due before {next}"),
    DELAY_OVER("The job runs {pause} after its last end, and is due since {next}: other runs come first"),
    LAST_FIRING_GOES_ON(
            "The job runs {pause} after its last end, and firing \"{run}\" has not ended[: it waits for items {unfinished}]"),
    PARENT_NOT_REGISTERED("The job does not run after \"{job}\" at present: it is not registered there"),
    PARENT_ABSENT("The job does not run after \"{job}\" at present: there is no such job in the registry"),
    PARENT_NOT_RECORDED(
            "The job does not run after \"{job}\" at present: its \"monitorExecution\" is false, so nothing shows how"
                    + " its firings end"),
    PARENT_FAILS("The job runs after \"{job}\" has succeeded, which fails since {since}[: {problem}]"),
    AFTER_SUCCESS("The job runs after each firing of {jobs} that has succeeded, and has run after all of them"),
    AFTER_FAILURE("The job runs after each firing of {jobs} that has failed, and has run after all of them"),
    AFTER_ANY("The job runs after each firing of {jobs} that has ended, and has run after all of them"),
    AFTER_SUCCESS_OF_ALL(
            "The job runs after each firing that has succeeded in all of these jobs, and has run after all of"
                    + " them: {jobs}"),
    AFTER_FAILURE_OF_ALL(
            "The job runs after each firing that has failed in all of these jobs, and has run after all of them:"
                    + " {jobs}"),
    AFTER_ANY_OF_ALL(
            "The job runs after each firing that has ended in all of these jobs, and has run after all of them:"
                    + " {jobs}"),

    // ------------------------------------------------------------------ what needs a person, beside these

    DATA_LOST("{problem}"),
    JOB_UNREADABLE("Nothing of the job starts: {problem}"),
    JOB_PROBLEM("{problem}"),
    CALENDAR_ENDS(
            "The job's calendar[ \"{calendar}\"] has no entries for days after {day}: from then on, the job fires on each"
                    + " day that isn't left out every week or year"),
    NOBODY_HAS_BEGUN("No instance runs the job, and nobody has begun the firing of {firing}"),
    NOBODY_LEADS("The job has instances, but none leads"),
    NOT_BEGUN("No item has begun the firing of {firing} within the job's expectWithin"),
    LISTENERS_SLOW_BEFORE(
            "\"{id}\" has been calling the cluster listeners before the first item of firing \"{run}\" for long"),
    LISTENERS_SLOW_AFTER(
            "\"{id}\" has been calling the cluster listeners after the last item of firing \"{run}\" for long"),
    LISTENERS_UNCALLED_BEFORE(
            "Firing \"{run}\" waits for the cluster listeners before the first item, and no instance calls them"),
    LISTENERS_UNCALLED_AFTER(
            "Firing \"{run}\" waits for the cluster listeners after the last item, and no instance calls them"),
    BACKFILL_STANDS_STILL("The backfill until {until}, which \"{actor}\" began, does not go on: {because}"),
    BACKFILL_FAILED("Items have failed in {times} of the times of the backfill until {until}, first in {first}"),
    STUCK("\"{id}\" has been executing it for longer than the job's stuckAfter[; likewise {others}]"),
    WAITS_FOR_THREAD(
            "\"{id}\" has claimed it, and it had no thread after the job's stuckAfter[; likewise {others}][: {threads}]"),
    INTERRUPTED("Its execution was interrupted"),
    FAILED("It has failed[: {problem}]"),
    FAILS("It has failed {times} times in a row[, the last success was at {succeeded}][: {problem}]"),
    LATE("A missed firing waits"),

    // ------------------------------------------------------------------ groups of dynamic sharding

    GROUP_UNREADABLE("The assignment of the indexes can't be read, so nobody gets one: {problem}"),
    GROUP_WITHOUT_INSTANCE("No instance takes part in the group"),
    NOBODY_LEADS_GROUP("The group has instances, but none leads: indexes are not assigned anew"),
    NOT_STOPPED("All were told to stop, and the others wait until these have returned from startSharding: {ids}"),
    INDEX_NOT_HELD("Nobody works on the indexes {indexes}, which belong to {ids}"),
    LEFT_OUT("They have no index, because they had not returned from startSharding in time: {ids}"),

    // ------------------------------------------------------------------ applications of Kubernetes

    APP_WITHOUT_CONTROLLER("No controller looks after the application, so no worker is started for it"),
    APP_NOT_READY("The application doesn't get the workers that it needs, {reason}[: {problem}]"),
    WORKERS_BLOCKED("Workers don't get to work, {reason}[: {problem}]");

    private final String template;

    Fact(String template) {
        this.template = template;
    }

    @Override
    public String template() {
        return template;
    }
}
