package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.JobRules.Rule;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.Map;
import java.util.Optional;

/** What becomes of a method with Spring's {@code @Scheduled}, and of ShedLock's {@code @SchedulerLock}. */
final class ScheduledRules {
    private static final String DISABLED = "-";

    /** By the keys that the reader of such methods gives them. */
    static final Map<String, Rule> RULES = Map.ofEntries(
            entry("class", ScheduledRules::method),
            entry("cron", ScheduledRules::cron),
            entry("zone", JobRules::timeZone),
            entry("fixedrate", ScheduledRules::fixedRate),
            entry("fixeddelay", ScheduledRules::fixedDelay),
            entry("initialdelay", JobRules.lost("there is none here; startAt says from which time on the job fires")),
            entry(
                    "scheduler",
                    JobRules.lost(
                            "all jobs share the threads of elasticjob.executor.max-threads; for an executor of its"
                                    + " own, set executor-service-handler to the name of an Executor bean")),
            entry("lock", ScheduledRules::lock),
            entry("several", (setting, draft) -> {}),
            entry("parameters", ScheduledRules::parameters));

    private ScheduledRules() {}

    private static void method(SourceSetting method, JobDraft draft) {
        boolean locked = draft.source().settings().stream()
                .anyMatch(setting -> setting.key().equals("lock"));
        draft.note(
                Finding.Kind.CHECK,
                locked
                        ? "it runs once in the whole cluster, as with the lock"
                        : "it ran on each instance of the application; here it runs once in the whole cluster. Leave"
                                + " @Scheduled where each instance needs its own run");
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
        if (SettingValues.isPlaceholder(setting.value())) {
            draft.note(
                    Finding.Kind.CHECK,
                    setting,
                    "the value behind the placeholder needs a unit here, such as 30s, and a number in Spring is in"
                            + " milliseconds");
            return Optional.of(setting.value().replaceFirst(" [A-Z]+$", ""));
        }
        Optional<String> written = SchedulerValues.duration(setting.value());
        if (written.isEmpty()) {
            draft.leaveOut(setting, SchedulerValues.WHOLE_SECONDS);
        }
        return written;
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
