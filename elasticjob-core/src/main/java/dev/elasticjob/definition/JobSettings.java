package dev.elasticjob.definition;

import static dev.elasticjob.definition.Setting.DeclaredBy.CODE;
import static dev.elasticjob.definition.Setting.DeclaredBy.PROPERTY;
import static dev.elasticjob.definition.Setting.Place.EXTENSION;
import static dev.elasticjob.definition.Setting.Place.WHOLE;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.definition.text.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The settings of a job, one row for each, in the order in which they are stored: that of 2.1.5's keys, and further ones
 * at the end. Nothing else knows all settings: what does something with each of them goes through the rows.
 */
public final class JobSettings {
    /** A longer duration is a mistake, and a timer could not count the nanoseconds of 300 years. */
    private static final Duration MAX_DURATION = Duration.ofDays(365);

    /** The owners of all items are stored in one node, and the items' names in one answer. */
    private static final int MAX_ITEMS = 50_000;

    /** More are not counted where losses are told. */
    private static final int MAX_CATCH_UP = 1_000;

    private static final String UP_TO_A_YEAR = "expected a duration from 0 to 365 days";

    private static final Rows ROWS = new Rows();

    public static final Setting<String> JOB_CLASS =
            ROWS.add(text("jobClass").declaredBy(CODE).says("Name of the job's class, for display."));

    public static final Setting<JobType> JOB_TYPE =
            ROWS.add(new Setting<>("jobType", SettingSource::type, () -> JobType.SIMPLE)
                    .declaredBy(PROPERTY)
                    .says(
                            "Type of a job without a bean: \"script\", \"http\", \"sql\", or a kind of the application's own. Required for such"
                                    + " a job."));

    public static final Setting<String> CRON = ROWS.add(text("cron")
            .keptAs(cron -> cron.isBlank() ? "" : cron)
            .says(
                    "Cron expression with six fields, from second to day of week, and a seventh one for years if wanted. None"
                            + " by default, and with \"-\": the job is a one-off job, which runs on request."));

    public static final Setting<ZoneId> TIME_ZONE =
            ROWS.add(new Setting<>("timeZone", SettingSource::zone, ZoneId::systemDefault)
                    .in(EXTENSION)
                    .says("Time zone of the cron expression. The JVM's by default."));

    public static final Setting<Integer> SHARDING_TOTAL_COUNT = ROWS.add(number("shardingTotalCount", 1)
            .refusing(count -> count < 1, "a job needs at least 1 item")
            .refusing(count -> count > MAX_ITEMS, "a job can have at most %d items".formatted(MAX_ITEMS))
            .says("Number of items that the job is split into."));

    public static final Setting<String> SHARDING_ITEM_PARAMETERS = ROWS.add(text("shardingItemParameters")
            .limitedBy(JobSettings::faultsOfItemParameters)
            .passedOn()
            .says("Parameter for each item, for example \"0=Beijing,1=Shanghai\". None by default."));

    public static final Setting<String> JOB_PARAMETER =
            ROWS.add(text("jobParameter").passedOn().says("One parameter for all items. Empty by default."));

    public static final Setting<Boolean> FAILOVER = ROWS.add(
            flag("failover", false).says("Whether another instance takes over an interrupted execution at once."));

    public static final Setting<Boolean> MISFIRE =
            ROWS.add(flag("misfire", true).says("Whether a firing that no instance could start in time runs later."));

    public static final Setting<String> DESCRIPTION =
            ROWS.add(text("description").says("Description for humans. Empty by default."));

    public static final Setting<Map<String, String>> JOB_PROPERTIES =
            ROWS.add(new Setting<Map<String, String>>("jobProperties", SettingSource::texts, Map::of)
                    .keptAs(JobSettings::copy)
                    .hiding(Secrets::isName)
                    .passedOn()
                    .says("Further settings by name. If set, the annotation's are ignored. None by default."));

    public static final Setting<Boolean> STREAMING_PROCESS = ROWS.add(flag("streamingProcess", false)
            .onlyForItsKind()
            .says("Whether a firing of a dataflow job fetches and processes until nothing is left to fetch."));

    public static final Setting<String> SCRIPT_COMMAND_LINE = ROWS.add(text("scriptCommandLine")
            .onlyForItsKind()
            .declaredBy(PROPERTY)
            .says("Program that a script job runs, with its arguments. It is not run by a shell. Required for such a"
                    + " job."));

    public static final Setting<Optional<HttpRequestSettings>> HTTP = ROWS.add(group(
                    "http",
                    source -> Optional.of(HttpRequestSettings.read(source)),
                    Optional.<HttpRequestSettings>empty())
            .onlyForItsKind()
            .in(WHOLE)
            .hiding(Set.of("body", "headers")::contains)
            .limitedBy(http -> http.map(HttpRequestSettings::violations).orElse(List.of()))
            .declaredBy(PROPERTY)
            .says("Request that an HTTP job sends."));

    public static final Setting<Boolean> MONITOR_EXECUTION = ROWS.add(flag("monitorExecution", true)
            .says("Whether scheduled executions are recorded and locked in the registry. Manual runs always are."));

    public static final Setting<Integer> MAX_TIME_DIFF_SECONDS = ROWS.add(number("maxTimeDiffSeconds", -1)
            .says("Maximum difference, in seconds, between this machine's clock and the registry's. Negative for any"
                    + " difference."));

    public static final Setting<Integer> MONITOR_PORT = ROWS.add(
            number("monitorPort", -1).says("Stored for the tools of Elastic-Job 2.1.5. Nothing listens on it."));

    public static final Setting<String> JOB_SHARDING_STRATEGY_CLASS = ROWS.add(
            text("jobShardingStrategyClass")
                    .says(
                            "How items are distributed: AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, STICKY, ZONE, WEIGHTED, SPREAD, MEASURED, or"
                                    + " the name of a ShardingStrategy bean. AVG_ALLOCATION by default, and SPREAD for a job of one item."));

    public static final Setting<Integer> RECONCILE_INTERVAL_MINUTES = ROWS.add(number("reconcileIntervalMinutes", 10)
            .says("Interval, in minutes, at which the leader checks the registry and repairs inconsistent nodes. Below"
                    + " 1 for never."));

    public static final Setting<Boolean> DISABLED = ROWS.add(flag("disabled", false)
            .says("Whether new servers are disabled for the job until an operator enables them."));

    public static final Setting<Boolean> OVERWRITE = ROWS.add(flag("overwrite", false)
            .says("Whether these settings replace the stored ones at each start. Otherwise, the stored ones take"
                    + " precedence."));

    public static final Setting<Duration> MISFIRE_THRESHOLD =
            ROWS.add(duration("misfireThreshold", Duration.ofSeconds(60))
                    .refusing(Duration::isNegative, "expected a duration of 0 or more")
                    .says("Delay after which a firing is misfired."));

    public static final Setting<Integer> MAX_FAILOVERS = ROWS.add(number("maxFailovers", 3)
            .in(EXTENSION)
            .refusing(count -> count < 1, "expected at least 1; to switch failover off, set failover to false")
            .says("Number of crashes after which an execution is abandoned."));

    public static final Setting<Duration> TIMEOUT = ROWS.add(duration("timeout", Duration.ZERO)
            .refusing(JobSettings::isNoDuration, UP_TO_A_YEAR)
            .says("Maximum time for one attempt at an item, after which it is interrupted and fails. 0 for no limit."));

    public static final Setting<RetrySettings> RETRY = ROWS.add(group("retry", RetrySettings::read, RetrySettings.NONE)
            .in(EXTENSION)
            .refusing(
                    "retry.maxAttempts",
                    RetrySettings::maxAttempts,
                    count -> count < 1,
                    "expected at least 1, the first attempt; 1 means no retry")
            .refusing("retry.delay", RetrySettings::delay, JobSettings::isNoDuration, UP_TO_A_YEAR)
            .refusing("retry.maxDelay", RetrySettings::maxDelay, JobSettings::isNoDuration, UP_TO_A_YEAR)
            .refusing("retry.jitter", RetrySettings::jitter, JobSettings::isNoDuration, UP_TO_A_YEAR)
            .refusing(
                    "retry.multiplier",
                    RetrySettings::multiplier,
                    factor -> !(factor >= 1),
                    "expected at least 1; with 1, all pauses are equal")
            .says("Retry of failed executions on the same instance."));

    public static final Setting<Integer> CONCURRENCY = ROWS.add(number("concurrency", 0)
            .in(EXTENSION)
            .refusing(count -> count < 0, "expected a number of items, or 0 for no limit")
            .says("Maximum number of items of the job that run at the same time on one instance. 0 for no limit of its"
                    + " own."));

    public static final Setting<Boolean> RUN_AT_START = ROWS.add(flag("runAtStart", false)
            .onlyIf(JobDefinition::isOneOff)
            .in(WHOLE)
            .says("Whether a one-off job runs once whenever its first instance joins."));

    public static final Setting<AfterSettings> AFTER = ROWS.add(group("after", AfterSettings::read, AfterSettings.NONE)
            .onlyIf(job -> !job.after().jobs().isEmpty())
            .in(WHOLE)
            .limitedBy(AfterSettings::violations)
            .refusing("afterWindow", AfterSettings::window, JobSettings::isNoDuration, UP_TO_A_YEAR)
            .says(
                    "Names of the jobs that this one runs after, separated by commas. With several names, it runs when all"
                            + " of them have ended the firing of the same scheduled time. None by default."));

    public static final Setting<Boolean> CLUSTER_LISTENER = ROWS.add(flag("clusterListener", false)
            .onlyIf(JobSettings::hasListener)
            .in(EXTENSION)
            .declaredBy(CODE)
            .says("Whether the job has listeners that are called once per cluster. Instances without them wait for one"
                    + " that has them."));

    public static final Setting<Duration> BEFORE_FIRST_TIMEOUT =
            ROWS.add(duration("beforeFirstTimeout", Duration.ofMinutes(5))
                    .onlyIf(JobSettings::hasListener)
                    .refusing(JobSettings::isNoDuration, UP_TO_A_YEAR)
                    .says("Maximum time for the ClusterJobListeners before the first item of a firing, after which they"
                            + " are interrupted and the items fail. 0 for no limit."));

    public static final Setting<Duration> AFTER_LAST_TIMEOUT =
            ROWS.add(duration("afterLastTimeout", Duration.ofMinutes(30))
                    .onlyIf(JobSettings::hasListener)
                    .refusing(JobSettings::isNoDuration, UP_TO_A_YEAR)
                    .says("Maximum time for the ClusterJobListeners after the last item of a firing, after which they"
                            + " are interrupted. 0 for no limit."));

    public static final Setting<Duration> STUCK_AFTER = ROWS.add(watched("stuckAfter")
            .onlyIf(job -> job.watchdog().watchesExecutions())
            .says("How long an item may execute before it is reported as stuck. 0 for any time."));

    public static final Setting<Duration> EXPECT_WITHIN = ROWS.add(watched("expectWithin")
            .onlyIf(job -> job.watchdog().watchesFirings())
            .says("How long after a scheduled time the first item has to have begun. Otherwise, the firing is reported"
                    + " as overdue. 0 for any time."));

    public static final Setting<Duration> EVERY = ROWS.add(duration("every", Duration.ZERO)
            .onlyIf(job -> !job.every().isZero())
            .in(WHOLE)
            .refusing(JobSettings::isNoPeriod, "expected a period of whole seconds, from 1s to 365 days")
            .says(
                    "Period of a job that fires at a fixed rate, instead of a cron expression: at the same instants on all"
                            + " instances, counted from startAt, or else from 1970-01-01T00:00:00Z. 0 for none."));

    public static final Setting<Optional<Instant>> AT = ROWS.add(time("at")
            .onlyIf(job -> job.at().isPresent())
            .in(WHOLE)
            .says("Time at which a job fires once, instead of a cron expression. None by default."));

    public static final Setting<Optional<Instant>> START_AT = ROWS.add(time("startAt")
            .onlyIf(job -> job.startAt().isPresent())
            .says("Time before which the job has no firings. None by default."));

    public static final Setting<Optional<Instant>> END_AT = ROWS.add(time("endAt")
            .onlyIf(job -> job.endAt().isPresent())
            .says("Time after which the job has no firings. None by default."));

    public static final Setting<String> CALENDAR = ROWS.add(text("calendar")
            .in(EXTENSION)
            .onlyIf(job -> !job.calendar().isEmpty())
            .keptAs(String::strip)
            .limitedBy(JobSettings::faultsOfCalendar)
            .says("Days and times that are left out, on the wall clock of the job's zone: the name of a calendar of the"
                    + " application, or entries with commas between them. None by default."));

    public static final Setting<Boolean> MOVE_TO_NEXT_DAY = ROWS.add(flag("moveToNextDay", false)
            .in(EXTENSION)
            .onlyIf(JobDefinition::moveToNextDay)
            .says("Whether a firing on a day that the calendar leaves out moves to the next day that it doesn't, at the"
                    + " same time of day. Otherwise, there is no such firing."));

    public static final Setting<Duration> SPREAD = ROWS.add(duration("spread", Duration.ZERO)
            .onlyIf(job -> !job.spread().isZero())
            .refusing(JobSettings::isNoPeriod, "expected a window of whole seconds, from 0 to 365 days")
            .says("Window within which all firings of the job are later than its schedule says, by a time that its name"
                    + " decides. So jobs with the same schedule don't all start at once. 0 for none."));

    public static final Setting<Integer> PAUSE_AFTER_FAILURES = ROWS.add(number("pauseAfterFailures", 0)
            .in(EXTENSION)
            .onlyIf(job -> job.pauseAfterFailures() != 0)
            .refusing(count -> count < 0, "expected a number of failures, or 0 for never")
            .says("Number of executions of the same item that fail one after the other, after which the job is paused."
                    + " Retries of an execution are not counted. 0 for never."));

    public static final Setting<Overlap> OVERLAP = ROWS.add(choice("overlap", Overlap.WAIT)
            .in(EXTENSION)
            .onlyIf(job -> job.overlap() != Overlap.WAIT)
            .says(
                    "What becomes of a firing that comes due while its item still executes: WAIT (it runs afterwards if misfire"
                            + " is true), SKIP (it doesn't run) or CANCEL_RUNNING (it cancels the execution of the earlier"
                            + " firing)."));

    public static final Setting<Duration> JITTER = ROWS.add(
            duration("jitter", Duration.ZERO)
                    .onlyIf(job -> !job.jitter().isZero())
                    .refusing(JobSettings::isNoPeriod, "expected a window of whole seconds, from 0 to 365 days")
                    .says(
                            "Window within which each item of a firing starts later than the firing, by a time that the job's name, the"
                                    + " item and the scheduled time decide. So the items don't all start at once. 0 for none."));

    public static final Setting<CatchUp> CATCH_UP = ROWS.add(choice("catchUp", CatchUp.BY_MISFIRE)
            .in(EXTENSION)
            .onlyIf(job -> job.catchUp() == CatchUp.EACH)
            .says(
                    "What becomes of firings that nobody could start in time: FOLD (one execution makes up for all, as misfire"
                            + " true), SKIP (they are lost, as misfire false) or EACH (each runs, the oldest first). BY_MISFIRE"
                            + " for what misfire says."));

    public static final Setting<Integer> CATCH_UP_LIMIT = ROWS.add(
            number("catchUpLimit", 100)
                    .in(EXTENSION)
                    .onlyIf(job -> job.catchUpLimit() != 100)
                    .refusing(
                            count -> count < 1 || count > MAX_CATCH_UP,
                            "expected 1 to %d firings".formatted(MAX_CATCH_UP))
                    .says(
                            "Number of missed firings that each item makes up for with catchUp EACH: the newest. Older ones are lost."));

    public static final Setting<Duration> CATCH_UP_WINDOW = ROWS.add(duration("catchUpWindow", Duration.ZERO)
            .onlyIf(job -> !job.catchUpWindow().isZero())
            .refusing(JobSettings::isNoDuration, UP_TO_A_YEAR)
            .says(
                    "How old missed firings may be that catchUp EACH makes up for, at least misfireThreshold. Older ones are lost. 0"
                            + " for any age."));

    public static final Setting<Duration> FIXED_DELAY = ROWS.add(duration("fixedDelay", Duration.ZERO)
            .onlyIf(job -> !job.fixedDelay().isZero())
            .in(WHOLE)
            .refusing(JobSettings::isNoPeriod, "expected a delay of whole seconds, from 1s to 365 days")
            .says(
                    "Time from the end of a firing, in the whole cluster, to the next one, instead of a cron expression: a"
                            + " firing has ended when the last of its items has. 0 for none."));

    public static final Setting<String> RUN_ON = ROWS.add(text("runOn")
            .in(EXTENSION)
            .onlyIf(job -> !job.runOn().isEmpty())
            .keptAs(String::strip)
            .limitedBy(JobSettings::faultsOfSelector)
            .says(
                    "Which instances may run the job, by their labels, in the syntax of Kubernetes' selectors, such as \"zone in"
                            + " (a,b), version != 1.3\". All by default."));

    public static final Setting<Integer> WEIGHT = ROWS.add(number("weight", 1)
            .in(EXTENSION)
            .onlyIf(job -> job.weight() != 1)
            .refusing(weight -> weight < 1, "expected a weight of at least 1")
            .says(
                    "How much of an instance's capacity (elasticjob.worker.capacity) each item of the job takes while it is"
                            + " claimed and executed."));

    public static final Setting<String> ITEM_WEIGHTS = ROWS.add(
            text("itemWeights")
                    .in(EXTENSION)
                    .onlyIf(job -> !job.itemWeights().isEmpty())
                    .keptAs(String::strip)
                    .limitedBy(text -> ItemWeights.parse(text).faults().stream()
                            .map(fault -> new Violation("itemWeights", text, fault))
                            .toList())
                    .says(
                            "Weights of single items, for example \"0=4,3=2\". The others have the job's weight. None by default."));

    /** A job has at most one of them; one without any is a one-off job. */
    public static final List<Setting<?>> SCHEDULES = List.of(CRON, EVERY, FIXED_DELAY, AT);

    private static final Map<ScheduleKind, List<Setting<?>>> MEANINGLESS = Map.of(
            ScheduleKind.ON_REQUEST,
            List.of(START_AT, END_AT, CALENDAR, MOVE_TO_NEXT_DAY, SPREAD, JITTER, OVERLAP, CATCH_UP, EXPECT_WITHIN),
            ScheduleKind.FIXED_DELAY,
            List.of(CALENDAR, MOVE_TO_NEXT_DAY, SPREAD, JITTER, OVERLAP, CATCH_UP, MISFIRE, MISFIRE_THRESHOLD),
            ScheduleKind.AT,
            List.of(START_AT, END_AT, CALENDAR, MOVE_TO_NEXT_DAY, SPREAD));

    public static final List<Setting<?>> ALL = List.copyOf(ROWS.added);

    /** Whose values have parts with names of their own. */
    public static final List<Setting<?>> GROUPS = List.of(HTTP, RETRY, AFTER);

    /** The parts of groups that have names of their own, beside those of the settings, where applications declare them. */
    public static final Map<String, String> DECLARED_NAMES =
            Map.of("after.jobs", "after", "after.outcome", "afterOutcome", "after.window", "afterWindow");

    private JobSettings() {}

    /** The settings that a job with such a schedule must not have, because they would mean nothing. */
    public static List<Setting<?>> meaninglessWith(ScheduleKind kind) {
        return MEANINGLESS.getOrDefault(kind, List.of());
    }

    /** @param name of a setting, or of a part of one: {@code jobProperties.table} */
    public static boolean isParameter(String name) {
        String setting = name.split("\\.", 2)[0];
        return ALL.stream().anyMatch(row -> row.isParameter() && row.name().equals(setting));
    }

    /** @param name of a setting, or of a part of one: {@code http.body} */
    public static boolean mayHaveSecret(String name) {
        return ALL.stream().anyMatch(row -> row.mayHaveSecret(name));
    }

    /** Other jobs don't store these settings: their nodes have no use for them. */
    private static boolean hasListener(JobDefinition job) {
        return job.clusterListener() || !BEFORE_FIRST_TIMEOUT.isStandard(job) || !AFTER_LAST_TIMEOUT.isStandard(job);
    }

    private static boolean isNoDuration(Duration found) {
        return found.isNegative() || found.compareTo(MAX_DURATION) > 0;
    }

    private static boolean isNoPeriod(Duration found) {
        return isNoDuration(found) || !found.equals(found.truncatedTo(ChronoUnit.SECONDS));
    }

    private static Map<String, String> copy(Map<String, String> properties) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    private static List<Violation> faultsOfItemParameters(String text) {
        return ItemParameters.parse(text).faults().stream()
                .map(fault -> new Violation("shardingItemParameters", text, fault))
                .toList();
    }

    private static List<Violation> faultsOfCalendar(String text) {
        try {
            if (!text.isEmpty()) {
                JobCalendar.of(text);
            }
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(new Violation("calendar", text, String.valueOf(e.getMessage())));
        }
    }

    private static List<Violation> faultsOfSelector(String text) {
        try {
            LabelSelector.parse(text);
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(new Violation("runOn", text, String.valueOf(e.getMessage())));
        }
    }

    // ------------------------------------------------------------------ kinds of rows

    private static Setting<String> text(String name) {
        return new Setting<>(name, SettingSource::text, () -> "");
    }

    private static Setting<Integer> number(String name, int standard) {
        return new Setting<>(name, SettingSource::number, () -> standard);
    }

    private static Setting<Boolean> flag(String name, boolean standard) {
        return new Setting<>(name, SettingSource::flag, () -> standard);
    }

    private static <E extends Enum<E>> Setting<E> choice(String name, E standard) {
        return new Setting<>(name, (source, key) -> source.choice(key, standard.getDeclaringClass()), () -> standard);
    }

    /** Elastic-Job has no setting of this kind. */
    private static Setting<Duration> duration(String name, Duration standard) {
        return new Setting<>(name, SettingSource::duration, () -> standard).in(EXTENSION);
    }

    private static Setting<Optional<Instant>> time(String name) {
        return new Setting<Optional<Instant>>(name, SettingSource::time, Optional::empty)
                .in(EXTENSION)
                .limitedBy(time -> time
                        .filter(Predicate.not(Schedule::canFireAt))
                        .map(wrong -> new Violation(name, wrong.toString(), "expected a whole second, until year 9999"))
                        .stream()
                        .toList());
    }

    /** A value of several parts. */
    private static <T> Setting<T> group(String name, Function<SettingSource, T> reader, T standard) {
        return new Setting<>(
                name,
                (source, key) -> source.hasGroup(key) ? Optional.of(reader.apply(source)) : Optional.empty(),
                () -> standard);
    }

    /** A second at least: for each limit that passes, something is read. */
    private static Setting<Duration> watched(String name) {
        return duration(name, Duration.ZERO)
                .refusing(
                        limit -> isNoDuration(limit) || (!limit.isZero() && limit.compareTo(Duration.ofSeconds(1)) < 0),
                        "expected 0 for no limit, or a duration from 1 s to 365 days");
    }

    /** Numbers the rows as an enum numbers its constants: while this class is initialized, and never again. */
    private static final class Rows {
        private final List<Setting<?>> added = new ArrayList<>();

        <T> Setting<T> add(Setting<T> row) {
            return row.addedTo(added);
        }
    }
}
