package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.JobRules.Rule;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What becomes of a method with Spring's {@code @Scheduled}, and of ShedLock's {@code @SchedulerLock}. */
final class ScheduledRules {
    private static final String DISABLED = "-";

    /** Followed by the unit of a number. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:{}]+)(?::([^{}]*))?} ([A-Z]+)");

    /** By the keys that the reader of such methods gives them. */
    static final Map<String, Rule> RULES = Map.ofEntries(
            entry("class", (setting, draft) -> {}),
            entry("cron", alone(ScheduledRules::cron)),
            entry("zone", JobRules::timeZone),
            entry("fixedrate", alone(ScheduledRules::fixedRate)),
            entry("fixeddelay", alone(ScheduledRules::fixedDelay)),
            entry("initialdelay", ScheduledRules::initialDelay),
            entry("unsupported", ScheduledRules::unsupported),
            entry(
                    "scheduler",
                    JobRules.lost(
                            "all jobs share the threads of elasticjob.executor.max-threads; for an executor of its"
                                    + " own, set executor-service-handler to the name of an Executor bean")),
            entry("lock", ScheduledRules::lock),
            entry("several", (setting, draft) -> {}),
            entry("parameters", ScheduledRules::parameters));

    private ScheduledRules() {}

    /** A job has one schedule: of several, one line is told. */
    private static Rule alone(Rule rule) {
        return (setting, draft) -> {
            List<String> schedules = schedules(draft);
            if (schedules.size() <= 1) {
                rule.apply(setting, draft);
            } else if (!draft.isLeftOut()) {
                draft.leaveOut(
                        "a job has one schedule, and the method has %s: write a method for each, and convert again"
                                .formatted(String.join(" and ", schedules)));
            }
        };
    }

    /** As the method has them. */
    private static List<String> schedules(JobDraft draft) {
        return Stream.of("cron", "fixedRate", "fixedDelay")
                .filter(key -> SchedulerValues.of(draft, key).isPresent())
                .map(key -> "%s=\"%s\""
                        .formatted(key, SchedulerValues.of(draft, key).orElseThrow()))
                .toList();
    }

    /** Without one, it ran once after each start. */
    private static void initialDelay(SourceSetting setting, JobDraft draft) {
        if (schedules(draft).isEmpty()) {
            draft.leaveOut(
                    setting,
                    "it ran once after each start of an instance: add the job by hand, without a schedule and with"
                            + " run-at-start: true, which runs it once when the first instance starts");
        } else {
            draft.lost(setting, "there is none here; start-at is a time before which the job doesn't fire");
        }
    }

    /** A value that isn't written in the file. */
    static void unknown(SourceSetting setting, JobDraft draft) {
        String key = setting.key().substring(setting.key().indexOf('.') + 1);
        draft.leaveOut(
                new SourceSetting(key, setting.value(), setting.place()),
                "its value isn't written in this file. Write it here, and convert again");
    }

    private static void cron(SourceSetting setting, JobDraft draft) {
        String cron = setting.value().strip();
        if (cron.equals(DISABLED)) {
            draft.leaveOut(setting, "it is switched off, so it has no schedule to convert");
            return;
        }
        // Both read the same expressions, so nothing has to be translated.
        JobRules.addCron(setting, draft, cron);
    }

    private static void fixedRate(SourceSetting setting, JobDraft draft) {
        duration(setting, draft).ifPresent(every -> {
            draft.put(setting, "every", every);
            draft.note(
                    Finding.Kind.CHANGED,
                    setting,
                    "is every: %s here, counted from 1970-01-01T00:00:00Z and not from the start of an instance"
                            .formatted(every));
        });
    }

    private static void fixedDelay(SourceSetting setting, JobDraft draft) {
        duration(setting, draft).ifPresent(delay -> draft.put(setting, "fixed-delay", delay));
    }

    private static Optional<String> duration(SourceSetting setting, JobDraft draft) {
        Matcher placeholder = PLACEHOLDER.matcher(setting.value());
        if (placeholder.matches()) {
            return Optional.of(placeholder(setting, draft, placeholder));
        }
        Optional<String> written = SchedulerValues.duration(setting.value());
        if (written.isEmpty()) {
            draft.leaveOut(setting, SchedulerValues.WHOLE_SECONDS);
        }
        return written;
    }

    /** A number behind it has the unit of the annotation. */
    private static String placeholder(SourceSetting setting, JobDraft draft, Matcher parts) {
        String unit = parts.group(3);
        String name = parts.group(1);
        String other = Objects.requireNonNullElse(parts.group(2), "");
        Optional<String> written = SchedulerValues.duration(other.matches("\\d+") ? other + " " + unit : other);
        draft.note(
                Finding.Kind.CHECK,
                setting,
                "the value behind the placeholder needs a unit here, such as 30s; a number was in "
                        + unit.toLowerCase(Locale.ROOT));
        return "${" + name + written.map(value -> ":" + value).orElse(other.isEmpty() ? "" : ":" + other) + "}";
    }

    private static void unsupported(SourceSetting setting, JobDraft draft) {
        draft.leaveOut(
                setting,
                "such a method fails startup here: do the work in the method itself, or return a CompletableFuture, and"
                        + " convert again");
    }

    private static void lock(SourceSetting setting, JobDraft draft) {
        draft.put("overlap", "SKIP");
        draft.note(
                Finding.Kind.CHANGED,
                setting,
                "is overlap: SKIP here, because a firing is left out while the lock is held; remove the annotation. The"
                        + " times of the lock are not needed");
    }

    private static void parameters(SourceSetting setting, JobDraft draft) {
        draft.leaveOut(setting, "a method that is scheduled has no parameters. Remove them");
    }
}
