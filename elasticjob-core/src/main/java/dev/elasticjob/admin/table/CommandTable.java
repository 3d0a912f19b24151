package dev.elasticjob.admin.table;

import static dev.elasticjob.admin.table.CommandArguments.ABOVE;
import static dev.elasticjob.admin.table.CommandArguments.AT_ONCE;
import static dev.elasticjob.admin.table.CommandArguments.CORRECTIONS;
import static dev.elasticjob.admin.table.CommandArguments.FAILED_RUN;
import static dev.elasticjob.admin.table.CommandArguments.FROM;
import static dev.elasticjob.admin.table.CommandArguments.ITEMS;
import static dev.elasticjob.admin.table.CommandArguments.NEW_RUN;
import static dev.elasticjob.admin.table.CommandArguments.NEW_SETTINGS;
import static dev.elasticjob.admin.table.CommandArguments.PARAMETER;
import static dev.elasticjob.admin.table.CommandArguments.REPETITION;
import static dev.elasticjob.admin.table.CommandArguments.RUN;
import static dev.elasticjob.admin.table.CommandArguments.SERVER;
import static dev.elasticjob.admin.table.CommandArguments.SETTINGS;
import static dev.elasticjob.admin.table.CommandArguments.SOME_ITEMS;
import static dev.elasticjob.admin.table.CommandArguments.UNTIL;
import static dev.elasticjob.admin.table.CommandArguments.VERSION;

import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.table.OperatorCommand.Ends;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of operators, one row for each, in the order in which people are shown them. Nothing else knows all commands:
 * endpoint, console, the page of its API and dry runs go through the rows.
 */
public final class CommandTable {
    private static final Rows ROWS = new Rows();

    /** Of a door that is asked for a dry run by a value of the request. Every command takes it there. */
    public static final Argument<Boolean> DRY_RUN = CommandArguments.DRY_RUN;

    /** Its answers name it. */
    public static final Argument<String> INSTANCE = CommandArguments.INSTANCE;

    /** The same. */
    public static final Argument<String> APP = CommandArguments.APP;

    // ------------------------------------------------------------------ runs

    public static final OperatorCommand TRIGGER = ofJob("trigger")
            .takes(NEW_RUN, PARAMETER, SOME_ITEMS)
            .calls((admin, job, given) ->
                    admin.trigger(job, new RunRequest(given.get(NEW_RUN), given.get(PARAMETER), given.get(SOME_ITEMS))))
            .would((seen, given) -> seen.run(given.get(SOME_ITEMS)))
            .says("Runs the items once, in addition to the schedule.");

    public static final OperatorCommand CANCEL = ofJob("cancel")
            .takes(RUN, SOME_ITEMS)
            .calls((admin, job, given) -> admin.cancel(job, cancellation(given)))
            .would((seen, given) ->
                    seen.cancel(cancellation(given).runId(), cancellation(given).items()))
            .says("Ends what one or several items execute, or a firing or manual run on all items or on some.");

    public static final OperatorCommand RUN_AGAIN = ofJob("run-again")
            .takes(FAILED_RUN, REPETITION)
            .calls((admin, job, given) -> admin.triggerAgain(job, given.get(FAILED_RUN), given.get(REPETITION)))
            .would((seen, given) -> seen.runAgain(given.get(FAILED_RUN)))
            .says("Runs those items again that failed in a firing or manual run.");

    public static final OperatorCommand BACKFILL = ofJob("backfill")
            .takes(FROM, UNTIL, AT_ONCE)
            .calls((admin, job, given) -> admin.backfill(job, range(given)))
            .would((seen, given) -> seen.backfill(range(given)))
            .says("Runs the scheduled times of a range once more.");

    public static final OperatorCommand STOP_BACKFILL = ofJob("stop-backfill")
            .calls((admin, job, given) -> admin.stopBackfill(job))
            .would((seen, given) -> seen.stopBackfill())
            .says("Stops the backfill: what waits is dropped, and what executes goes on.");

    // ------------------------------------------------------------------ items and servers

    public static final OperatorCommand RESHARD = ofJob("reshard")
            .calls((admin, job, given) -> admin.reshard(job))
            .would((seen, given) -> seen.reshard())
            .says("Rebalances the items.");

    public static final OperatorCommand DISABLE = ofJob("disable")
            .calls((admin, job, given) -> admin.disable(job))
            .would((seen, given) -> seen.disable())
            .says("Disables all servers on which the job has had instances.");

    public static final OperatorCommand ENABLE = ofJob("enable")
            .calls((admin, job, given) -> admin.enable(job))
            .would((seen, given) -> seen.enable())
            .says("Enables all servers of the job.");

    public static final OperatorCommand DISABLE_SERVER = ofJob("disable-server")
            .takes(SERVER)
            .calls((admin, job, given) -> admin.disableServer(job, given.get(SERVER)))
            .would((seen, given) -> seen.disableServer(given.get(SERVER)))
            .says("Excludes a server from the job's sharding, until it is enabled again.");

    public static final OperatorCommand ENABLE_SERVER = ofJob("enable-server")
            .takes(SERVER)
            .calls((admin, job, given) -> admin.enableServer(job, given.get(SERVER)))
            .would((seen, given) -> seen.enableServer(given.get(SERVER)))
            .says("Enables a server that was disabled for the job.");

    public static final OperatorCommand DISABLE_ITEMS = ofJob("disable-item")
            .takes(ITEMS)
            .calls((admin, job, given) -> admin.disableItems(job, given.get(ITEMS)))
            .would((seen, given) -> seen.disableItems(given.get(ITEMS)))
            .says("Skips the firings of one or several items, until they are enabled again.");

    public static final OperatorCommand ENABLE_ITEMS = ofJob("enable-item")
            .takes(ITEMS)
            .calls((admin, job, given) -> admin.enableItems(job, given.get(ITEMS)))
            .would((seen, given) -> seen.enableItems(given.get(ITEMS)))
            .says("Enables items that were disabled.");

    // ------------------------------------------------------------------ the job

    public static final OperatorCommand CREATE = ofJob("create")
            .takes(NEW_SETTINGS)
            .calls((admin, job, given) -> admin.create(job, given.get(NEW_SETTINGS)))
            .wouldAfter((reads, job, given) -> reads.created(job, given.get(NEW_SETTINGS)))
            .says("Creates a job that is kept in the registry.");

    public static final OperatorCommand REDEFINE = ofJob("redefine")
            .takes(VERSION, SETTINGS)
            .calls((admin, job, given) -> admin.redefine(job, given.get(VERSION), given.get(SETTINGS)))
            .wouldAfter((reads, job, given) -> reads.redefined(job, given.get(VERSION), given.get(SETTINGS)))
            .says("Changes settings of the job.");

    public static final OperatorCommand REPAIR = ofJob("repair")
            .takes(VERSION, CORRECTIONS)
            .calls((admin, job, given) -> admin.repair(job, given.get(VERSION), given.get(CORRECTIONS)))
            .wouldAfter((reads, job, given) -> reads.repaired(job, given.get(VERSION), given.get(CORRECTIONS)))
            .says("Replaces settings of the job that can't be read or used, and keeps what can be read.");

    public static final OperatorCommand REMOVE = ofJob("remove")
            .calls((admin, job, given) -> admin.remove(job))
            .would((seen, given) -> seen.remove())
            .ends(Ends.LATER)
            .says("Removes the job from the registry.");

    // ------------------------------------------------------------------ pauses and drains

    public static final OperatorCommand PAUSE = ofJob("pause")
            .calls((admin, job, given) -> admin.pause(job))
            .would((seen, given) -> seen.pause())
            .ends(Ends.WHEN_FOLLOWED)
            .says("Pauses the job: nothing of it starts until it is resumed.");

    public static final OperatorCommand RESUME = ofJob("resume")
            .calls((admin, job, given) -> admin.resume(job))
            .would((seen, given) -> seen.resume())
            .ends(Ends.WHEN_FOLLOWED)
            .says("Ends the pause of the job.");

    public static final OperatorCommand DRAIN = ofJob("drain")
            .takes(INSTANCE)
            .calls((admin, job, given) -> admin.drain(job, given.get(INSTANCE)))
            .would((seen, given) -> seen.drain(given.get(INSTANCE)))
            .ends(Ends.WHEN_FOLLOWED)
            .says(
                    "Takes an instance out of the job: its items go to the other instances. Of one that has left and may come back,"
                            + " the items that wait for its successor do so no longer.");

    public static final OperatorCommand UNDRAIN = ofJob("undrain")
            .takes(INSTANCE)
            .calls((admin, job, given) -> admin.undrain(job, given.get(INSTANCE)))
            .would((seen, given) -> seen.undrain(given.get(INSTANCE)))
            .ends(Ends.WHEN_FOLLOWED)
            .says("Undoes a drain.");

    // ------------------------------------------------------------------ the namespace

    public static final OperatorCommand PAUSE_ALL = ofNamespace("pause-all")
            .calls((admin, job, given) -> admin.pauseAll())
            .wouldAfter((reads, job, given) -> reads.pausedAll())
            .ends(Ends.WHEN_FOLLOWED)
            .says("Pauses all jobs of the namespace, also those that are registered later.");

    public static final OperatorCommand RESUME_ALL = ofNamespace("resume-all")
            .calls((admin, job, given) -> admin.resumeAll())
            .wouldAfter((reads, job, given) -> reads.resumedAll())
            .ends(Ends.WHEN_FOLLOWED)
            .says("Ends the pause of the namespace. Jobs that are paused by themselves stay so.");

    public static final OperatorCommand DRAIN_ALL = ofNamespace("drain-all")
            .takes(INSTANCE)
            .calls((admin, job, given) -> admin.drainAll(given.get(INSTANCE)))
            .wouldAfter((reads, job, given) -> reads.drainAll(given.get(INSTANCE)))
            .ends(Ends.WHEN_FOLLOWED)
            .says(
                    "Drains an instance out of all jobs in which it is registered, or in which items wait for its successor.");

    public static final OperatorCommand UNDRAIN_ALL = ofNamespace("undrain-all")
            .takes(INSTANCE)
            .calls((admin, job, given) -> admin.undrainAll(given.get(INSTANCE)))
            .wouldAfter((reads, job, given) -> reads.undrainAll(given.get(INSTANCE)))
            .ends(Ends.WHEN_FOLLOWED)
            .says("Undoes every drain of an instance.");

    public static final OperatorCommand SUSPEND_APP = ofNamespace("suspend-app")
            .takes(APP)
            .calls((admin, job, given) -> admin.suspendApp(given.get(APP)))
            .wouldAfter((reads, job, given) -> reads.suspendedApp(given.get(APP)))
            .says("Keeps an application of Kubernetes from getting workers until it is resumed.");

    public static final OperatorCommand RESUME_APP = ofNamespace("resume-app")
            .takes(APP)
            .calls((admin, job, given) -> admin.resumeApp(given.get(APP)))
            .wouldAfter((reads, job, given) -> reads.resumedApp(given.get(APP)))
            .says("Lets an application of Kubernetes get workers again.");

    public static final OperatorCommand FORGET_APP = ofNamespace("forget-app")
            .takes(APP)
            .calls((admin, job, given) -> admin.forgetApp(given.get(APP)))
            .wouldAfter((reads, job, given) -> reads.forgottenApp(given.get(APP)))
            .says("Removes what is left of an application of Kubernetes that no controller looks after.");

    public static final OperatorCommand CONFIRM_DATA_LOSS = ofNamespace("confirm-data-loss")
            .calls((admin, job, given) -> admin.confirmDataLoss())
            .wouldAfter((reads, job, given) -> reads.confirmedLoss())
            .ends(Ends.WHEN_FOLLOWED)
            .says("Confirms that the registry has lost its data, or has gone back to an older copy.");

    public static final OperatorCommand RAISE_FENCING_TOKENS = ofNamespace("raise-fencing-tokens")
            .takes(ABOVE)
            .calls((admin, job, given) -> admin.raiseFencingTokens(given.get(ABOVE)))
            .wouldAfter((reads, job, given) -> reads.raisedTokens(given.get(ABOVE)))
            .says("Makes the fencing tokens of all jobs greater than one that a storage has seen.");

    public static final List<OperatorCommand> ALL = List.copyOf(ROWS.added);

    private CommandTable() {}

    /** @throws IllegalArgumentException if there is no such command */
    public static OperatorCommand named(String name, Scope scope) {
        List<OperatorCommand> those =
                ALL.stream().filter(row -> row.scope() == scope).toList();
        return those.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Expected a command of %s, but it was \"%s\"".formatted(those, name)));
    }

    private static OperatorCommand ofJob(String name) {
        return ROWS.add(OperatorCommand.ofJob(name));
    }

    private static OperatorCommand ofNamespace(String name) {
        return ROWS.add(OperatorCommand.ofNamespace(name));
    }

    /** @throws IllegalArgumentException if there are neither items nor a run */
    private static CancelRequest cancellation(GivenArguments given) {
        return new CancelRequest(given.get(SOME_ITEMS), given.find(RUN));
    }

    /** @throws IllegalArgumentException if it ends before it begins */
    private static BackfillRequest range(GivenArguments given) {
        return new BackfillRequest(given.get(FROM), given.get(UNTIL), given.get(AT_ONCE));
    }

    /** Collects the rows while this class is initialized, and never again. */
    private static final class Rows {
        private final List<OperatorCommand> added = new ArrayList<>();

        OperatorCommand add(OperatorCommand row) {
            added.add(row);
            return row;
        }
    }
}
