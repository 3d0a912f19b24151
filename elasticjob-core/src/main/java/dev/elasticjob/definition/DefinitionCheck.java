package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.time.WrittenDuration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Validates the settings of a job: each by the limits in its row, and here what depends on several. Collects all
 * violations, in the order of the rows. Used once, by one thread.
 */
final class DefinitionCheck {
    private static final String ONLY_WITHOUT_SCHEDULE =
            "only for a job without a schedule; remove this setting, or those of cron, every, fixedDelay and at";

    /**
     * The limit of all texts together: JSON may turn one byte into six, and the whole definition must fit into a
     * transaction.
     */
    private static final int MAX_BYTES = 128 * 1024;

    /** From which the firings of a schedule are looked at: no limit depends on when a definition is made. */
    private static final Instant A_MOMENT = Instant.parse("2026-01-01T00:00:00Z");

    private static final int FIRINGS_LOOKED_AT = 100;

    /** What is said of a setting that means nothing with the schedule of the job. */
    private static final Map<ScheduleKind, String> ONLY_WITH_OTHERS = Map.of(
            ScheduleKind.ON_REQUEST,
            "only for a job with a schedule; remove this setting, or give the job a cron or every",
            ScheduleKind.FIXED_DELAY,
            "only for a job whose firings have times of their own; remove this setting, or write cron or every instead of"
                    + " fixedDelay",
            ScheduleKind.AT,
            "only for a job that fires more than once; remove this setting, or write cron or every instead of at");

    private final JobDefinition job;
    private final Map<Setting<?>, List<Violation>> ofSeveral = new HashMap<>();

    DefinitionCheck(JobDefinition job) {
        this.job = job;
    }

    /**
     * Validates all settings.
     *
     * @return the schedule, which has to be parsed for this
     * @throws InvalidJobDefinitionException if there are violations
     */
    Schedule scheduleOfValid() {
        Optional<Schedule> schedule = schedule();
        monitored();
        delayed();
        oneOff();
        catchUp();
        items();
        kinds();
        Stream<Violation> ofRows = JobSettings.ALL.stream().flatMap(this::violations);
        List<Violation> all = Stream.of(nameFault(job.jobName()).stream(), ofRows, sizeFault().stream())
                .flatMap(violations -> violations)
                .toList();
        if (!all.isEmpty()) {
            throw new InvalidJobDefinitionException(job.jobName(), all);
        }
        return schedule.orElseThrow();
    }

    private <T> Stream<Violation> violations(Setting<T> setting) {
        return Stream.concat(
                ofSeveral.getOrDefault(setting, List.of()).stream(), setting.violations(job.get(setting)).stream());
    }

    static Optional<Violation> nameFault(String name) {
        Optional<String> expected = name.isEmpty() ? Optional.of("give the job a name") : NodeName.problem(name);
        return expected.map(problem -> new Violation("jobName", name, problem));
    }

    private Optional<Schedule> schedule() {
        List<Setting<?>> set = JobSettings.SCHEDULES.stream()
                .filter(setting -> !setting.isStandard(job))
                .toList();
        if (set.size() > 1) {
            set.forEach(setting -> add(
                    setting,
                    setting.shown(job),
                    "a job has one schedule, but %s are set; remove all but one".formatted(set)));
        }
        Optional<String> expected = Schedule.problemOfCron(job.cron(), job.timeZone());
        expected.ifPresent(problem -> add(JobSettings.CRON, job.cron(), problem));
        // Of several schedules, the one that stays decides which settings mean nothing.
        boolean isMeaningless = set.size() <= 1 && meaningless();
        boolean isOutOfBounds = bounds();
        if (isMeaningless || isOutOfBounds || set.size() > 1 || expected.isPresent()) {
            return Optional.empty();
        }
        try {
            Schedule unbounded = unbounded();
            jitter(unbounded);
            return Optional.of(exceptCalendar(spread(unbounded)).between(job.startAt(), job.endAt()));
        } catch (IllegalArgumentException e) {
            // The limits of their rows say it.
            return Optional.empty();
        }
    }

    /** Whether the job has settings that mean nothing with its schedule. */
    private boolean meaningless() {
        ScheduleKind kind = kind();
        List<Setting<?>> set = JobSettings.meaninglessWith(kind).stream()
                .filter(setting -> !setting.isStandard(job))
                .toList();
        set.forEach(setting -> add(setting, setting.shown(job), ONLY_WITH_OTHERS.getOrDefault(kind, "")));
        return !set.isEmpty();
    }

    private ScheduleKind kind() {
        if (job.isOneOff()) {
            return ScheduleKind.ON_REQUEST;
        }
        if (job.at().isPresent()) {
            return ScheduleKind.AT;
        }
        if (!job.fixedDelay().isZero()) {
            return ScheduleKind.FIXED_DELAY;
        }
        return job.every().isZero() ? ScheduleKind.CRON : ScheduleKind.EVERY;
    }

    private Schedule unbounded() {
        if (job.at().isPresent()) {
            return Schedule.at(job.at().get(), job.timeZone());
        }
        if (!job.fixedDelay().isZero()) {
            return Schedule.fixedDelay(job.fixedDelay(), job.timeZone());
        }
        return job.every().isZero()
                ? Schedule.ofCron(job.cron(), job.timeZone())
                : Schedule.every(job.every(), job.timeZone());
    }

    private Schedule exceptCalendar(Schedule schedule) {
        if (job.calendar().isEmpty()) {
            return schedule;
        }
        Schedule left = schedule.except(JobCalendar.of(job.calendar()), job.moveToNextDay());
        if (left.nextAfter(A_MOMENT).isEmpty() && schedule.nextAfter(A_MOMENT).isPresent()) {
            add(JobSettings.CALENDAR, job.calendar(), "it leaves out all firings of \"%s\"".formatted(schedule.text()));
        }
        return left;
    }

    /** By the same time on each instance, and after each start. */
    private Schedule spread(Schedule schedule) {
        long window = job.spread().toSeconds();
        if (window <= 0) {
            return schedule;
        }
        fitsBetweenFirings(JobSettings.SPREAD, job.spread(), schedule);
        var hash = new CRC32();
        hash.update(job.jobName().getBytes(StandardCharsets.UTF_8));
        return schedule.shiftedBy(Duration.ofSeconds(hash.getValue() % window));
    }

    /** Later than the schedule, which is the same with its spread. */
    private void jitter(Schedule schedule) {
        if (!job.jitter().isZero()) {
            fitsBetweenFirings(JobSettings.JITTER, job.jitter(), schedule);
        }
    }

    private void fitsBetweenFirings(Setting<Duration> setting, Duration window, Schedule schedule) {
        shortestGap(schedule)
                .filter(gap -> gap.compareTo(window) < 0)
                .ifPresent(gap -> add(
                        setting,
                        WrittenDuration.of(window),
                        "expected a window that isn't longer than the time between two firings, which is "
                                + WrittenDuration.of(gap)));
    }

    /** Between two of the next firings; empty if there is one at most. */
    private static Optional<Duration> shortestGap(Schedule schedule) {
        List<Instant> firings = Stream.iterate(
                        schedule.nextAfter(A_MOMENT),
                        Optional::isPresent,
                        firing -> firing.flatMap(schedule::nextAfter))
                .limit(FIRINGS_LOOKED_AT)
                .flatMap(Optional::stream)
                .toList();
        return IntStream.range(1, firings.size())
                .mapToObj(next -> Duration.between(firings.get(next - 1), firings.get(next)))
                .min(Comparator.naturalOrder());
    }

    /** Whether something is wrong with what leaves out or moves the firings of the schedule. */
    private boolean bounds() {
        List<Setting<?>> meaningless = JobSettings.meaninglessWith(kind());
        if (job.moveToNextDay() && job.calendar().isEmpty() && !meaningless.contains(JobSettings.MOVE_TO_NEXT_DAY)) {
            add(JobSettings.MOVE_TO_NEXT_DAY, true, "only for a job with a calendar; set one, or remove this setting");
        }
        boolean reversed = !meaningless.contains(JobSettings.END_AT)
                && job.startAt().isPresent()
                && job.endAt().filter(job.startAt().get()::isAfter).isPresent();
        if (reversed) {
            add(
                    JobSettings.END_AT,
                    job.endAt().get(),
                    "expected a time that isn't before startAt, which is "
                            + job.startAt().get());
        }
        return reversed;
    }

    private void monitored() {
        if (!job.monitorExecution() && job.isOneOff()) {
            String expected = "monitorExecution=false is for scheduled executions, and a job without a schedule has"
                    + " none; set monitorExecution to true, or give the job a cron";
            add(JobSettings.MONITOR_EXECUTION, false, expected);
        }
        if (!job.monitorExecution() && job.failover()) {
            String expected = "failover needs the records that monitorExecution writes; set monitorExecution to true,"
                    + " or failover to false";
            add(JobSettings.FAILOVER, true, expected);
        }
        if (!job.monitorExecution() && job.pauseAfterFailures() > 0) {
            String expected = "needs the records that monitorExecution writes; set monitorExecution to true, or remove"
                    + " this setting";
            add(JobSettings.PAUSE_AFTER_FAILURES, job.pauseAfterFailures(), expected);
        }
        if (!job.monitorExecution() && job.overlap() == Overlap.CANCEL_RUNNING) {
            String expected =
                    "a cancellation stands in the record that monitorExecution writes; set monitorExecution to"
                            + " true, or overlap to WAIT or SKIP";
            add(JobSettings.OVERLAP, job.overlap(), expected);
        }
        if (!job.monitorExecution() && !job.jitter().isZero()) {
            String expected =
                    "needs the records that monitorExecution writes; set monitorExecution to true, or remove this"
                            + " setting";
            add(JobSettings.JITTER, WrittenDuration.of(job.jitter()), expected);
        }
        if (!job.monitorExecution() && !job.isOneOff() && job.watchdog().watchesFirings()) {
            String expected =
                    "needs the records that monitorExecution writes; set monitorExecution to true, or remove this"
                            + " setting";
            add(JobSettings.EXPECT_WITHIN, WrittenDuration.of(job.watchdog().expectWithin()), expected);
        }
    }

    /** A firing that follows from an end needs that end. */
    private void delayed() {
        if (!job.fixedDelay().isZero() && !job.monitorExecution()) {
            String expected = "fixedDelay counts from the ends that monitorExecution records; set monitorExecution to"
                    + " true, or write every instead of fixedDelay";
            add(JobSettings.MONITOR_EXECUTION, false, expected);
        }
    }

    private void catchUp() {
        CatchUp catchUp = job.catchUp();
        if (!job.misfire() && (catchUp == CatchUp.FOLD || catchUp == CatchUp.EACH)) {
            add(
                    JobSettings.CATCH_UP,
                    catchUp,
                    "misfire is false, which means catchUp SKIP; set misfire to true, or catchUp to SKIP");
        }
        if (catchUp != CatchUp.EACH) {
            String expected = "only with catchUp EACH; set that, or remove this setting";
            Stream.of(JobSettings.CATCH_UP_LIMIT, JobSettings.CATCH_UP_WINDOW)
                    .filter(setting -> !setting.isStandard(job))
                    .forEach(setting -> add(setting, setting.shown(job), expected));
            return;
        }
        if (!job.monitorExecution()) {
            add(
                    JobSettings.CATCH_UP,
                    catchUp,
                    "needs the records that monitorExecution writes; set monitorExecution to true, or catchUp to FOLD or"
                            + " SKIP");
        }
        if (job.overlap() == Overlap.SKIP) {
            add(
                    JobSettings.OVERLAP,
                    job.overlap(),
                    "an item that makes up for firings is busy, so those that come due meanwhile would be skipped; set"
                            + " overlap to WAIT or CANCEL_RUNNING, or catchUp to FOLD");
        }
    }

    private void oneOff() {
        List<String> jobs = job.after().jobs();
        if (job.runAtStart() && !job.isOneOff()) {
            add(JobSettings.RUN_AT_START, true, ONLY_WITHOUT_SCHEDULE);
        }
        if (!jobs.isEmpty() && !job.mayFollow()) {
            add(JobSettings.AFTER, jobs, ONLY_WITHOUT_SCHEDULE);
        }
        if (jobs.contains(job.jobName())) {
            add(JobSettings.AFTER, jobs, "a job can't run after itself; remove its own name");
        }
    }

    private void items() {
        int count = job.shardingTotalCount();
        if (count > 0) {
            itemsOf(JobSettings.SHARDING_ITEM_PARAMETERS, count);
            itemsOf(JobSettings.ITEM_WEIGHTS, count);
        }
    }

    /** A setting that says something of single items, by their numbers. */
    private void itemsOf(Setting<String> setting, int count) {
        String text = job.get(setting);
        for (int item : ItemParameters.parse(text).beyond(count)) {
            add(
                    setting,
                    text,
                    "there is no item %d; with shardingTotalCount %d the items are 0 to %d"
                            .formatted(item, count, count - 1));
        }
    }

    /** What the kinds say of the job: its own, and those whose settings it must not have. */
    private void kinds() {
        KindRules.of(job.jobType()).check(job).forEach(this::add);
        KindRules.builtIn().stream()
                .filter(kind -> !kind.type().equals(job.jobType()))
                .flatMap(kind -> kind.checkOther(job).stream())
                .forEach(this::add);
    }

    private void add(Violation violation) {
        String row = violation.setting().split("\\.", 2)[0];
        add(
                JobSettings.ALL.stream()
                        .filter(setting -> setting.name().equals(row))
                        .findFirst()
                        .orElseThrow(),
                violation);
    }

    /** Names the longest of the texts. */
    private Optional<Violation> sizeFault() {
        Map<String, Integer> bytes = bytes();
        int total = bytes.values().stream().mapToInt(Integer::intValue).sum();
        Map.Entry<String, Integer> largest = Collections.max(bytes.entrySet(), Map.Entry.comparingByValue());
        String expected = "the texts of a definition may have %d bytes of UTF-8 together, but have %d; store long ones"
                + " elsewhere, and refer to them here";
        return total > MAX_BYTES
                ? Optional.of(new Violation(
                        largest.getKey(), largest.getValue() + " bytes", expected.formatted(MAX_BYTES, total)))
                : Optional.empty();
    }

    private Map<String, Integer> bytes() {
        Map<String, Integer> bytes = new LinkedHashMap<>();
        for (Setting<?> setting : JobSettings.ALL) {
            if (job.get(setting) instanceof String text) {
                bytes.put(setting.name(), bytes(text));
            }
        }
        bytes.put(JobSettings.JOB_PROPERTIES.name(), bytes(job.jobProperties()));
        job.http().ifPresent(request -> {
            bytes.put("http.uri", bytes(request.uri()));
            bytes.put("http.body", bytes(request.body()));
            bytes.put("http.contentType", bytes(request.contentType()));
            bytes.put("http.headers", bytes(request.headers()));
        });
        return bytes;
    }

    private static int bytes(Map<String, String> texts) {
        return texts.entrySet().stream()
                .mapToInt(text -> bytes(text.getKey() + text.getValue()))
                .sum();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private void add(Setting<?> setting, Object found, String expected) {
        add(setting, new Violation(setting.name(), found.toString(), expected));
    }

    private void add(Setting<?> setting, Violation violation) {
        ofSeveral.computeIfAbsent(setting, any -> new ArrayList<>()).add(violation);
    }
}
