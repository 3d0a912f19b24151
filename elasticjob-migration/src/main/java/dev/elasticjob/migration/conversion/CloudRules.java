package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.JobRules.Rule;
import java.util.Map;

/** What becomes of the settings that only a job of Elastic-Job-Cloud has, or that mean something else there. */
final class CloudRules {
    private static final Rule OF_LITE = JobRules.notNeeded("Elastic-Job-Cloud stores it, and doesn't use it");

    static final Map<String, Rule> RULES = Map.ofEntries(
            entry("appname", JobRules.STRUCTURE),
            entry("cpucount", JobRules.STRUCTURE),
            entry("memorymb", JobRules.STRUCTURE),
            entry("jobexecutiontype", JobRules.STRUCTURE),
            entry(
                    "beanname",
                    (setting, draft) -> draft.note(
                            Finding.Kind.CHECK, setting, "annotate the class of this bean with @ElasticJob")),
            entry(
                    "applicationcontext",
                    JobRules.lost("import this XML with @ImportResource, without its bean of the job, or declare its"
                            + " beans in Java")),
            entry("disabled", (setting, draft) -> {
                if (Boolean.TRUE.equals(SettingValues.flag(setting, draft.dialect()))) {
                    draft.lost(setting, "pause the job when the registry knows it; until then, it runs");
                }
            }),
            entry("monitorexecution", OF_LITE),
            entry("maxtimediffseconds", OF_LITE),
            entry("reconcileintervalminutes", OF_LITE),
            entry("jobshardingstrategytype", OF_LITE),
            entry("overwrite", OF_LITE));

    private CloudRules() {}
}
