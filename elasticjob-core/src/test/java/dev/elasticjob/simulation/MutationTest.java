package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the test: with a rule of the protocol taken out, the simulation breaks the promise that the rule keeps. */
@ExtendWith(Quiet.class)
class MutationTest {
    private static final int SEEDS = 5_000;
    private static final int FEW_SEEDS = 20;

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("chosenRules")
    void aRuleThatIsTakenOutIsMissed(Flaw flaw, String reason, LongFunction<Scenario> scenarios) {
        LongPredicate breaks = seed -> Run.of(scenarios.apply(seed), flaw)
                .violation()
                .filter(violation -> violation.contains(reason))
                .isPresent();

        assertThat(KnownSeeds.of(flaw, reason, SEEDS, breaks))
                .as("a seed among %d in which %s breaks \"%s\"", SEEDS, flaw, reason)
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatRandomSchedulesDoNotNeedIsMissedInADirectedOne(DirectedSchedule schedule) {
        assertThat(schedule.violation(Flaw.NONE)).as("with all rules").isEmpty();
        assertThat(schedule.violation(schedule.flaw))
                .as("without the rule that %s takes out", schedule.flaw)
                .hasValueSatisfying(violation -> assertThat(violation).startsWith("P"));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLateForAMutationIsLateForNothingElse(Late late) {
        LongFunction<Scenario> scenarios = with(Fault.CUT, Fault.EXPIRY);

        assertThat(LongStream.range(0, FEW_SEEDS)
                        .parallel()
                        .mapToObj(seed -> Run.of(scenarios.apply(seed), late))
                        .filter(run -> run.violation().isPresent())
                        .findAny())
                .isEmpty();
    }

    /** All, or with {@code -Dmutations.only=GATE} those whose name contains it. */
    static Stream<Arguments> chosenRules() {
        String only = System.getProperty("mutations.only", "");
        return rules().filter(rule -> String.valueOf(rule.get()[0]).contains(only));
    }

    private static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        Mutation.ORPHAN_WITHOUT_ASSERTED_ABSENCE,
                        "a living execution is declared dead",
                        busy(with(Fault.CUT, Fault.SLOW))),
                rule(
                        Mutation.BELL_DELETED_WITHOUT_ITS_VERSION,
                        "a ring of the bell is deleted that nobody has heard",
                        Fault.BELL,
                        Fault.LEAVE_AND_RETURN,
                        Fault.COUNT,
                        Fault.SERVER_SWITCH,
                        Fault.LOST_ANSWER),
                rule(
                        Mutation.COMPLETION_WITHOUT_VERSION,
                        "P2, once per firing",
                        Fault.CUT,
                        Fault.STALL,
                        Fault.LOST_ANSWER),
                rule(
                        Mutation.UNCLAIM_THAT_FORGETS_A_MANUAL_RUN,
                        "a manual run is unclaimed and forgotten",
                        Fault.TRIGGER,
                        Fault.CUT,
                        Fault.LOST_ANSWER,
                        Fault.LEAVE_AND_RETURN),
                rule(
                        Mutation.TAKE_THAT_FORGETS_THE_RUN_PARAMETER,
                        "a manual run has another parameter",
                        Fault.TRIGGER,
                        Fault.CRASH),
                rule(
                        Mutation.ORPHAN_WHOSE_WISH_IS_FORGOTTEN,
                        "what was cancelled fails",
                        busy(with(Fault.CANCEL, Fault.CRASH))),
                rule(Mutation.END_WHOSE_WISH_IS_FORGOTTEN, "what was cancelled fails", Fault.CANCEL),
                rule(
                        Mutation.WISH_WITHOUT_THE_RECORDS_VERSION,
                        "it is started without a new lock",
                        Fault.CANCEL,
                        Fault.SLOW),
                rule(
                        Mutation.CANCELLED_FIRING_THAT_SKIPS_NOTHING,
                        "what was cancelled before it began stays so",
                        busy(with(Fault.CANCEL, Fault.SLOW))),
                rule(
                        Mutation.CANCELLED_RUN_THAT_WAITS_ON,
                        "what was cancelled before it began stays so",
                        Fault.CANCEL,
                        Fault.TRIGGER),
                rule(
                        Mutation.BACKFILL_WITHOUT_ITS_VERSION,
                        "a backfill is not replaced by another",
                        Fault.BACKFILL,
                        Fault.SLOW),
                rule(
                        Mutation.BACKFILL_ASKED_FOR_WITHOUT_ITS_CURSOR,
                        "a time is asked for by the backfill that has it open",
                        Fault.BACKFILL),
                rule(
                        Mutation.BACKFILL_WITHOUT_THE_EPOCH,
                        "no time of a backfill is forgotten while no item has an owner",
                        frequent(with(
                                Fault.BACKFILL,
                                Fault.SLOW,
                                Fault.COUNT,
                                Fault.COUNT_DOWN_AND_UP,
                                Fault.SERVER_SWITCH))),
                rule(
                        Mutation.DELAY_ASKED_FOR_WITHOUT_ITS_NODE,
                        "a firing of a delay is asked for by the transaction that notes it",
                        delaying(with(Fault.BELL))),
                rule(
                        Mutation.DELAY_ENDED_WITHOUT_THE_EPOCH,
                        "no firing of a delay has ended while no item has an owner",
                        delaying(with(Fault.SLOW, Fault.SERVER_SWITCH, Fault.PAUSE_SWITCH))),
                rule(
                        Mutation.DELAY_ENDED_WITHOUT_THE_SETTINGS,
                        "a firing of a delay has ended when all items have",
                        takingOver(delaying(with(Fault.SLOW, Fault.CRASH, Fault.FAILOVER_SWITCH)))),
                rule(Mutation.NEW_ITEM_WITHOUT_FLOOR, "P2, once per firing: after attempt 1 begins", Fault.COUNT),
                rule(Mutation.FULL_STOP_TAKEN_FOR_A_PAUSE, "which an assignment passes over", Fault.EVERYBODY_LEAVES),
                rule(
                        Mutation.TIME_FROM_THE_FUTURE_NOT_CORRECTED,
                        "a time from the future stops no job",
                        Fault.REGISTRY_CLOCK,
                        Fault.CRON_SWITCH),
                rule(
                        Delusion.ANSWERS_WITHOUT_THEIR_TIME,
                        "a firing far ahead of the registry's time is claimed",
                        Fault.WRONG_CLOCK),
                rule(Mutation.SCHEDULE_BEFORE_FORGOTTEN, "which an assignment passes over", Fault.CRON_SWITCH),
                rule(
                        Late.CHECKPOINTS.and(Mutation.CHECKPOINT_WITHOUT_THE_RECORDS_VERSION),
                        "is written by one that",
                        frequent(takingOver(with(Fault.CUT, Fault.LOST_ANSWER)))),
                rule(Mutation.END_WITHOUT_ITS_LAST_CHECKPOINT, "has ended after saying", Fault.SLOW),
                rule(
                        Late.REPEATED_LEAVES.and(Mutation.LEAVE_WITHOUT_THE_PARENTS_VERSION),
                        "another's node is deleted",
                        Fault.LEAVE_AND_RETURN,
                        Fault.COLLIDING_ID),
                rule(
                        Late.REPEATED_ENDS.and(Mutation.COMPLETION_WITHOUT_THE_EPOCH),
                        "the record of an execution is overwritten",
                        Fault.COUNT_DOWN_AND_UP,
                        Fault.SERVER_SWITCH),
                rule(
                        Delusion.NEW_ITEM_THAT_IGNORES_THE_OTHERS,
                        "a new item repeats what the others have begun",
                        Fault.COUNT),
                rule(Delusion.ONE_FAILOVER_TOO_MANY, "though it has used up its failovers", Fault.CRASH),
                rule(Delusion.NO_PAUSE_BETWEEN_FAILOVERS, "before its pause of", Fault.CRASH),
                rule(Delusion.DRAINS_UNSEEN, "lateness", draining(with(Fault.BELL))),
                rule(
                        Misjudgement.LEASE_FROM_THE_NEWEST_ANSWER,
                        "P1, one at a time: while there runs",
                        Fault.SILENCED_AFTER_A_CLAIM),
                rule(
                        Misjudgement.LEASE_WITHOUT_ITS_MARGIN,
                        "P1, one at a time: while there runs",
                        Fault.SILENCED_AFTER_A_CLAIM),
                rule(Mutation.PAUSE_THAT_IS_MADE_UP_FOR, "what fell due in a pause is run", Fault.BELL),
                rule(Mutation.SCHEDULE_BEFORE_FORGOTTEN, "which an assignment passes over", Fault.PAUSE_SWITCH),
                rule(
                        Delusion.PAUSES_FORGOTTEN_ONCE_THEY_ARE_OVER,
                        "what fell due in a pause is claimed after it",
                        Fault.PAUSE_SWITCH,
                        Fault.NAMESPACE_SWITCH),
                rule(Delusion.DRAIN_THAT_ENDS_WITH_THE_SESSION, "is in force, and", Fault.DRAIN_SWITCH, Fault.EXPIRY),
                rule(
                        Delusion.PAUSE_NOT_LOOKED_FOR_ON_JOINING,
                        "is in force, and",
                        Fault.PAUSE_SWITCH,
                        Fault.EVERYBODY_LEAVES),
                rule(Mutation.LATE_LOCK_NOT_REHOMED, "an item that has ended stays locked", Fault.CUT),
                rule(
                        Delusion.OWNERSHIP_BY_ID,
                        "P1, one at a time: while there runs",
                        Fault.COLLIDING_ID,
                        Fault.LOST_ANSWER,
                        Fault.CUT),
                rule(
                        Mutation.MANUAL_RUN_ASKED_FOR_WITHOUT_ITS_VERSION,
                        "is over, and waits again",
                        Fault.TRIGGER,
                        Fault.SLOW),
                rule(
                        Delusion.TAKE_WITHOUT_THE_RECORDS_STATE,
                        "it is taken without having been interrupted",
                        Fault.FAILOVER_ITEM,
                        Fault.CRASH),
                rule(
                        Late.CLAIMS_AND_RESHARDS.and(Mutation.CLAIM_WITHOUT_THE_RECORDS_VERSION),
                        "P3, losses are told once",
                        Fault.CUT,
                        Fault.EXPIRY),
                rule(Delusion.BLIND_REPETITION_IN_A_NEW_SESSION, "is stuck", lagging(with(Fault.CUT, Fault.SLOW))),
                rule(
                        Delusion.ORPHANS_NOT_LOOKED_FOR_ON_ELECTION,
                        "is removed with an execution that nobody has told as lost",
                        Fault.CRASH,
                        Fault.COUNT),
                rule(Delusion.NO_WATCH_AFTER_A_REFUSAL, "was due when it ended", Fault.CUT),
                rule(Delusion.UNAVAILABLE_READ_AS_ABSENT, "P4, progress", Fault.CUT, Fault.LOST_ANSWER),
                rule(Delusion.LEASE_KEPT_FRESH_BY_READS, "P1, one at a time: while there runs", Fault.SERVER_CUT_OFF),
                rule(
                        Delusion.SKIP_OVER_A_RUNNING_RECORD,
                        "the record of an execution is overwritten",
                        Fault.ITEM_SWITCH),
                rule(
                        Delusion.LATE_COMPLETION_BY_REMEMBERED_VERSION,
                        "Recorded[state=INTERRUPTED",
                        notTakingOver(with(Fault.CUT, Fault.EXPIRY, Fault.PAUSE))),
                rule(
                        Misjudgement.BEGINNING_WITHOUT_ASKING_THE_LEASE,
                        "P1, one at a time: without its lock begins",
                        busy(with(Fault.PAUSE))),
                rule(
                        Delusion.SUSPENSION_NOT_HEARD,
                        "nothing new without the registry",
                        busy(with(Fault.MONITORED_SWITCH, Fault.CUT))),
                rule(
                        Late.DECISIONS.and(Delusion.OURS_BY_THE_LOCK_ALONE),
                        "P3, losses are told once",
                        busy(with(Fault.JOB_REGISTERED_ANEW, Fault.COUNT))),
                rule(Mutation.END_THAT_LEAVES_THE_FAILOVER_NODE, "is shown as taken over", busy(with(Fault.CRASH))),
                rule(
                        Late.REGISTRATIONS.and(Mutation.NODE_MADE_WITHOUT_MOVING_ITS_PARENT),
                        "another's node is deleted",
                        Fault.CUT,
                        Fault.COLLIDING_ID),
                rule(
                        Late.DECISIONS.and(Mutation.LATE_END_THAT_WAKES_NOBODY),
                        "P4, progress",
                        seed -> with(Fault.TRIGGER, Fault.CUT, Fault.PAUSE, Fault.BELL)
                                .apply(seed * 7 + 5)
                                .withFailover(false)),
                rule(
                        Delusion.SINCE_IGNORED,
                        "from before the schedule was in force",
                        Fault.CRON_SWITCH,
                        Fault.SERVER_SWITCH),
                rule(
                        Delusion.MANUAL_RUN_WITHOUT_A_RECORD,
                        "P3, no run lost",
                        Fault.MONITORED_SWITCH,
                        Fault.TRIGGER,
                        Fault.SLOW),
                rule(
                        Mutation.FIRINGS_SET_WITHOUT_THEIR_VERSION,
                        "a firing opens once",
                        opening(with(Fault.SLOW, Fault.BELL))),
                rule(
                        Delusion.OPENED_NOT_SEEN,
                        "no item is taken for a firing that has ended",
                        opening(with(Fault.CRASH, Fault.FAILOVER_SWITCH))),
                rule(Delusion.NEWEST_FIRING_FORGOTTEN, "a firing opens once", opening(with(Fault.COUNT))),
                rule(Delusion.GATE_NOT_SEEN, "a claim is one of an open firing", listening(with(Fault.BELL))),
                rule(
                        Delusion.REQUEST_NOT_AWAITED,
                        "no run is claimed before the listeners",
                        listening(with(Fault.TRIGGER, Fault.SLOW))),
                rule(
                        Delusion.WAITING_RUNS_TAKEN_FOR_DROPPED,
                        "items may not begin, but no call has failed",
                        listening(with(Fault.TRIGGER, Fault.CANCEL))),
                rule(Delusion.REFUSAL_NOT_SEEN, "a claim is one of an open firing", listening(with(Fault.BELL))),
                rule(
                        Delusion.LAST_END_NOT_AWAITED,
                        "a firing ends when every item of it has",
                        listening(with(Fault.BELL))),
                rule(
                        Delusion.INTERRUPTION_TAKEN_FOR_AN_END,
                        "a firing ends when every item of it has",
                        listening(with(Fault.CRASH))),
                rule(Mutation.REFUSAL_THAT_LEAVES_NO_END, "P3, no run lost", listening(with(Fault.TRIGGER))),
                rule(
                        Mutation.REFUSAL_THAT_SHOWS_NO_FAILURE,
                        "a refused one is shown as another execution",
                        listening(with(Fault.BELL))),
                rule(Mutation.CALL_WITHOUT_ITS_NEXT_ATTEMPT, "P6, once", listening(with(Fault.CRASH))),
                rule(Mutation.CALL_WITHOUT_ITS_LOCK, "P6, one at a time", listening(with(Fault.BELL))),
                rule(
                        Mutation.CALL_THAT_LEAVES_ITS_LOCK,
                        "every firing that was opened ends",
                        listening(with(Fault.BELL))),
                rule(
                        Mutation.FIRINGS_SET_WITHOUT_THEIR_VERSION,
                        "P6",
                        listening(with(Fault.SLOW, Fault.LOST_ANSWER, Fault.EXPIRY))),
                rule(
                        Mutation.END_THAT_FOLLOWERS_ARE_NOT_TOLD,
                        "P9, followed once: nobody is told",
                        opening(with(Fault.BELL))),
                rule(
                        Mutation.REPORT_WITHOUT_ITS_VERSION,
                        "watchdog, once",
                        watching(with(Fault.CUT, Fault.SLOW, Fault.LOST_ANSWER))),
                rule(Mutation.REPORT_THAT_IS_NOT_STORED, "which has not stored it", watching(with(Fault.BELL))),
                rule(Delusion.FAILURES_FORGOTTEN, "pause after failures: item", pausing(with(Fault.BELL))),
                rule(
                        Delusion.RESUME_THAT_ENDS_NO_COUNT,
                        "pause after failures: the job is paused",
                        pausing(with(Fault.BELL))),
                rule(
                        Late.PAUSES_AFTER_FAILURES.and(Mutation.PAUSE_AFTER_FAILURES_WITHOUT_VERSIONS),
                        "pause after failures: the job is paused",
                        pausing(with(Fault.PAUSE_SWITCH))),
                rule(Delusion.OVERLAP_NOT_SEEN, "overlap, skip: item", skipping(with(Fault.BELL))),
                rule(Delusion.OVERLAP_NOT_SEEN, "overlap, cancel: item", cancelling(with(Fault.BELL))),
                rule(
                        Mutation.WISH_WITHOUT_THE_RECORDS_VERSION,
                        "it is started without a new lock",
                        cancelling(with(Fault.SLOW))),
                rule(Delusion.CATCH_UP_NOT_SEEN, "catch up, each: item", catchingUp(with(Fault.BELL))),
                rule(Delusion.CATCH_UP_NOT_SEEN, "leaves out", catchingUpOpened(with(Fault.BELL))),
                rule(Delusion.CATCH_UP_WINDOW_NOT_SEEN, "catch up, window: item", forgetting(with(Fault.BELL))),
                rule(Delusion.OVERLAP_NOT_SEEN, "runs on until", cancellingWhoCatchUp(with(Fault.BELL))),
                rule(
                        Delusion.CLAIM_TIME_NOT_SEEN,
                        "is cancelled for no firing",
                        busy(cancellingWhoCatchUp(with(Fault.BELL)))),
                rule(Delusion.JITTER_NOT_SEEN, "jitter: item", jittered(with(Fault.BELL))),
                rule(
                        Mutation.CLAIM_WITHOUT_THE_VERSION_OF_THE_CHOICE,
                        "placement: ",
                        choosing(with(Fault.RUN_ON_SWITCH, Fault.SLOW))),
                rule(
                        Mutation.STARTS_WHATEVER_ITS_LABELS,
                        "placement: ",
                        choosing(with(Fault.RUN_ON_SWITCH, Fault.EXPIRY))),
                rule(Delusion.WEIGHT_NOT_SEEN, "capacity: ", weighing(with(Fault.SLOW))),
                rule(
                        CapacityMutation.ROOM_GIVEN_BACK_BEFORE_THE_LOCK_IS_GONE,
                        "capacity: with",
                        weighing(with(Fault.SLOW))),
                rule(CapacityMutation.ROOM_NEVER_GIVEN_BACK, "capacity", weighing(with(Fault.SLOW))),
                rule(CapacityMutation.ROOM_THAT_CALLS_NOBODY, "capacity, lateness: ", weighing(with(Fault.BELL))),
                rule(CapacityMutation.LIGHT_ITEMS_THAT_PASS, "capacity, in turn: ", weighing(with(Fault.BELL))),
                rule(
                        CapacityMutation.CLAIM_WITH_A_FORMER_WEIGHT,
                        "capacity: with",
                        weighing(with(Fault.WEIGHT_SWITCH))),
                rule(CapacityMutation.CLAIM_WITHOUT_ASKING_FOR_ROOM, "capacity: with", weighing(with(Fault.SLOW))),
                rule(
                        CapacityMutation.CLAIM_WITHOUT_ASKING_FOR_ROOM,
                        "a process executes",
                        weighing(with(Fault.MONITORED_SWITCH))),
                rule(CapacityMutation.HELP_WITHOUT_ASKING_FOR_ROOM, "capacity: with", weighing(with(Fault.SLOW))),
                rule(Mutation.OWNER_THAT_NEVER_OFFERS, "capacity, help: ", weighing(with(Fault.BELL))),
                rule(Mutation.OFFER_THAT_STAYS, "capacity, offers: ", weighing(with(Fault.BELL))),
                rule(
                        Late.HELPS.and(Mutation.HELP_WITHOUT_THE_RECORDS_VERSION),
                        "P2, once per firing",
                        weighing(with(Fault.SLOW, Fault.CUT))),
                rule(
                        Mutation.CLAIM_WITHOUT_THE_VERSION_OF_THE_CHOICE,
                        "capacity: with",
                        weighing(with(Fault.WEIGHT_SWITCH, Fault.SLOW))),
                rule(Delusion.JITTER_NOT_SEEN, "is claimed before", jitteredWhoCatchUp(with(Fault.BELL))),
                rule(
                        Mutation.CLAIM_AT_ITS_OWN_TIME,
                        "at which the schedule has no firing",
                        firingOnce(with(Fault.EVERYBODY_LEAVES))),
                rule(
                        Mutation.FULL_STOP_TAKEN_FOR_A_PAUSE,
                        "P3, no firing lost: item",
                        firingOnce(with(Fault.EVERYBODY_LEAVES))),
                rule(
                        Delusion.DELAYED_FIRING_TAKEN_FOR_ANOTHER,
                        "watchdog, the truth: firing",
                        watchingDelays(with(Fault.BELL))),
                rule(Delusion.SUCCESSORS_NOT_AWAITED, "placement, nothing moves while", awaiting(with(Fault.BELL))),
                rule(
                        Delusion.SUCCESSORS_KNOWN_BY_THEIR_ID_ALONE,
                        "placement, nothing moves after",
                        awaiting(with(Fault.BELL))),
                rule(
                        Delusion.SUCCESSORS_AWAITED_FOR_EVER,
                        "which isn't there, after nobody has come",
                        awaiting(with(Fault.BELL))),
                rule(
                        Mutation.WAIT_ENDED_WITHOUT_A_SIGNAL,
                        "which isn't there, after an operator has ended the wait",
                        awaiting(with(Fault.BELL))),
                rule(Mutation.WRONG_CLOCK_NOT_SHOWN, "clocks: ", limitingClocks(with(Fault.WRONG_CLOCK))),
                rule(Mutation.RIGHT_CLOCK_NOT_SHOWN, "clocks: ", limitingClocks(with(Fault.WRONG_CLOCK))),
                rule(StrategyMutation.PRESENT_OWNERS_IGNORED, "moves bounded: ZONE", dividing(2)),
                rule(StrategyMutation.PRESENT_OWNERS_IGNORED, "moves bounded: WEIGHTED", dividing(5)),
                rule(StrategyMutation.PRESENT_OWNERS_IGNORED, "moves bounded: STICKY", dividing(7)),
                rule(StrategyMutation.PRESENT_OWNERS_IGNORED, "moves bounded: MEASURED", dividing(9)),
                rule(DemandMutation.PAUSES_OVERLOOKED, "demand: item", Fault.BELL),
                rule(DemandMutation.RUNS_OF_THE_LEADER_OVERLOOKED, "demand: ", watchingDelays(with(Fault.BELL))),
                rule(DemandMutation.EVERYTHING_TAKEN_FOR_CLAIMED, "demand: nobody is there", Fault.BELL),
                rule(DemandMutation.REQUESTS_OVERLOOKED, "demand: nothing was open", mad()),
                rule(DemandMutation.DISABLED_ITEMS_OVERLOOKED, "demand: item", mad()),
                rule(DemandMutation.INTERRUPTIONS_OVERLOOKED, "demand: ", mad()),
                rule(Delusion.DISABLED_NOT_SEEN, "a disabled item is claimed", Fault.BELL),
                rule(Delusion.DISABLED_NOT_SEEN, "a disabled item is taken over", Fault.BELL));
    }

    private static Arguments rule(Flaw flaw, String reason, Fault first, Fault... others) {
        return rule(flaw, reason, with(first, others));
    }

    private static Arguments rule(Flaw flaw, String reason, LongFunction<Scenario> scenarios) {
        return Arguments.of(flaw, reason, scenarios);
    }

    private static LongFunction<Scenario> with(Fault first, Fault... others) {
        EnumSet<Fault> faults = EnumSet.of(first, others);
        return seed -> Scenario.of(seed, Run.ALL_FAULTS).with(faults);
    }

    /** Only those whose firings are opened in the whole cluster. */
    private static LongFunction<Scenario> opening(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(4 * seed + 3);
    }

    /** Only those whose first job has cluster listeners. */
    private static LongFunction<Scenario> listening(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(8 * seed + 5);
    }

    /** Only those whose first job limits the difference of clocks. */
    private static LongFunction<Scenario> limitingClocks(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(19 * seed + 3);
    }

    /** Only those whose first job is watched. */
    private static LongFunction<Scenario> watching(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(8 * seed + 6);
    }

    /** Only those in which pods come and go as a controller gone mad likes, and nothing else happens. */
    private static LongFunction<Scenario> mad() {
        return takingOver(with(Fault.MAD_CONTROLLER));
    }

    /** Only those whose first job has a fixed delay. */
    private static LongFunction<Scenario> delaying(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(9 * seed + 4);
    }

    /** Only those whose first job pauses itself after failures. */
    private static LongFunction<Scenario> pausing(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(16 * seed + 10);
    }

    /** Only those whose first job skips what comes due while the item executes. */
    private static LongFunction<Scenario> skipping(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(9 * seed + 2).busy();
    }

    /** Only those whose first job cancels for the next firing. */
    private static LongFunction<Scenario> cancelling(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(9 * seed + 5).busy();
    }

    /** Only those whose first job makes up for each missed firing. */
    private static LongFunction<Scenario> catchingUp(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(9 * seed + 8).busy();
    }

    /** Only those whose first job chooses its instances. */
    private static LongFunction<Scenario> choosing(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(13 * seed + 8).busy();
    }

    /** Only those whose first job has heavy items. */
    private static LongFunction<Scenario> weighing(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(11 * seed + 7).busy();
    }

    /** The same where its firings are opened in the whole cluster. */
    private static LongFunction<Scenario> catchingUpOpened(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(36 * seed + 35).busy();
    }

    /** The same, but for those that are older than its window. */
    private static LongFunction<Scenario> forgetting(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(18 * seed + 3).busy();
    }

    /** The same where the next firing cancels what runs. */
    private static LongFunction<Scenario> cancellingWhoCatchUp(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(27 * seed + 8);
    }

    /** The same with jitter. */
    private static LongFunction<Scenario> jitteredWhoCatchUp(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(27 * seed + 17);
    }

    /** Only those whose first job fires once. */
    private static LongFunction<Scenario> firingOnce(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(42 * seed + 37);
    }

    /** Only those whose first job has a fixed delay, and is watched. */
    private static LongFunction<Scenario> watchingDelays(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(72 * seed + 22);
    }

    /** Only those whose first job has jitter. */
    private static LongFunction<Scenario> jittered(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(9 * seed + 7);
    }

    /** Only those in which the items of one that leaves wait for its successor. */
    private static LongFunction<Scenario> awaiting(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(5 * seed + 3);
    }

    /** Only those whose items are divided by one strategy. */
    private static LongFunction<Scenario> dividing(int strategy) {
        return busy(seed -> with(Fault.BELL).apply(23 * seed + strategy));
    }

    /** Only those in which one leaves in good order once all is well. */
    private static LongFunction<Scenario> draining(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(3 * seed + 1);
    }

    /** With failover. */
    private static LongFunction<Scenario> takingOver(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(seed).withFailover(true);
    }

    /** Without failover. */
    private static LongFunction<Scenario> notTakingOver(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(seed).withFailover(false);
    }

    /** With frequent firings. */
    private static LongFunction<Scenario> frequent(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(seed).frequent();
    }

    /** With servers that are far behind. */
    private static LongFunction<Scenario> lagging(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(seed).lagging();
    }

    /** With many items, frequent firings and long executions. */
    private static LongFunction<Scenario> busy(LongFunction<Scenario> scenarios) {
        return seed -> scenarios.apply(seed).busy();
    }
}
