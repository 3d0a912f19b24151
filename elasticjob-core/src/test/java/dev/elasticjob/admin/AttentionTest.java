package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.Failing;
import dev.elasticjob.admin.JobReport.FiringReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.JobReport.Overweight;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.admin.explain.Standstill.Cause;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each state of a job and of its items: what needs a person. */
class AttentionTest {
    @Test
    void allInstancesOfWhichTheSameIsTrueAreNamed() {
        JobReport job =
                job(JobStatus.READY, item(0).owner("b"), item(1).owner("c"), item(2).owner("d"), item(3).owner("b"));

        assertThat(Attention.of(job)).singleElement().satisfies(finding -> {
            assertThat(finding.items()).containsExactly(0, 1, 2, 3);
            assertThat(finding.fact().text()).isEqualTo("The item's owner \"b\" has left or died; likewise c, d");
        });
    }

    private static final ItemSummary NO_ITEMS = new ItemSummary(0, ItemState.NEW, 0, Optional.empty());
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final String HERE = "a";

    static Stream<Arguments> findings() {
        return Stream.of(
                row("all is well", job(JobStatus.READY, item(0)), ""),
                row(
                        "running",
                        job(JobStatus.READY, item(0).last(ItemState.RUNNING).running()),
                        ""),
                row("not run yet", job(JobStatus.READY, item(0).last(ItemState.NEW)), ""),
                row("unreadable", job(JobStatus.UNREADABLE, item(0).last(ItemState.FAILED)), "UNREADABLE []"),
                row("foreign", job(JobStatus.FOREIGN_INSTANCES), "FOREIGN_INSTANCES []"),
                row("no instance", job(JobStatus.NO_INSTANCE, List.of(), item(0)), "NO_INSTANCE []"),
                row(
                        "no instance, and failed",
                        job(JobStatus.NO_INSTANCE, List.of(), item(0).last(ItemState.FAILED)),
                        "NO_INSTANCE [], FAILED [0]"),
                row(
                        "the last server disabled",
                        still(JobStatus.DISABLED, Cause.SERVERS_DISABLED),
                        "ALL_SERVERS_DISABLED []"),
                row("disabled as a whole", still(JobStatus.DISABLED, Cause.JOB_DISABLED), ""),
                row("declared as disabled", still(JobStatus.DISABLED, Cause.DECLARED_DISABLED), ""),
                row("drained", still(JobStatus.DRAINED, Cause.DRAINED), "ALL_INSTANCES_DRAINED []"),
                row(
                        "partly drained, partly disabled",
                        still(JobStatus.UNPLANNED, Cause.DRAINED),
                        "ALL_INSTANCES_DRAINED []"),
                row("no labels match", still(JobStatus.UNMATCHED, Cause.UNMATCHED), "NO_INSTANCE_MATCHES []"),
                row("all instances are stopping", job(JobStatus.DRAINED, item(0)), ""),
                row("no leader", job(JobStatus.NO_LEADER, item(0)), "NO_LEADER []"),
                row("paused by people", job(JobStatus.PAUSED, item(0)), ""),
                row("being removed", job(JobStatus.REMOVED, item(0).last(ItemState.FAILED)), ""),
                row("its calendar ends", ending(JobStatus.READY), "CALENDAR_ENDS []"),
                row("its calendar ends while nobody runs it", ending(JobStatus.NO_LEADER), "NO_LEADER []"),
                row("not planned yet", job(JobStatus.UNPLANNED), ""),
                row("failed", job(JobStatus.READY, item(0), item(1).last(ItemState.FAILED)), "FAILED [1]"),
                row(
                        "cancelled",
                        job(JobStatus.READY, item(0).last(ItemState.FAILED).cancelled()),
                        ""),
                row(
                        "failed, and runs again",
                        job(
                                JobStatus.READY,
                                item(0).last(ItemState.RUNNING).running().failing(3)),
                        "FAILED [0]"),
                row(
                        "failed, then interrupted",
                        job(JobStatus.READY, item(0).last(ItemState.INTERRUPTED).failing(3)),
                        "INTERRUPTED [0]"),
                row(
                        "failed, then cancelled",
                        job(
                                JobStatus.READY,
                                item(0).last(ItemState.FAILED).cancelled().failing(3)),
                        "FAILED [0]"),
                row(
                        "waits for a thread",
                        job(JobStatus.READY, item(0).with(Mark.WITHOUT_THREAD).running()),
                        "WAITS_FOR_THREAD [0]"),
                row("listeners that take long", slow(), "LISTENERS_SLOW []"),
                row("a problem", job(JobStatus.READY, List.of(HERE), Optional.of("no"), item(0)), "PROBLEM []"),
                row(
                        "waits for failover",
                        job(JobStatus.READY, item(0).last(ItemState.INTERRUPTED).waiting()),
                        "WAITS_FOR_FAILOVER [0]"),
                row("interrupted", job(JobStatus.READY, item(0).last(ItemState.INTERRUPTED)), "INTERRUPTED [0]"),
                row("too heavy", job(JobStatus.READY, item(0).with(Mark.HEAVY)), "ITEM_TOO_HEAVY [0]"),
                row(
                        "too heavy, but disabled",
                        job(JobStatus.READY, item(0).with(Mark.HEAVY).disabled()),
                        ""),
                row(
                        "too heavy, but running since before",
                        job(JobStatus.READY, item(0).with(Mark.HEAVY).running()),
                        ""),
                row("a wrong clock", wrongClocks(false), "CLOCK_DIFFERS []"),
                row("no clock that is right", wrongClocks(true), "ALL_CLOCKS_DIFFER []"),
                row("owner awaited", job(JobStatus.READY, item(0).owner("b").with(Mark.AWAITED)), ""),
                row("owner gone", job(JobStatus.READY, item(0).owner("b")), "OWNER_GONE [0]"),
                row("no owner yet", job(JobStatus.READY, item(0).owner(null)), ""),
                row("record unreadable", job(JobStatus.READY, item(0).corrupt()), "RECORD_UNREADABLE [0]"),
                row("stuck", job(JobStatus.READY, item(0).running(), item(1).stuck()), "STUCK [1]"),
                row("a firing that nobody has begun", overdue(JobStatus.READY), "NOT_BEGUN []"),
                row("nobody can begin it", overdue(JobStatus.NO_LEADER), "NO_LEADER []"),
                row("a parent that can't be followed", after(JobStatus.READY, "bills"), "PARENT_NOT_FOLLOWED []"),
                row("a backfill that goes on", backfill(JobStatus.READY), ""),
                row("a backfill in a pause", backfill(JobStatus.PAUSED), ""),
                row("a backfill that has failed times", backfill(JobStatus.READY, AT), "BACKFILL_FAILED []"),
                row(
                        "a backfill that nobody goes on with",
                        backfill(JobStatus.NO_INSTANCE, AT),
                        "NO_INSTANCE [], BACKFILL_STANDS_STILL [], BACKFILL_FAILED []"),
                row("late", job(JobStatus.READY, item(0).misfired()), "LATE [0]"),
                row("late, but running", job(JobStatus.READY, item(0).misfired().running()), ""),
                row(
                        "late, but disabled",
                        job(JobStatus.READY, item(0).misfired().disabled()),
                        ""),
                row(
                        "several",
                        job(
                                JobStatus.READY,
                                item(0).last(ItemState.FAILED),
                                item(1).misfired(),
                                item(2).last(ItemState.FAILED),
                                item(3).owner("b")),
                        "OWNER_GONE [3], FAILED [0, 2], LATE [1]"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void findings(String state, JobReport job, String expected) {
        assertThat(Attention.of(job).stream()
                        .map(finding -> finding.kind() + " " + finding.items())
                        .collect(Collectors.joining(", ")))
                .as(state)
                .isEqualTo(expected);
    }

    @Test
    void aJobThatIsReadyMayHaveAProblemNevertheless() {
        JobReport job = job(JobStatus.READY, List.of(HERE), Optional.of("it can't follow \"b\""), item(0));

        assertThat(Attention.of(job))
                .containsExactly(new Finding(
                        "orders",
                        Kind.PROBLEM,
                        new TreeSet<>(),
                        Optional.empty(),
                        Optional.empty(),
                        Fact.JOB_PROBLEM.of("problem", "it can't follow \"b\""),
                        Remedy.CORRECT_PROBLEM.of()));
    }

    @Test
    void whatIsFoundSaysSinceWhenAndWhat() {
        assertThat(Attention.of(job(JobStatus.READY, item(1).stuck())))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.since()).hasValue(AT);
                    assertThat(finding.fact().text()).contains("\"a\"", "stuckAfter");
                });
        assertThat(Attention.of(overdue(JobStatus.READY))).singleElement().satisfies(finding -> {
            assertThat(finding.since()).hasValue(AT);
            assertThat(finding.fact().text()).contains("expectWithin");
        });
        assertThat(Attention.of(backfill(JobStatus.NO_LEADER)))
                .last()
                .satisfies(finding -> assertThat(finding.fact().text()).contains("\"mei\"", "none leads"));
    }

    @Test
    void ofSeveralFailuresTheEarliestIsShown() {
        JobReport job = job(
                JobStatus.READY,
                item(0).last(ItemState.FAILED).ended(AT.plusSeconds(9)).failure("second\n\tat X"),
                item(1).last(ItemState.FAILED).ended(AT).failure("first\n\tat X"));

        assertThat(Attention.of(job)).singleElement().satisfies(finding -> {
            assertThat(finding.since()).hasValue(AT);
            assertThat(finding.fact().text()).isEqualTo("It has failed: first");
        });
    }

    @Test
    void aFailureSaysSinceWhenHowOftenAndWhenItLastSucceeded() {
        JobReport job = job(
                JobStatus.READY,
                item(0).last(ItemState.FAILED).ended(AT.plusSeconds(900)).failing(30));

        assertThat(Attention.of(job)).singleElement().satisfies(finding -> {
            assertThat(finding.since()).as("the first failure").hasValue(AT);
            assertThat(finding.fact().text())
                    .contains(
                            "it failed",
                            "30 times in a row",
                            AT.minusSeconds(60).toString());
        });
    }

    @Test
    void aJobThatNobodyRunsIsAsOldAsTheFirstFiringThatNobodyHasBegun() {
        JobReport job = job(JobStatus.NO_INSTANCE, List.of(), item(0).owes(AT.plusSeconds(60)), item(1).owes(AT));

        assertThat(Attention.of(job)).singleElement().satisfies(finding -> {
            assertThat(finding.since()).hasValue(AT);
            assertThat(finding.fact().text()).contains("No instance", AT.toString());
        });
    }

    @Test
    void whoDrainedTheLastInstanceIsSaid() {
        assertThat(Attention.of(still(JobStatus.DRAINED, Cause.DRAINED)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.since()).hasValue(AT);
                    assertThat(finding.fact().text()).contains("\"mei\"", "new kernel");
                });
    }

    @Test
    void whatTheRegistryShowsNoTimeOfIsAsOldAsTheFirstOfTheLooksThatFindIt() {
        ManualTime time = new ManualTime(AT);
        FirstSeen<Finding, Kind> seen = Finding.seenBy(time);
        List<Finding> leaderless = Attention.of(job(JobStatus.NO_LEADER, item(0)));
        List<Finding> first = seen.dated("orders", leaderless);
        time.advance(Duration.ofMinutes(5));

        List<Finding> later = seen.dated("orders", leaderless);
        seen.dated("orders", List.of());
        List<Finding> again = seen.dated("orders", leaderless);

        assertThat(first).extracting(Finding::seen).containsExactly(Optional.of(AT));
        assertThat(later).isEqualTo(first);
        assertThat(again).extracting(Finding::seen).containsExactly(Optional.of(AT.plusSeconds(300)));
        assertThat(later).extracting(Finding::since).containsExactly(Optional.empty());
    }

    /** Beside those that no single job shows, and that of a pause, which {@code PauseAfterFailuresTest} has. */
    @Test
    void everyKindIsInTheTableAndHasAnAge() {
        FirstSeen<Finding, Kind> seen = Finding.seenBy(new ManualTime(AT));

        List<Finding> all = findings()
                .flatMap(row -> seen.dated("orders", Attention.of((JobReport) row.get()[1])).stream())
                .toList();

        assertThat(all)
                .allSatisfy(finding -> assertThat(finding.since().or(finding::seen))
                        .as(finding.kind().name())
                        .isPresent());
        assertThat(EnumSet.complementOf(
                        EnumSet.copyOf(all.stream().map(Finding::kind).collect(Collectors.toSet()))))
                .containsExactlyInAnyOrder(Kind.REGISTRY_DATA_LOST, Kind.PAUSED_AFTER_FAILURES, Kind.PARENT_FAILED);
    }

    @Test
    void aJobThatWaitsForTheSuccessOfOneThatFailsSaysSo() {
        FirstSeen<Finding, Kind> seen = Finding.seenBy(new ManualTime(AT));
        var parent =
                Checked.of(job(JobStatus.READY, item(0).last(ItemState.FAILED).failing(2)), seen);
        var follower = new Checked(named("reports", List.of("orders")), NO_ITEMS, List.of());
        var other = new Checked(named("mails", List.of("prices")), NO_ITEMS, List.of());

        List<Finding> found = Checked.together(List.of(parent, follower, other));

        assertThat(found)
                .extracting(finding -> finding.job() + " " + finding.kind())
                .containsExactly("orders FAILED", "reports PARENT_FAILED");
        assertThat(found.get(1).since()).hasValue(AT);
        assertThat(found.get(1).fact().text()).contains("\"orders\"", "it failed");
    }

    @Test
    void theWorstComesFirstAndThenTheOldest() {
        Finding late = finding("a", Kind.LATE, AT);
        Finding failed = finding("b", Kind.FAILED, AT.plusSeconds(5));
        Finding older = finding("c", Kind.FAILED, AT);
        List<Finding> all = new ArrayList<>(List.of(late, failed, older));

        Collections.sort(all, Finding.WORST_FIRST);

        assertThat(all).containsExactly(older, failed, late);
    }

    private static Finding finding(String job, Kind kind, Instant since) {
        return new Finding(
                job,
                kind,
                new TreeSet<>(Set.of(1)),
                Optional.of(since),
                Optional.empty(),
                Fact.LATE.of(),
                Remedy.MEND.of());
    }

    // ------------------------------------------------------------------ jobs

    private static Arguments row(String state, JobReport job, String expected) {
        return Arguments.of(state, job, expected);
    }

    private static JobReport job(JobStatus status, Item... items) {
        return job(status, List.of(HERE), items);
    }

    private static JobReport job(JobStatus status, List<String> instances, Item... items) {
        return job(status, instances, Optional.empty(), items);
    }

    private static JobReport job(JobStatus status, List<String> instances, Optional<String> problem, Item... items) {
        return job(status, instances, Whole.NOTHING.with(problem), items);
    }

    /** What a job reports of itself, beside its items. */
    private record Whole(
            Optional<String> problem,
            Optional<BackfillReport> backfill,
            Optional<Instant> overdue,
            List<String> notFollowed,
            List<FiringReport> firings,
            Optional<Standstill> standstill,
            Optional<JobCalendar> ending,
            Optional<JobReport.WrongClocks> clocks) {
        static final Whole NOTHING = new Whole(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        Whole with(Optional<String> text) {
            return new Whole(text, backfill, overdue, notFollowed, firings, standstill, ending, clocks);
        }

        Whole with(BackfillReport goesOn) {
            return new Whole(problem, Optional.of(goesOn), overdue, notFollowed, firings, standstill, ending, clocks);
        }

        Whole overdueSince(Instant due) {
            return new Whole(problem, backfill, Optional.of(due), notFollowed, firings, standstill, ending, clocks);
        }

        Whole notFollowing(String parent) {
            return new Whole(problem, backfill, overdue, List.of(parent), firings, standstill, ending, clocks);
        }

        Whole with(FiringReport open) {
            return new Whole(problem, backfill, overdue, notFollowed, List.of(open), standstill, ending, clocks);
        }

        Whole with(JobCalendar calendar) {
            return new Whole(
                    problem, backfill, overdue, notFollowed, firings, standstill, Optional.of(calendar), clocks);
        }

        Whole with(JobReport.WrongClocks wrong) {
            return new Whole(problem, backfill, overdue, notFollowed, firings, standstill, ending, Optional.of(wrong));
        }

        Whole with(Standstill still) {
            return new Whole(problem, backfill, overdue, notFollowed, firings, Optional.of(still), ending, clocks);
        }
    }

    private static JobReport wrongClocks(boolean everywhere) {
        var wrong = new JobReport.WrongClocks(List.of("b"), everywhere);
        return job(JobStatus.READY, List.of(HERE, "b"), Whole.NOTHING.with(wrong), item(0));
    }

    private static JobReport ending(JobStatus status) {
        return job(status, List.of(HERE), Whole.NOTHING.with(JobCalendar.of("SAT,2026-12-25")), item(0));
    }

    private static JobReport overdue(JobStatus status) {
        return job(status, List.of(HERE), Whole.NOTHING.overdueSince(AT), item(0));
    }

    private static JobReport after(JobStatus status, String parent) {
        Optional<String> problem = Optional.of("The job does not run after \"" + parent + "\" at present");
        return job(status, List.of(HERE), Whole.NOTHING.with(problem).notFollowing(parent), item(0));
    }

    /** A node that somebody has written by hand doesn't take the findings of all other jobs away. */
    @Test
    void aBackfillThatNamesNoneOfItsFailedTimesIsAFindingToo() {
        var backfill = new BackfillReport("mei", Optional.of(AT), AT, List.of(), 2, List.of());
        JobReport job = job(JobStatus.READY, List.of(HERE), Whole.NOTHING.with(backfill), item(0));

        assertThat(Attention.of(job)).extracting(Finding::kind).containsExactly(Finding.Kind.BACKFILL_FAILED);
    }

    private static JobReport backfill(JobStatus status, Instant... failed) {
        var backfill = new BackfillReport("mei", Optional.of(AT), AT, List.of(), failed.length, List.of(failed));
        return job(
                status,
                status == JobStatus.NO_INSTANCE ? List.of() : List.of(HERE),
                Whole.NOTHING.with(backfill),
                item(0));
    }

    private static JobReport still(JobStatus status, Cause cause) {
        return job(
                status,
                List.of(HERE),
                Whole.NOTHING.with(new Standstill(cause, AT, "mei", "new kernel", HERE, "")),
                item(0).owner(null));
    }

    private static JobReport slow() {
        var firing = new FiringReport(
                "orders@1",
                Optional.of(AT),
                OpenFiring.Phase.BEFORE,
                AT,
                "0",
                "0",
                Optional.empty(),
                0,
                Optional.empty(),
                true);
        return job(JobStatus.READY, List.of(HERE), Whole.NOTHING.with(firing), item(0));
    }

    private static JobReport job(JobStatus status, List<String> instances, Whole whole, Item... items) {
        return report("orders", status, instances, whole, List.of(), items);
    }

    private static JobReport named(String name, List<String> needsSuccessOf) {
        return report(name, JobStatus.READY, List.of(HERE), Whole.NOTHING, needsSuccessOf, item(0));
    }

    private static JobReport report(
            String name,
            JobStatus status,
            List<String> instances,
            Whole whole,
            List<String> needsSuccessOf,
            Item... items) {
        return new JobReport(
                name,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                status,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                false,
                instances,
                Stream.of(items).map(Item::report).toList(),
                whole.firings(),
                whole.backfill(),
                whole.overdue(),
                whole.notFollowed(),
                whole.problem(),
                Optional.empty(),
                Optional.empty(),
                whole.standstill(),
                whole.clocks(),
                needsSuccessOf,
                whole.ending());
    }

    private static Item item(int number) {
        return new Item(
                number,
                Optional.of(HERE),
                ItemState.COMPLETED,
                EnumSet.noneOf(Mark.class),
                AT,
                "it failed",
                0,
                Optional.empty());
    }

    private enum Mark {
        RUNNING,
        DISABLED,
        MISFIRED,
        WAITING,
        CANCELLED,
        CORRUPT,
        STUCK,
        WITHOUT_THREAD,
        HEAVY,
        AWAITED
    }

    private record Item(
            int number,
            Optional<String> owner,
            ItemState state,
            Set<Mark> marks,
            Instant ended,
            String failure,
            int failures,
            Optional<Instant> owed) {
        Item with(Mark mark) {
            Set<Mark> more = EnumSet.of(mark);
            more.addAll(marks);
            return new Item(number, owner, state, more, ended, failure, failures, owed);
        }

        Item running() {
            return with(Mark.RUNNING);
        }

        Item stuck() {
            return running().with(Mark.STUCK);
        }

        Item disabled() {
            return with(Mark.DISABLED);
        }

        Item misfired() {
            return with(Mark.MISFIRED);
        }

        Item waiting() {
            return with(Mark.WAITING);
        }

        Item cancelled() {
            return with(Mark.CANCELLED);
        }

        Item corrupt() {
            return with(Mark.CORRUPT);
        }

        Item owner(@Nullable String id) {
            return new Item(number, Optional.ofNullable(id), state, marks, ended, failure, failures, owed);
        }

        Item last(ItemState last) {
            return new Item(number, owner, last, marks, ended, failure, failures, owed);
        }

        Item ended(Instant at) {
            return new Item(number, owner, state, marks, at, failure, failures, owed);
        }

        Item failure(String text) {
            return new Item(number, owner, state, marks, ended, text, failures, owed);
        }

        Item failing(int times) {
            return new Item(number, owner, state, marks, ended, failure, times, owed);
        }

        Item owes(Instant firing) {
            return new Item(number, owner, state, marks, ended, failure, failures, Optional.of(firing));
        }

        /** Since the time of all rows; of a single failure, since its end. */
        private Optional<Failing> row() {
            boolean once = failures == 0 && state == ItemState.FAILED && !marks.contains(Mark.CANCELLED);
            if (once) {
                return Optional.of(new Failing(
                        1, ended, Optional.empty(), failure.lines().findFirst().orElse("")));
            }
            return failures == 0
                    ? Optional.empty()
                    : Optional.of(new Failing(failures, AT, Optional.of(AT.minusSeconds(60)), failure));
        }

        private Optional<String> text(Mark mark) {
            return marks.contains(mark) ? Optional.of("mei") : Optional.empty();
        }

        ItemReport report() {
            var last = new Execution(
                    state,
                    Optional.of(AT),
                    owner,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    1,
                    0,
                    Optional.of(AT),
                    Optional.of(ended),
                    state == ItemState.FAILED ? Optional.of(failure) : Optional.empty(),
                    text(Mark.CANCELLED),
                    row());
            return new ItemReport(
                    number,
                    owner,
                    marks.contains(Mark.RUNNING),
                    marks.contains(Mark.RUNNING)
                            ? Optional.of(new Lock("a", AT, 7, marks.contains(Mark.STUCK), text(Mark.WITHOUT_THREAD)))
                            : Optional.empty(),
                    marks.contains(Mark.DISABLED),
                    marks.contains(Mark.MISFIRED),
                    marks.contains(Mark.WAITING),
                    Optional.empty(),
                    List.of(),
                    last,
                    Optional.empty(),
                    text(Mark.CORRUPT),
                    AT,
                    owed,
                    Optional.empty(),
                    marks.contains(Mark.HEAVY) ? Optional.of(new Overweight(5, 4, true)) : Optional.empty(),
                    marks.contains(Mark.AWAITED) ? Optional.of(AT) : Optional.empty(),
                    Optional.empty());
        }
    }
}
