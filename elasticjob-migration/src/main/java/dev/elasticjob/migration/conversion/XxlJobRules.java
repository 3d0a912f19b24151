package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.JobRules.Rule;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.Map;
import java.util.Optional;

/** What becomes of a row of XXL-JOB's table {@code xxl_job_info}. */
final class XxlJobRules {
    private static final String TYPE = "schedule_type";
    private static final String NONE = "0";

    static final Map<String, Rule> RULES = Map.ofEntries(
            entry("class", (setting, draft) -> {}),
            entry("executorhandler", (setting, draft) -> {}),
            entry("jobdesc", JobRules.text("description")),
            entry(
                    "author",
                    (setting, draft) -> draft.note(
                            Finding.Kind.NOT_NEEDED,
                            setting,
                            "jobs have no author; alerts go to elasticjob.alerts.mail.to")),
            entry("alarmemail", JobRules.lost("set elasticjob.alerts.mail.to, for all jobs")),
            entry("scheduletype", (setting, draft) -> {}),
            entry("scheduleconf", XxlJobRules::schedule),
            entry("misfirestrategy", XxlJobRules::misfire),
            entry("executorroutestrategy", XxlJobRules::route),
            entry("executorparam", JobRules.text("job-parameter")),
            entry("executorblockstrategy", XxlJobRules::block),
            entry("executortimeout", XxlJobRules::timeout),
            entry("executorfailretrycount", XxlJobRules::retries),
            entry("gluetype", XxlJobRules::kind),
            entry("gluesource", JobRules.lost("code in the database has no equivalent: move it into the application")),
            entry("triggerstatus", XxlJobRules::status),
            entry("parents", XxlJobRules::parents));

    private XxlJobRules() {}

    private static void schedule(SourceSetting setting, JobDraft draft) {
        String type = SchedulerValues.of(draft, TYPE).orElse("");
        switch (type) {
            case "CRON" -> JobRules.cron(setting, draft);
            case "FIX_RATE" ->
                SchedulerValues.duration(setting.value() + " SECONDS")
                        .ifPresentOrElse(
                                every -> draft.put(setting, "every", every),
                                () -> draft.leaveOut(setting, SchedulerValues.WHOLE_SECONDS));
            default -> draft.leaveOut(setting, "expected a schedule_type of CRON, FIX_RATE or NONE, but it is " + type);
        }
    }

    private static void misfire(SourceSetting setting, JobDraft draft) {
        switch (setting.value()) {
            case "DO_NOTHING" -> draft.put(setting, "misfire", false);
            case "FIRE_ONCE_NOW" -> draft.put(setting, "misfire", true);
            default -> draft.lost(setting, "expected DO_NOTHING or FIRE_ONCE_NOW");
        }
    }

    private static void route(SourceSetting setting, JobDraft draft) {
        if (setting.value().equals("SHARDING_BROADCAST")) {
            draft.lost(
                    setting,
                    "the number of items was that of the executors: set sharding-total-count to as many as the work may"
                            + " be split into; the instances share them");
        } else {
            draft.note(
                    Finding.Kind.NOT_NEEDED,
                    setting,
                    "the job's one item belongs to an instance, and moves when that is gone");
        }
    }

    private static void block(SourceSetting setting, JobDraft draft) {
        switch (setting.value()) {
            case "SERIAL_EXECUTION" ->
                draft.note(
                        Finding.Kind.CHANGED,
                        setting,
                        "several firings that come due during an execution run as one after it; with catch-up: each, one by one");
            case "DISCARD_LATER" -> draft.put(setting, "overlap", "SKIP");
            case "COVER_EARLY" -> draft.put(setting, "overlap", "CANCEL_RUNNING");
            default -> draft.lost(setting, "expected SERIAL_EXECUTION, DISCARD_LATER or COVER_EARLY");
        }
    }

    private static void timeout(SourceSetting setting, JobDraft draft) {
        if (!setting.value().equals(NONE)) {
            draft.put(setting, "timeout", SettingValues.number(setting, draft.dialect()) + "s");
        }
    }

    private static void retries(SourceSetting setting, JobDraft draft) {
        if (!setting.value().equals(NONE)) {
            draft.put(setting, "retry.max-attempts", (Integer) SettingValues.number(setting, draft.dialect()) + 1);
        }
    }

    private static void kind(SourceSetting setting, JobDraft draft) {
        if (!setting.value().equals("BEAN")) {
            draft.leaveOut(
                    setting,
                    "its code is in the database: write a script job with a file of its own, or a class, and add it by"
                            + " hand");
        }
    }

    private static void status(SourceSetting setting, JobDraft draft) {
        if (setting.value().equals(NONE)) {
            draft.put(setting, "enabled", false);
            draft.note(
                    Finding.Kind.CHANGED,
                    setting,
                    "it was stopped: enabled: false leaves it out of the application. Remove the line to start it");
        }
    }

    private static void parents(SourceSetting setting, JobDraft draft) {
        Optional<String> schedule = SchedulerValues.of(draft, TYPE).filter(type -> !type.equals("NONE"));
        if (schedule.isEmpty()) {
            draft.put(setting, "after", setting.value());
        } else {
            draft.lost(
                    setting,
                    "it also has a schedule of its own, and a job here has one of the two: give one of them to a second"
                            + " job of the same class");
        }
    }
}
