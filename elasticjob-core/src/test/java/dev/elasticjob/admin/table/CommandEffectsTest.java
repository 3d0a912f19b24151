package dev.elasticjob.admin.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.ScheduleReport;
import dev.elasticjob.admin.JobReport.WaitingRun;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each command and each state that matters to it: what would follow. */
class CommandEffectsTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final String FIRING = "orders@" + AT;

    /** Items 0 and 1 on "a", 2 and 3 on "b": 0 runs, 1 has failed, 2 is disabled, 3 was interrupted. */
    private static final CommandEffects USUAL = seen(
            Optional.empty(),
            List.of(instance("a", "10.0.0.1", 0, 1), instance("b", "10.0.0.2", 2, 3)),
            item(0, "a").running(),
            item(1, "a").last(ItemState.FAILED),
            item(2, "b").disabled(),
            item(3, "b").last(ItemState.INTERRUPTED).waiting("month-end"));

    private static final CommandEffects PAUSED = with(USUAL, pause(PausedBy.Scope.JOB));
    private static final CommandEffects ALL_PAUSED = with(USUAL, pause(PausedBy.Scope.NAMESPACE));
    private static final CommandEffects ALONE = seen(
            Optional.empty(),
            List.of(instance("a", "10.0.0.1", 0)),
            item(0, "a").running());
    private static final CommandEffects NOBODY = seen(Optional.empty(), List.of(), item(0, null));
    private static final CommandEffects DRAINED = seen(Optional.empty(), List.of(drained("a")), item(0, "a"));

    /** At 3 o'clock, and the same with a backfill. */
    private static final CommandEffects DAILY = daily(Optional.empty());

    private static final CommandEffects FILLED =
            daily(Optional.of(new BackfillReport("mei", Optional.empty(), AT, List.of(AT), 0, List.of())));
    /** Both ends are scheduled times. */
    private static final BackfillRequest DAYS = BackfillRequest.of(AT.minus(Duration.ofDays(2)), AT);

    private static final BackfillRequest HOUR = BackfillRequest.of(AT.plusSeconds(1), AT.plusSeconds(3_600));
    private static final BackfillRequest YEARS = BackfillRequest.of(AT.minus(Duration.ofDays(1_001)), AT);

    static Stream<Arguments> whatFollows() {
        return Stream.of(
                row("run", USUAL.run(Set.of()), "CHANGES ITEMS_RUN 3, DISABLED_STAY_OUT 1, RUNNING_RUN_AGAIN 1"),
                row("run one", USUAL.run(Set.of(1)), "CHANGES ITEMS_RUN 1"),
                row("run a disabled one", USUAL.run(Set.of(2)), "REFUSED NO_OWNER"),
                row("run paused", PAUSED.run(Set.of()), "REFUSED PAUSED"),
                row("run nobody's", NOBODY.run(Set.of()), "REFUSED NO_OWNER"),
                row("run again", USUAL.runAgain(FIRING), "CHANGES FAILED_RUN_AGAIN 1"),
                row("run again another", USUAL.runAgain("x"), "REFUSED NONE_FAILED"),
                row("run again paused", ALL_PAUSED.runAgain(FIRING), "REFUSED PAUSED"),
                row("cancel item", cancelItem(0), "CHANGES EXECUTIONS_END 1"),
                row("cancel interrupted", cancelItem(3), "CHANGES NOT_TAKEN_OVER 1"),
                row("cancel idle", cancelItem(1), "REFUSED NOTHING_TO_CANCEL"),
                row("cancel firing", cancelRun(FIRING), "CHANGES EXECUTIONS_END 1, NOT_TAKEN_OVER 1, REST_IS_SKIPPED"),
                row("cancel waiting", cancelRun("month-end"), "CHANGES RUNS_DROPPED 1"),
                row("cancel unknown", cancelRun("x"), "REFUSED NOTHING_TO_CANCEL"),
                row("pause", USUAL.pause(), "CHANGES NOTHING_STARTS, RUNNING_CONTINUE 1"),
                row("pause paused", PAUSED.pause(), "NOTHING ALREADY"),
                row("pause in pause", ALL_PAUSED.pause(), "CHANGES NOTHING_STARTS, RUNNING_CONTINUE 1"),
                row("resume", PAUSED.resume(), "CHANGES STARTS_AGAIN"),
                row("resume running", USUAL.resume(), "NOTHING ALREADY"),
                row("resume in pause", ALL_PAUSED.resume(), "NOTHING NAMESPACE_STAYS_PAUSED"),
                row("drain", USUAL.drain("a"), "CHANGES ITEMS_MOVE 2, RUNNING_CONTINUE 1, UNTIL_RESTART"),
                row("drain last", ALONE.drain("a"), "CHANGES NOBODY_TAKES_OVER, RUNNING_CONTINUE 1, UNTIL_RESTART"),
                row("drain drained", DRAINED.drain("a"), "NOTHING ALREADY"),
                row("undrain", DRAINED.undrain("a"), "CHANGES REBALANCED"),
                row("undrain active", USUAL.undrain("a"), "NOTHING ALREADY"),
                row("disable item", USUAL.disableItems(Set.of(0)), "CHANGES FIRINGS_SKIPPED, RUNNING_CONTINUE 1"),
                row("disable disabled", USUAL.disableItems(Set.of(2)), "NOTHING ALREADY"),
                row("enable item", USUAL.enableItems(Set.of(2)), "CHANGES FROM_NEXT_FIRING"),
                row("enable enabled", USUAL.enableItems(Set.of(0)), "NOTHING ALREADY"),
                row("run unknown items", USUAL.run(Set.of(0, 7, 8)), "REFUSED NO_SUCH_ITEMS 2"),
                row(
                        "cancel several items",
                        USUAL.cancel(Optional.empty(), Set.of(0, 1, 3)),
                        "CHANGES EXECUTIONS_END 1, NOT_TAKEN_OVER 1"),
                row(
                        "cancel a firing on several items",
                        USUAL.cancel(Optional.of(FIRING), Set.of(0, 2)),
                        "CHANGES EXECUTIONS_END 1"),
                row("cancel unknown items", USUAL.cancel(Optional.empty(), Set.of(0, 7)), "REFUSED NO_SUCH_ITEMS 1"),
                row(
                        "disable several items",
                        USUAL.disableItems(Set.of(0, 1, 2)),
                        "CHANGES FIRINGS_SKIPPED, RUNNING_CONTINUE 1"),
                row("disable unknown items", USUAL.disableItems(Set.of(0, 4, 5)), "REFUSED NO_SUCH_ITEMS 2"),
                row("enable several items", USUAL.enableItems(Set.of(0, 2)), "CHANGES FROM_NEXT_FIRING"),
                row("enable unknown items", USUAL.enableItems(Set.of(4)), "REFUSED NO_SUCH_ITEMS 1"),
                row("disable server", USUAL.disableServer("10.0.0.2"), "CHANGES ITEMS_MOVE 2, ONLY_THIS_JOB"),
                row(
                        "disable last server",
                        ALONE.disableServer("10.0.0.1"),
                        "CHANGES NOBODY_TAKES_OVER, RUNNING_CONTINUE 1, ONLY_THIS_JOB"),
                row("enable server", USUAL.enableServer("10.0.0.9"), "CHANGES REBALANCED, ONLY_THIS_JOB"),
                row("enable enabled server", USUAL.enableServer("10.0.0.1"), "NOTHING ALREADY"),
                row("reshard", USUAL.reshard(), "CHANGES REBALANCED, RUNNING_CONTINUE 1"),
                row("disable", USUAL.disable(), "CHANGES SERVERS_DISABLED 2, RUNNING_CONTINUE 1"),
                row("disable nobody's", NOBODY.disable(), "REFUSED NO_SERVER"),
                row("enable", USUAL.enable(), "NOTHING ALREADY"),
                row("enable nobody's", NOBODY.enable(), "REFUSED NO_SERVER"),
                row("backfill before the first plan", USUAL.backfill(DAYS), "REFUSED NO_TIMES"),
                row("backfill of a delay", scheduled("fixedDelay PT30S").backfill(DAYS), "REFUSED NO_TIMES_AT_ALL"),
                row("backfill of no schedule", scheduled("").backfill(DAYS), "REFUSED NO_TIMES_AT_ALL"),
                row("backfill", DAILY.backfill(DAYS), "CHANGES TIMES_RUN 3, SCHEDULE_GOES_FIRST"),
                row("backfill nothing", DAILY.backfill(HOUR), "REFUSED NO_TIMES"),
                row("backfill years", DAILY.backfill(YEARS), "REFUSED TOO_MANY_TIMES 1000"),
                row("a second backfill", FILLED.backfill(DAYS), "REFUSED BACKFILL_GOES_ON"),
                row("stop a backfill", FILLED.stopBackfill(), "CHANGES NO_FURTHER_TIME, TIMES_UNDER_WAY 1"),
                row("stop none", DAILY.stopBackfill(), "REFUSED NO_BACKFILL"),
                row(
                        "remove",
                        USUAL.remove(),
                        "CHANGES INSTANCES_STOP 2, RUNNING_CONTINUE 1, GONE_FOR_GOOD, COMES_BACK"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatFollows(String command, Preview preview, String expected) {
        String text = preview.outcome() + " "
                + String.join(
                        ", ",
                        preview.effects().stream()
                                .map(effect -> effect.code() + (effect.count() == 0 ? "" : " " + effect.count()))
                                .toList());

        assertThat(text).as(command).isEqualTo(expected);
    }

    // ------------------------------------------------------------------ jobs

    private static Arguments row(String command, Preview preview, String expected) {
        return Arguments.of(command, preview, expected);
    }

    private static Preview cancelItem(int item) {
        return USUAL.cancel(Optional.empty(), Set.of(item));
    }

    private static Preview cancelRun(String runId) {
        return USUAL.cancel(Optional.of(runId), Set.of());
    }

    private static PausedBy pause(PausedBy.Scope scope) {
        return new PausedBy(scope, AT, "mei", "INC-7", Optional.empty());
    }

    private static CommandEffects with(CommandEffects seen, PausedBy paused) {
        return seen(Optional.of(paused), seen.instances(), seen.job().items());
    }

    private static CommandEffects seen(Optional<PausedBy> paused, List<InstanceReport> instances, Item... items) {
        return seen(paused, instances, Stream.of(items).map(Item::report).toList());
    }

    private static CommandEffects daily(Optional<BackfillReport> backfill) {
        return new CommandEffects(
                job(
                        Optional.of(new ScheduleReport(
                                ScheduleKind.CRON, "0 0 3 * * ?", Optional.of("0 0 3 * * ?"), "UTC")),
                        backfill,
                        Optional.empty(),
                        List.of(),
                        List.of(item(0, "a").report())),
                List.of());
    }

    private static CommandEffects scheduled(String schedule) {
        ScheduleKind kind = Schedule.of(schedule, ZoneOffset.UTC).kind();
        var report = new ScheduleReport(kind, schedule, Optional.empty(), "UTC");
        return new CommandEffects(
                job(Optional.of(report), Optional.empty(), Optional.empty(), List.of(), List.of()), List.of());
    }

    private static CommandEffects seen(
            Optional<PausedBy> paused, List<InstanceReport> instances, List<ItemReport> items) {
        return new CommandEffects(job(Optional.empty(), Optional.empty(), paused, instances, items), instances);
    }

    private static JobReport job(
            Optional<ScheduleReport> schedule,
            Optional<BackfillReport> backfill,
            Optional<PausedBy> paused,
            List<InstanceReport> instances,
            List<ItemReport> items) {
        return new JobReport(
                "orders",
                Optional.of(JobType.SIMPLE),
                schedule,
                Optional.empty(),
                Optional.empty(),
                JobStatus.READY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                false,
                instances.stream().map(InstanceReport::id).toList(),
                items,
                List.of(),
                backfill,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                paused,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static InstanceReport instance(String id, String server, Integer... items) {
        return new InstanceReport(
                id,
                server,
                AT,
                "of ours",
                Optional.of("1.0.0"),
                Map.of(),
                OptionalInt.empty(),
                true,
                false,
                false,
                false,
                Optional.empty(),
                false,
                List.of(items));
    }

    @Test
    void aDrainOfAnInstanceThatIsNotThereFailsAsTheCommandDoes() {
        assertThatThrownBy(() -> USUAL.drain("nobody"))
                .isInstanceOf(UnknownTargetException.class)
                .hasMessageContaining("has no instance \"nobody\"");
    }

    private static InstanceReport drained(String id) {
        var by = new DrainedBy(AT, "mei", "");
        return new InstanceReport(
                id,
                "10.0.0.1",
                AT,
                "of ours",
                Optional.of("1.0.0"),
                Map.of(),
                OptionalInt.empty(),
                true,
                false,
                false,
                true,
                Optional.of(by),
                false,
                List.of());
    }

    private static Item item(int item, @Nullable String owner) {
        return new Item(item, Optional.ofNullable(owner), false, false, ItemState.COMPLETED, List.of());
    }

    private record Item(
            int item,
            Optional<String> owner,
            boolean isRunning,
            boolean isDisabled,
            ItemState state,
            List<WaitingRun> waiting) {
        Item running() {
            return new Item(item, owner, true, isDisabled, ItemState.RUNNING, waiting);
        }

        Item disabled() {
            return new Item(item, owner, isRunning, true, state, waiting);
        }

        Item last(ItemState last) {
            return new Item(item, owner, isRunning, isDisabled, last, waiting);
        }

        Item waiting(String runId) {
            return new Item(
                    item,
                    owner,
                    isRunning,
                    isDisabled,
                    state,
                    List.of(
                            new WaitingRun(List.of(runId), "", "", "", ""),
                            new WaitingRun(List.of("x"), "", "", "", "dropped")));
        }

        ItemReport report() {
            var last = new Execution(
                    state,
                    Optional.of(AT),
                    owner,
                    Optional.of(FIRING),
                    Optional.empty(),
                    Optional.empty(),
                    1,
                    0,
                    Optional.of(AT),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            return new ItemReport(
                    item,
                    owner,
                    isRunning,
                    Optional.empty(),
                    isDisabled,
                    false,
                    state == ItemState.INTERRUPTED,
                    Optional.empty(),
                    waiting,
                    last,
                    Optional.empty(),
                    Optional.empty(),
                    AT,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
