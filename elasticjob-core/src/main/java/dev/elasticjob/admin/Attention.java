package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.Sentence;
import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.coordination.session.DataLoss;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.job.event.JobEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides what of a job needs a person: what doesn't end by itself, or has lost work. What people have decided themselves,
 * such as their pauses, disabled jobs and disabled items, is no finding; but if the last instance of a job was drained, or the last
 * server disabled, the job is, because nobody may have meant it. Pure.
 */
public final class Attention {
    private static final int MOST_OF_FACT = 200;
    private static final int MOST_NAMED = 5;

    private Attention() {}

    /**
     * Something in one job that needs a person. Immutable.
     *
     * @param items the items that it concerns; empty for the job as a whole
     * @param since the earliest time that the registry shows for it; empty if it shows none
     * @param seen if the registry shows no time, the time when this process first saw it; otherwise empty
     * @param fact what was found; of several items, that of the earliest one
     * @param remedy what ends it; its code is that of a {@link Remedy}
     */
    public record Finding(
            String job,
            Kind kind,
            SortedSet<Integer> items,
            Optional<Instant> since,
            Optional<Instant> seen,
            Sentence fact,
            Sentence remedy) {
        /** The worst first, of one kind the longest lasting first, then by job. */
        public static final Comparator<Finding> WORST_FIRST = Comparator.comparing(Finding::kind)
                .thenComparing(Finding::begin)
                .thenComparing(Finding::job);

        public Finding {
            items = Collections.unmodifiableSortedSet(new TreeSet<>(items));
        }

        /** When it began, as far as anybody knows; the last of all times if nobody does. */
        public Instant begin() {
            return since.or(this::seen).orElse(Instant.MAX);
        }

        static FirstSeen<Finding, Kind> seenBy(Clock clock) {
            return new FirstSeen<>(clock, Finding::kind, Finding::since, Finding::firstSeen);
        }

        private Finding firstSeen(Instant at) {
            return new Finding(job, kind, items, since, Optional.of(at), fact, remedy);
        }

        /** The kinds of findings, worst first. */
        public enum Kind {
            /** The registry has lost its data, or has gone back to an older copy, and no operator has confirmed it. */
            REGISTRY_DATA_LOST,
            /** Nothing of the job starts, because its settings or its assignment can't be read. */
            UNREADABLE,
            /** Nothing of the job starts, because other software takes part in it. */
            FOREIGN_INSTANCES,
            /** Nothing of the job starts, because no instance runs it. */
            NO_INSTANCE,
            /** Nothing of the job starts, because the servers of all its instances were disabled, one after the other. */
            ALL_SERVERS_DISABLED,
            /** Nothing of the job starts, because operators have drained all its instances. */
            ALL_INSTANCES_DRAINED,
            /** Nothing of the job starts, because none of its instances has the labels that its {@code runOn} asks for. */
            NO_INSTANCE_MATCHES,
            /** Nothing of the job starts, because the clocks of all its instances differ by more than it allows. */
            ALL_CLOCKS_DIFFER,
            /** Nothing of the job starts, because it has paused itself: its {@code pauseAfterFailures} says so. */
            PAUSED_AFTER_FAILURES,
            /** The job has instances, but no leader: its items are not rebalanced, and interrupted ones not taken over. */
            NO_LEADER,
            /** The items don't start until their records are corrected. */
            RECORD_UNREADABLE,
            /** The firings of a job that this one runs after can't be followed, so it doesn't run after them. */
            PARENT_NOT_FOLLOWED,
            /** A scheduled time has come, and no item has begun it within the job's {@code expectWithin}. */
            NOT_BEGUN,
            /** An item has been executing for longer than the job's {@code stuckAfter}. */
            STUCK,
            /** An item was claimed, and had no thread after the job's {@code stuckAfter}. */
            WAITS_FOR_THREAD,
            /** A firing waits for the job's cluster listeners for longer than a fifth of their timeout. */
            LISTENERS_SLOW,
            /** A backfill has times left, and the job can't begin them. */
            BACKFILL_STANDS_STILL,
            /** The items weigh more than the capacity of the instance that they belong to, so they don't start there. */
            ITEM_TOO_HEAVY,
            /** The items belong to an instance that is gone. */
            OWNER_GONE,
            /** An execution was interrupted, and waits to be taken over. */
            WAITS_FOR_FAILOVER,
            /** An execution was interrupted, and nobody takes it over. */
            INTERRUPTED,
            /** The item has failed, other than by being cancelled, and has not completed since. */
            FAILED,
            /** The job runs after another one only if that has succeeded, and that fails. */
            PARENT_FAILED,
            /** Items have failed in times of a backfill that goes on. */
            BACKFILL_FAILED,
            /** The clocks of instances differ by more than the job allows, so that others run their items. */
            CLOCK_DIFFERS,
            /** A missed firing waits, and the item isn't running. */
            LATE,
            /** The job has a problem that keeps a part of it from running as defined. */
            PROBLEM,
            /** The last day of the job's calendar is near or over: days of the time after it may be missing. */
            CALENDAR_ENDS
        }
    }

    /**
     * A job as a sweep has read it, and what of it needs a person.
     *
     * @param job without its items
     * @param items how these ended last
     * @param findings worst first
     */
    public record Checked(JobReport job, ItemSummary items, List<Finding> findings) {
        public Checked {
            findings = List.copyOf(findings);
        }

        static Checked of(JobReport job, FirstSeen<Finding, Kind> seen) {
            List<Finding> findings = seen.dated(job.name(), Attention.of(job)).stream()
                    .sorted(Finding.WORST_FIRST)
                    .toList();
            return new Checked(job.withoutItems(), ItemSummary.of(job), findings);
        }

        /**
         * The findings of several jobs, with those that only two of them show together: that a job waits for the success of one
         * that fails.
         */
        public static List<Finding> together(Collection<Checked> jobs) {
            Map<String, Finding> failing = new HashMap<>();
            jobs.forEach(checked -> checked.findings().stream()
                    .filter(finding -> finding.kind() == Kind.FAILED)
                    .forEach(finding -> failing.put(finding.job(), finding)));
            Stream<Finding> waiting = jobs.stream()
                    .flatMap(checked -> checked.job().needsSuccessOf().stream()
                            .flatMap(parent -> Optional.ofNullable(failing.get(parent)).stream())
                            .min(Finding.WORST_FIRST)
                            .map(parent -> waitsFor(checked.job(), parent))
                            .stream());
            return Stream.concat(jobs.stream().flatMap(checked -> checked.findings().stream()), waiting)
                    .sorted(Finding.WORST_FIRST)
                    .toList();
        }
    }

    /** What has become of the registry's data, which concerns all jobs. */
    static Finding of(DataLoss loss) {
        return new Finding(
                JobEvent.CommandEnded.ALL_JOBS,
                Kind.REGISTRY_DATA_LOST,
                new TreeSet<>(),
                Optional.of(loss.at()),
                Optional.empty(),
                Fact.DATA_LOST.of("problem", loss.fact()),
                Remedy.CONFIRM_DATA_LOSS.of());
    }

    /** @param job with its items. Of one whose items were not read, only what concerns the whole job is found */
    public static List<Finding> of(JobReport job) {
        Optional<Finding> whole = whole(job);
        if (job.status() == JobStatus.UNREADABLE || job.status() == JobStatus.REMOVED) {
            return whole.map(List::of).orElseGet(List::of);
        }
        List<Finding> findings = new ArrayList<>();
        whole.ifPresent(findings::add);
        findings.addAll(ofItems(job));
        job.firings().stream()
                .filter(JobReport.FiringReport::slow)
                .findFirst()
                .ifPresent(firing -> findings.add(ofListeners(job, firing)));
        job.backfill().ifPresent(backfill -> findings.addAll(ofBackfill(job, backfill, whole)));
        if (whole.isEmpty()) {
            Kind kind = job.notFollowed().isEmpty() ? Kind.PROBLEM : Kind.PARENT_NOT_FOLLOWED;
            job.problem()
                    .ifPresent(text -> findings.add(finding(
                            job,
                            kind,
                            Optional.empty(),
                            Fact.JOB_PROBLEM.of("problem", text),
                            Remedy.CORRECT_PROBLEM.of())));
            job.overdue().ifPresent(due -> findings.add(notBegun(job, due)));
            job.wrongClocks().ifPresent(wrong -> findings.add(clocksDiffer(job, wrong)));
            job.endingCalendar().ifPresent(calendar -> findings.add(calendarEnds(job, calendar)));
        }
        Collections.sort(findings, Finding.WORST_FIRST);
        return List.copyOf(findings);
    }

    private static Finding waitsFor(JobReport job, Finding parent) {
        return finding(
                job,
                Kind.PARENT_FAILED,
                parent.since(),
                Fact.PARENT_FAILS.of(
                        "job",
                        parent.job(),
                        "since",
                        parent.since().map(Instant::toString).orElse(""),
                        "problem",
                        parent.fact().values().getOrDefault("problem", "")),
                Remedy.MEND_PARENT.of("job", parent.job()));
    }

    private static Optional<Finding> whole(JobReport job) {
        return switch (job.status()) {
            case UNREADABLE ->
                Optional.of(finding(
                        job,
                        Kind.UNREADABLE,
                        job.since(),
                        Fact.JOB_UNREADABLE.of("problem", job.problem().orElse("The job can't be read")),
                        Remedy.CORRECT_DEFINITION.of()));
            case FOREIGN_INSTANCES ->
                Optional.of(finding(
                        job,
                        Kind.FOREIGN_INSTANCES,
                        job.since(),
                        Fact.JOB_PROBLEM.of("problem", job.problem().orElse("Other software takes part in the job")),
                        Remedy.STOP_FOREIGN.of()));
            case NO_INSTANCE -> Optional.of(noInstance(job));
            case NO_LEADER ->
                Optional.of(finding(
                        job, Kind.NO_LEADER, Optional.empty(), Fact.NOBODY_LEADS.of(), Remedy.WAIT_FOR_LEADER.of()));
            case DISABLED, DRAINED, UNMATCHED, UNPLANNED, READY ->
                job.standstill().flatMap(standstill -> standsStill(job, standstill));
            case PAUSED -> job.paused().flatMap(pause -> afterFailures(job, pause));
            case REMOVED -> Optional.empty();
        };
    }

    /** What people have paused, they know of. */
    private static Optional<Finding> afterFailures(JobReport job, PausedBy pause) {
        return pause.failures()
                .map(failed -> finding(
                        job,
                        Kind.PAUSED_AFTER_FAILURES,
                        Optional.of(pause.since()),
                        Fact.JOB_PAUSED_AFTER_FAILURES.of(
                                "item", failed.item(), "times", failed.times(), "problem", failed.failure()),
                        Remedy.MEND_AND_RESUME.of()));
    }

    /** Since the first firing that nobody has begun. Before one was due, nothing shows when the last instance left. */
    private static Finding noInstance(JobReport job) {
        Optional<Instant> missed = firstMissed(job);
        Sentence fact =
                missed.map(firing -> Fact.NOBODY_HAS_BEGUN.of("firing", firing)).orElseGet(Fact.NO_INSTANCE::of);
        return finding(job, Kind.NO_INSTANCE, missed, fact, Remedy.START_INSTANCE.of());
    }

    private static Optional<Instant> firstMissed(JobReport job) {
        return job.items().stream().flatMap(item -> item.owes().stream()).min(Comparator.naturalOrder());
    }

    /** A job that was disabled as a whole is meant to stand still. One whose last instance was drained may not be. */
    private static Optional<Finding> standsStill(JobReport job, Standstill standstill) {
        Optional<Kind> kind = switch (standstill.cause()) {
            case DRAINED -> Optional.of(Kind.ALL_INSTANCES_DRAINED);
            case SERVERS_DISABLED -> Optional.of(Kind.ALL_SERVERS_DISABLED);
            case UNMATCHED -> Optional.of(Kind.NO_INSTANCE_MATCHES);
            case JOB_DISABLED, DECLARED_DISABLED -> Optional.empty();
        };
        // The plan without owners is made anew whenever an instance comes or goes.
        Optional<Instant> since =
                standstill.cause() == Standstill.Cause.UNMATCHED ? firstMissed(job) : Optional.of(standstill.since());
        return kind.map(found -> finding(job, found, since, standstill.fact(), standstill.remedy()));
    }

    private static Finding finding(JobReport job, Kind kind, Optional<Instant> since, Sentence fact, Sentence remedy) {
        return new Finding(job.name(), kind, new TreeSet<>(), since, Optional.empty(), fact, remedy);
    }

    private static Finding calendarEnds(JobReport job, JobCalendar calendar) {
        Sentence fact = Fact.CALENDAR_ENDS.of(
                "calendar",
                calendar.name().orElse(""),
                "day",
                calendar.lastDay().map(LocalDate::toString).orElse(""));
        return finding(job, Kind.CALENDAR_ENDS, Optional.empty(), fact, Remedy.EXTEND_CALENDAR.of());
    }

    private static Finding clocksDiffer(JobReport job, JobReport.WrongClocks wrong) {
        String ids = wrong.instances().stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return wrong.everywhere()
                ? finding(
                        job,
                        Kind.ALL_CLOCKS_DIFFER,
                        Optional.empty(),
                        Fact.ALL_CLOCKS_DIFFER.of("ids", ids),
                        Remedy.SYNCHRONIZE_CLOCKS.of())
                : finding(
                        job,
                        Kind.CLOCK_DIFFERS,
                        Optional.empty(),
                        Fact.CLOCKS_DIFFER.of("ids", ids),
                        Remedy.SYNCHRONIZE_CLOCK.of());
    }

    /** A firing that was due, and that the job would have begun if all were well. */
    private static Finding notBegun(JobReport job, Instant due) {
        return finding(
                job, Kind.NOT_BEGUN, Optional.of(due), Fact.NOT_BEGUN.of("firing", due), Remedy.CHECK_THREADS.of());
    }

    /** The oldest: calls for later firings wait behind it, or take as long for the same reason. */
    private static Finding ofListeners(JobReport job, JobReport.FiringReport firing) {
        boolean before = firing.phase() == OpenFiring.Phase.BEFORE;
        Fact called = before ? Fact.LISTENERS_SLOW_BEFORE : Fact.LISTENERS_SLOW_AFTER;
        Fact uncalled = before ? Fact.LISTENERS_UNCALLED_BEFORE : Fact.LISTENERS_UNCALLED_AFTER;
        Sentence fact = firing.instance()
                .map(by -> called.of("id", by, "run", firing.runId()))
                .orElseGet(() -> uncalled.of("run", firing.runId()));
        return finding(job, Kind.LISTENERS_SLOW, Optional.of(firing.since()), fact, Remedy.WAIT_FOR_LISTENERS.of());
    }

    /** Its leader asks for one time after the other: without one, or without instances, no time begins. */
    private static List<Finding> ofBackfill(JobReport job, BackfillReport backfill, Optional<Finding> whole) {
        List<Finding> findings = new ArrayList<>();
        whole.ifPresent(because -> findings.add(finding(
                job,
                Kind.BACKFILL_STANDS_STILL,
                because.since(),
                Fact.BACKFILL_STANDS_STILL.of(
                        "until",
                        backfill.until(),
                        "actor",
                        backfill.actor(),
                        "because",
                        because.fact().text()),
                Remedy.CONTINUE_OR_STOP_BACKFILL.of())));
        if (backfill.failed() > 0) {
            findings.add(finding(
                    job,
                    Kind.BACKFILL_FAILED,
                    Optional.empty(),
                    Fact.BACKFILL_FAILED.of(
                            "times",
                            backfill.failed(),
                            "until",
                            backfill.until(),
                            "first",
                            backfill.failedTimes().stream()
                                    .findFirst()
                                    .map(Instant::toString)
                                    .orElse("?")),
                    Remedy.MEND.of()));
        }
        return findings;
    }

    // ------------------------------------------------------------------ items

    private static List<Finding> ofItems(JobReport job) {
        Set<String> instances = new HashSet<>(job.instances());
        Map<Kind, List<ItemFinding>> found = new EnumMap<>(Kind.class);
        for (ItemReport item : job.items()) {
            of(item, instances)
                    .ifPresent(one -> found.computeIfAbsent(one.kind(), any -> new ArrayList<>())
                            .add(one));
        }
        return found.values().stream().map(items -> together(job.name(), items)).toList();
    }

    private record ItemFinding(Kind kind, int item, Optional<Instant> since, Sentence fact, Sentence remedy) {}

    /** The worst of one item. */
    private static Optional<ItemFinding> of(ItemReport item, Set<String> instances) {
        if (item.problem().isPresent()) {
            return found(
                    item,
                    Kind.RECORD_UNREADABLE,
                    Optional.of(item.recorded()),
                    Fact.RECORD_UNREADABLE.of(
                            "problem", firstLine(item.problem().get())),
                    Remedy.CORRECT_RECORD.of());
        }
        // Without any instance, the job says so, and each item would only repeat it. One that is awaited is expected
        // back.
        Optional<String> gone = item.owner()
                .filter(owner -> !instances.isEmpty() && !instances.contains(owner))
                .filter(owner -> item.successorAwaitedUntil().isEmpty());
        if (gone.isPresent()) {
            return found(
                    item,
                    Kind.OWNER_GONE,
                    Optional.empty(),
                    Fact.OWNER_GONE.of("owner", gone.get()),
                    Remedy.WAIT_OR_RESHARD.of());
        }
        if (item.overweight().isPresent() && !item.running() && !item.disabled()) {
            return tooHeavy(item, item.overweight().get());
        }
        Optional<ItemFinding> waiting = item.lock().flatMap(lock -> waitsForThread(item, lock));
        if (waiting.isPresent()) {
            return waiting;
        }
        return item.running() ? stuck(item).or(() -> fails(item)) : ofWhatDoesNotRun(item);
    }

    private static Optional<ItemFinding> tooHeavy(ItemReport item, JobReport.Overweight heavy) {
        Remedy remedy = heavy.carriedElsewhere() ? Remedy.RAISE_CAPACITY_OR_MOVE : Remedy.RAISE_CAPACITY;
        return found(
                item,
                Kind.ITEM_TOO_HEAVY,
                item.owes(),
                Fact.ITEM_TOO_HEAVY.of(
                        "weight", heavy.weight(), "owner", item.owner().orElse(""), "capacity", heavy.capacity()),
                remedy.of());
    }

    private static Optional<ItemFinding> stuck(ItemReport item) {
        return item.lock()
                .filter(JobReport.Lock::stuck)
                .flatMap(lock -> found(
                        item,
                        Kind.STUCK,
                        Optional.of(lock.since()),
                        Fact.STUCK.of("id", lock.instance()),
                        Remedy.WAIT_OR_CANCEL.of("item", item.item())));
    }

    private static Optional<ItemFinding> ofWhatDoesNotRun(ItemReport item) {
        JobReport.Execution last = item.itemRecord();
        if (item.waitsForFailover()) {
            return found(
                    item, Kind.WAITS_FOR_FAILOVER, ended(item), Fact.INTERRUPTED.of(), Remedy.WAIT_FOR_TAKEOVER.of());
        }
        if (last.state() == ItemState.INTERRUPTED) {
            return found(
                    item,
                    Kind.INTERRUPTED,
                    ended(item),
                    Fact.INTERRUPTED.of(),
                    Remedy.TRIGGER_LOST.of("item", item.item()));
        }
        return fails(item).or(() -> isLate(item));
    }

    private static Optional<Instant> ended(ItemReport item) {
        return item.itemRecord().finishedAt().or(() -> Optional.of(item.recorded()));
    }

    /** Until an execution completes, whatever happens in between. */
    private static Optional<ItemFinding> fails(ItemReport item) {
        return item.itemRecord().failing().flatMap(failing -> {
            String problem = firstLine(failing.last());
            Sentence fact = failing.times() == 1
                    ? Fact.FAILED.of("problem", problem)
                    : Fact.FAILS.of(
                            "times",
                            failing.times(),
                            "succeeded",
                            failing.succeeded().map(Instant::toString).orElse(""),
                            "problem",
                            problem);
            Optional<String> again =
                    item.itemRecord().runId().filter(any -> item.itemRecord().state() == ItemState.FAILED);
            return found(
                    item,
                    Kind.FAILED,
                    Optional.of(failing.since()),
                    fact,
                    again.map(run -> Remedy.MEND_AND_RUN_AGAIN.of(
                                    "run",
                                    run,
                                    "firing",
                                    item.itemRecord()
                                            .scheduledAt()
                                            .map(Instant::toString)
                                            .orElse("")))
                            .orElseGet(Remedy.MEND::of));
        });
    }

    private static Optional<ItemFinding> isLate(ItemReport item) {
        return item.misfired() && !item.disabled()
                ? found(item, Kind.LATE, item.owes(), Fact.LATE.of(), Remedy.CHECK_THREADS.of())
                : Optional.empty();
    }

    private static Optional<ItemFinding> waitsForThread(ItemReport item, JobReport.Lock lock) {
        return lock.waits()
                .flatMap(threads -> found(
                        item,
                        Kind.WAITS_FOR_THREAD,
                        Optional.of(lock.since()),
                        Fact.WAITS_FOR_THREAD.of("id", lock.instance(), "threads", firstLine(threads)),
                        Remedy.FREE_THREADS.of()));
    }

    private static Optional<ItemFinding> found(
            ItemReport item, Kind kind, Optional<Instant> since, Sentence fact, Sentence remedy) {
        return Optional.of(new ItemFinding(kind, item.item(), since, fact, remedy));
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= MOST_OF_FACT ? line : line.substring(0, MOST_OF_FACT) + "…";
    }

    private static Finding together(String job, List<ItemFinding> items) {
        ItemFinding first =
                Collections.min(items, Comparator.comparing(one -> one.since().orElse(Instant.MAX)));
        return new Finding(
                job,
                first.kind(),
                new TreeSet<>(items.stream().map(ItemFinding::item).toList()),
                first.since(),
                Optional.empty(),
                ofAll(first.fact(), items),
                first.remedy());
    }

    /** Of several instances of which the same is true, the first has the sentence, and the others are named in it. */
    private static Sentence ofAll(Sentence first, List<ItemFinding> items) {
        List<String> others = items.stream()
                .flatMap(item -> instanceIn(item.fact()))
                .distinct()
                .filter(id -> instanceIn(first).noneMatch(id::equals))
                .toList();
        if (others.isEmpty()) {
            return first;
        }
        String named = others.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return Fact.valueOf(first.code())
                .with(first.values(), "others", named + (others.size() > MOST_NAMED ? ", …" : ""));
    }

    private static Stream<String> instanceIn(Sentence fact) {
        return Stream.of("id", "owner")
                .flatMap(name -> Stream.ofNullable(fact.values().get(name)));
    }
}
