package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.schedule.CronSchedule;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceSetting;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What becomes of each setting of a job: one rule for each key of 2.x and 3.x. Keys are compared as Spring Boot does it,
 * without their case and dashes; so the three spellings of a key share a rule.
 */
final class JobRules {
    /** Carries a setting over, or notes why it can't be. */
    interface Rule {
        void apply(SourceSetting setting, JobDraft draft);
    }

    private static final String STRATEGIES_OF_2 = "com.dangdang.ddframe.job.lite.api.strategy.impl.";
    private static final Map<String, String> STRATEGIES = Map.of(
            STRATEGIES_OF_2 + "AverageAllocationJobShardingStrategy",
            "AVG_ALLOCATION",
            STRATEGIES_OF_2 + "OdevitySortByNameJobShardingStrategy",
            "ODEVITY",
            STRATEGIES_OF_2 + "RotateServerByNameJobShardingStrategy",
            "ROUND_ROBIN",
            "AVG_ALLOCATION",
            "AVG_ALLOCATION",
            "ODEVITY",
            "ODEVITY",
            "ROUND_ROBIN",
            "ROUND_ROBIN");

    private static final String LISTENER =
            "declare an ElasticJobListener bean, and override appliesTo if it is only for this job";

    private static final String WAITING =
            "a ClusterJobListener waits for nobody; before-first-timeout and after-last-timeout limit"
                    + " how long its own calls may take";

    /** Also for the settings of a whole application. */
    static final String TRACING = "the event trace is switched on for all jobs, with elasticjob.tracing.enabled: true;"
            + " elasticjob.tracing.datasource names a DataSource bean, and include-jobs or exclude-jobs limit it. Tables"
            + " of ElasticJob need a script once, which the error at startup names";

    private static final String STORED_CRON = ". If you keep the namespace, the stored expression takes precedence: set"
            + " overwrite: true until the job has started once";

    /** With these, blanks are a value. */
    private static final Set<String> TEXTS =
            Set.of("shardingitemparameters", "jobparameter", "description", "scriptcommandline");

    /** In front of a key whose value can't be told. */
    private static final String UNKNOWN = "unknown.";

    private static final String NO_KEY = "no key that this converter knows; check its spelling";

    static final Rule STRUCTURE = (setting, draft) -> {};

    private static final Map<String, Rule> RULES = Map.ofEntries(
            entry("class", JobRules::jobClass),
            entry("jobclass", JobRules::jobClass),
            entry("elasticjobclass", JobRules::jobClass),
            entry("jobtype", STRUCTURE),
            entry("elasticjobtype", STRUCTURE),
            entry("jobref", JobRules::jobClass),
            entry("registrycenterref", STRUCTURE),
            entry("cron", JobRules::cron),
            entry("timezone", JobRules::timeZone),
            entry("shardingtotalcount", number("sharding-total-count")),
            entry("shardingitemparameters", text("sharding-item-parameters")),
            entry("jobparameter", text("job-parameter")),
            entry("monitorexecution", flag("monitor-execution")),
            entry("failover", flag("failover")),
            entry("misfire", flag("misfire")),
            entry("maxtimediffseconds", number("max-time-diff-seconds")),
            entry("reconcileintervalminutes", number("reconcile-interval-minutes")),
            entry("monitorport", number("monitor-port")),
            entry("description", text("description")),
            entry("disabled", flag("disabled")),
            entry("overwrite", flag("overwrite")),
            entry("streamingprocess", flag("streaming-process")),
            entry("scriptcommandline", text("script-command-line")),
            entry("jobshardingstrategyclass", JobRules::strategy),
            entry("jobshardingstrategytype", JobRules::strategy),
            entry("jobexceptionhandler", JobRules::errorHandler),
            entry("joberrorhandlertype", JobRules::errorHandler),
            entry("executorservicehandler", JobRules::executor),
            entry("jobexecutorservicehandlertype", JobRules::executor),
            entry("jobexecutorthreadpoolsizeprovidertype", JobRules::executor),
            entry("joblistenertypes", lost(LISTENER)),
            entry("listener.class", lost(LISTENER)),
            entry(
                    "distributedlistener.class",
                    lost("declare a ClusterJobListener bean, and override appliesTo if it is only for this job; it is"
                            + " called once for all instances, and its methods are called differently")),
            entry("distributedlistener.startedtimeoutmilliseconds", lost(WAITING)),
            entry("distributedlistener.completedtimeoutmilliseconds", lost(WAITING)),
            entry("eventtracerdbdatasource", lost(TRACING)),
            entry("tracingref", lost(TRACING)),
            entry("jobextraconfigurations", lost(TRACING)),
            entry("label", notNeeded("ElasticJob stores labels, and doesn't use them; there are none here")),
            entry("staticsharding", JobRules::staticSharding),
            entry(
                    "jobbootstrapbeanname",
                    lost("there are no bootstrap beans; call JobAdmin.run or JobAdmin.trigger with the job's name")));

    private JobRules() {}

    /** Applies the rule of a setting; a key without a rule is listed. An empty value asks for nothing. */
    static void apply(SourceSetting setting, JobDraft draft) {
        String key = uniform(setting.key());
        boolean free = key.startsWith("props.") || key.startsWith("jobproperties.");
        if (setting.value().isBlank() && !free && !TEXTS.contains(key)) {
            return;
        }
        if (SettingValues.isEscaped(setting, draft.dialect())) {
            draft.note(
                    Finding.Kind.CHECK,
                    setting,
                    "a backslash in front of ${ escapes the placeholder here, which Spring before 6.2 doesn't know");
        }
        if (SettingValues.isExpression(setting, draft.dialect())) {
            draft.lost(
                    setting, "expressions \"#{…}\" are not evaluated in properties; write the value, or a placeholder");
        } else if (free) {
            PropertyRules.apply(setting.key().substring(setting.key().indexOf('.') + 1), setting, draft);
        } else {
            rule(key, draft.dialect()).apply(setting, draft);
        }
    }

    private static Rule rule(String key, Dialect dialect) {
        return switch (dialect) {
            case SCHEDULED ->
                key.startsWith(UNKNOWN) ? ScheduledRules::unknown : rule(ScheduledRules.RULES, key, NO_KEY);
            case QUARTZ -> rule(QuartzRules.RULES, key.split("\\.", 2)[0], NO_KEY);
            case XXL_JOB -> rule(XxlJobRules.RULES, key, NO_KEY);
            case CLOUD -> CloudRules.RULES.getOrDefault(key, rule(RULES, key, NO_KEY));
            default -> rule(RULES, key, NO_KEY);
        };
    }

    private static Rule rule(Map<String, Rule> rules, String key, String unknown) {
        return rules.getOrDefault(key, lost(unknown));
    }

    /** The keys that have a rule, as {@link #uniform} has them. */
    static Set<String> keys() {
        return RULES.keySet();
    }

    /** Without case, dashes, and the index of a list's element. */
    static String uniform(String key) {
        return key.replace("-", "")
                .replace("_", "")
                .replaceFirst("\\[\\d+].*", "")
                .toLowerCase(Locale.ROOT);
    }

    static Rule text(String property) {
        return (setting, draft) -> {
            String text = SettingValues.text(setting, draft.dialect());
            // In a profile's properties, an empty text replaces another one.
            if (!text.isEmpty() || draft.dialect() == Dialect.PROPERTIES_3) {
                draft.put(setting, property, text);
            }
        };
    }

    static Rule flag(String property) {
        return (setting, draft) -> draft.put(setting, property, SettingValues.flag(setting, draft.dialect()));
    }

    static Rule number(String property) {
        return (setting, draft) -> draft.put(setting, property, SettingValues.number(setting, draft.dialect()));
    }

    static Rule lost(String reason) {
        return (setting, draft) -> draft.lost(setting, reason);
    }

    static Rule notNeeded(String reason) {
        return (setting, draft) -> draft.note(Finding.Kind.NOT_NEEDED, setting, reason);
    }

    /** Becomes the place of the annotation. */
    private static void jobClass(SourceSetting setting, JobDraft draft) {
        String type = setting.value().strip();
        if (!draft.kind().isBean()) {
            // 2.x stores its own class for a script.
            if (!draft.dialect().isStored() || !JobClass.isTheirs(type)) {
                draft.note(Finding.Kind.NOT_NEEDED, setting, "a script or an HTTP request has no class");
            }
        } else if (JobClass.isTheirs(type)) {
            draft.note(
                    Finding.Kind.CHECK,
                    setting,
                    "is Elastic-Job's own: annotate the class that implements it, which must be the only one for this"
                            + " job. annotations.txt has the annotation");
        } else if (draft.dialect().hasPlaceholders() && SettingValues.isPlaceholder(type)) {
            draft.note(Finding.Kind.CHECK, setting, "annotate the class or bean that the placeholder stands for");
        } else if (!JobClass.withoutProxy(type).equals(type)) {
            draft.note(
                    Finding.Kind.CHANGED,
                    setting,
                    "is \"%s\" here, without the name of a proxy".formatted(JobClass.withoutProxy(type)));
        }
    }

    /** One of several triggers, whose expressions are put together. */
    static void addCron(SourceSetting setting, JobDraft draft, String cron) {
        draft.get("cron")
                .ifPresentOrElse(
                        before -> draft.put("cron", before + "; " + cron), () -> draft.put(setting, "cron", cron));
    }

    static void cron(SourceSetting setting, JobDraft draft) {
        String cron = setting.value().strip();
        if (draft.dialect().hasPlaceholders() && SettingValues.isPlaceholder(cron)) {
            draft.put(setting, "cron", cron);
            draft.note(
                    Finding.Kind.CHECK,
                    setting,
                    "the value behind the placeholder was not converted; numbers of days of the week count from"
                            + " Monday here, and from Sunday in Quartz");
            return;
        }
        String converted = CronSchedule.fromQuartz(cron).orElse("");
        if (converted.isEmpty()) {
            String problem = Schedule.problemOfCron(cron, ZoneOffset.UTC)
                    .map(text -> ": " + text)
                    .orElse("");
            draft.leaveOut(
                    setting, "the expression has no equivalent" + problem + ". Choose one, and add the job by hand");
            return;
        }
        if (draft.dialect() == Dialect.QUARTZ) {
            addCron(setting, draft, converted);
        } else {
            draft.put(setting, "cron", converted);
        }
        if (!converted.equals(cron)) {
            draft.note(
                    Finding.Kind.CHANGED,
                    setting,
                    "is \"%s\" here, and fires at the same times: Quartz writes some expressions differently%s"
                            .formatted(converted, draft.dialect().isVersion2() ? STORED_CRON : ""));
        }
    }

    static void timeZone(SourceSetting setting, JobDraft draft) {
        String written = SettingValues.text(setting, draft.dialect()).strip();
        if (SettingValues.isPlaceholder(written)) {
            draft.put(setting, "time-zone", written);
            return;
        }
        // Java's old time zones, which 3.x uses, know GMT+8:00 too.
        String zone = written.replaceFirst("^(GMT[+-])(\\d)((:?\\d\\d)?)$", "$10$2$3");
        try {
            ZoneId.of(zone);
        } catch (DateTimeException e) {
            draft.leaveOut(setting, "expected a zone such as Europe/Berlin or GMT+08:00. Correct it");
            return;
        }
        draft.put(setting, "time-zone", zone);
        if (!zone.equals(written)) {
            draft.note(Finding.Kind.CHANGED, setting, "is \"%s\" here".formatted(zone));
        }
    }

    private static void strategy(SourceSetting setting, JobDraft draft) {
        String name = setting.value().strip();
        if (STRATEGIES.containsKey(name) || SettingValues.isPlaceholder(name)) {
            draft.put(setting, "job-sharding-strategy-class", STRATEGIES.getOrDefault(name, name));
            noteName(setting, draft, "AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, or the name of a ShardingStrategy bean");
        } else {
            draft.lost(
                    setting,
                    "declare a ShardingStrategy bean, and set job-sharding-strategy-class to its name; until then,"
                            + " the default strategy distributes the items");
        }
    }

    private static void errorHandler(SourceSetting setting, JobDraft draft) {
        String name = setting.value().strip();
        if (Set.of("LOG", "IGNORE", "THROW").contains(name) || SettingValues.isPlaceholder(name)) {
            draft.put(setting, "job-exception-handler", name);
            noteName(setting, draft, "LOG, IGNORE, THROW, or the name of a JobErrorHandler bean");
        } else if (!HandlerProperties.isDefault(name)) {
            draft.lost(
                    setting,
                    "declare a JobErrorHandler bean, and set job-exception-handler to its name; until then, failures"
                            + " are logged");
        }
    }

    private static void noteName(SourceSetting setting, JobDraft draft, String expected) {
        if (SettingValues.isPlaceholder(setting.value())) {
            draft.note(Finding.Kind.CHECK, setting, "the value behind the placeholder has to be " + expected);
        }
    }

    private static void executor(SourceSetting setting, JobDraft draft) {
        String name = setting.value().strip();
        if (name.equals("SINGLE_THREAD")) {
            draft.put(setting, "concurrency", 1);
            draft.note(
                    Finding.Kind.CHANGED,
                    setting,
                    "is concurrency: 1 here: one item of the job at a time on an instance");
        } else if (name.equals("CPU")) {
            draft.note(
                    Finding.Kind.NOT_NEEDED, setting, "all jobs share the threads of elasticjob.executor.max-threads");
        } else if (!HandlerProperties.isDefault(name)) {
            draft.lost(
                    setting,
                    "declare an Executor bean, and set executor-service-handler to its name; until then, the job uses"
                            + " the threads that all jobs share");
        }
    }

    private static void staticSharding(SourceSetting setting, JobDraft draft) {
        if (!Boolean.FALSE.equals(SettingValues.flag(setting, draft.dialect()))) {
            draft.lost(
                    setting,
                    "items always move to the instances that are there; job-sharding-strategy-class: STICKY moves as"
                            + " few as possible");
        }
    }
}
