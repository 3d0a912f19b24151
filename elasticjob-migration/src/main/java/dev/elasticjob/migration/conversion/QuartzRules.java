package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.JobRules.Rule;
import dev.elasticjob.migration.source.SourceSetting;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** What becomes of a job of Quartz and of its triggers. */
final class QuartzRules {
    private static final String DEFAULT_PRIORITY = "5";
    private static final String UNIT = "repeat-interval-unit";
    private static final String ENDLESS = "-1";
    private static final String RUN_EACH = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";

    private static final Map<String, Boolean> MISFIRES = Map.of(
            "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW", true,
            "MISFIRE_INSTRUCTION_FIRE_NOW", true,
            "MISFIRE_INSTRUCTION_SMART_POLICY", true,
            "MISFIRE_INSTRUCTION_DO_NOTHING", false,
            "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT", false,
            "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT", false);

    /** The units of calendar intervals that are a duration on each day. */
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "SECOND", ChronoUnit.SECONDS,
            "MINUTE", ChronoUnit.MINUTES,
            "HOUR", ChronoUnit.HOURS);

    static final Map<String, Rule> RULES = Map.ofEntries(
            entry("class", QuartzRules::jobClass),
            entry("description", JobRules.text("description")),
            entry(
                    "durability",
                    (setting, draft) ->
                            draft.note(Finding.Kind.NOT_NEEDED, setting, "each job stays until it is removed")),
            entry("recover", JobRules.flag("failover")),
            entry("trigger", (setting, draft) -> {}),
            entry("cronexpression", JobRules::cron),
            entry("timezone", JobRules::timeZone),
            entry("starttime", (setting, draft) -> time(setting, draft, "start-at")),
            entry("endtime", (setting, draft) -> time(setting, draft, "end-at")),
            entry("starttimesecondsinfuture", JobRules.lost("there is none here; start-at has a time")),
            entry("misfireinstruction", QuartzRules::misfire),
            entry("calendarname", QuartzRules::calendar),
            entry("priority", QuartzRules::priority),
            entry("repeatinterval", QuartzRules::interval),
            entry("repeatintervalunit", (setting, draft) -> {}),
            entry("repeatcount", QuartzRules::count),
            entry("jobdata", QuartzRules::data));

    private QuartzRules() {}

    private static void jobClass(SourceSetting setting, JobDraft draft) {
        draft.note(
                Finding.Kind.CHECK,
                setting,
                "implement SimpleJob instead of Job: execute(ShardingContext) instead of execute(JobExecutionContext)");
    }

    private static void time(SourceSetting setting, JobDraft draft, String property) {
        try {
            draft.put(
                    setting,
                    property,
                    OffsetDateTime.parse(setting.value())
                            .toInstant()
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString());
        } catch (DateTimeException e) {
            draft.lost(
                    setting,
                    "has no zone, or is no time: set %s to a time such as 2026-12-24T18:00:00+01:00"
                            .formatted(property));
        }
    }

    private static void misfire(SourceSetting setting, JobDraft draft) {
        Boolean misfire = MISFIRES.get(setting.value());
        if (misfire != null) {
            draft.put(setting, "misfire", misfire);
        } else if (setting.value().equals(RUN_EACH)) {
            draft.put(setting, "catch-up", "EACH");
        } else {
            draft.lost(setting, "expected a misfire instruction of Quartz; missed firings run as one (misfire: true)");
        }
    }

    private static void calendar(SourceSetting setting, JobDraft draft) {
        draft.put(setting, "calendar", setting.value());
        draft.lost(
                setting,
                "define the calendar as elasticjob.calendars.%s, with the days that it leaves out"
                        .formatted(setting.value()));
    }

    private static void priority(SourceSetting setting, JobDraft draft) {
        if (setting.value().equals(DEFAULT_PRIORITY)) {
            draft.note(Finding.Kind.NOT_NEEDED, setting, "is Quartz's default, and there are none here");
        } else {
            draft.lost(setting, "there are no priorities");
        }
    }

    /** In milliseconds, or in the unit beside it. */
    private static void interval(SourceSetting setting, JobDraft draft) {
        Optional<String> unit = SchedulerValues.of(draft, UNIT);
        if (unit.isPresent() && !UNITS.containsKey(unit.get())) {
            draft.leaveOut(
                    setting,
                    "an interval of days or more counts on the wall clock: write a cron expression instead, and add the"
                            + " job by hand");
            return;
        }
        ChronoUnit given = unit.map(UNITS::get).orElse(ChronoUnit.MILLIS);
        Optional<String> every = SchedulerValues.duration(setting.value() + " " + given.name());
        every.ifPresentOrElse(
                period -> draft.put(setting, "every", period),
                () -> draft.leaveOut(setting, SchedulerValues.WHOLE_SECONDS));
    }

    private static void count(SourceSetting setting, JobDraft draft) {
        if (!setting.value().equals(ENDLESS)) {
            draft.lost(setting, "the number of firings isn't counted here: set end-at to the time of the last one");
        }
    }

    private static void data(SourceSetting setting, JobDraft draft) {
        PropertyRules.apply(setting.key().substring(setting.key().indexOf('.') + 1), setting, draft);
    }
}
