package dev.elasticjob.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Jobs of a kind that an application brings. Their settings are the job properties below the name of the kind.
 *
 * @param deciding which of these the registry may not decide alone; all of them, where the kind is not known
 */
record ApplicationRules(JobType type, Predicate<String> deciding) implements KindRules {
    @Override
    public boolean isWithoutCode() {
        return true;
    }

    static String prefix(JobType type) {
        return type.kebab() + ".";
    }

    @Override
    public Work work(JobDefinition job) {
        Map<String, String> values = deciding(job);
        return new Work(
                "set of %s properties".formatted(type),
                values,
                Secrets.masked(values).toString());
    }

    private Map<String, String> deciding(JobDefinition job) {
        Map<String, String> values = new LinkedHashMap<>(job.jobProperties());
        values.keySet().removeIf(name -> !decides(name));
        return values;
    }

    private boolean decides(String property) {
        return property.startsWith(prefix(type)) && deciding.test(property);
    }

    @Override
    public String workSetting() {
        return JobSettings.JOB_PROPERTIES.name();
    }

    @Override
    public JobDefinition withWorkOf(JobDefinition declared, JobDefinition stored) {
        Map<String, String> properties = new LinkedHashMap<>(stored.jobProperties());
        properties.keySet().removeIf(this::decides);
        properties.putAll(deciding(declared));
        return stored.toBuilder().jobProperties(properties).build();
    }

    @Override
    public Optional<String> objection(JobDefinition kept, TrustedWork trust) {
        return trust.kinds().contains(type)
                ? Optional.empty()
                : Optional.of(
                        "this instance runs no %s jobs from the registry; to allow them, add \"%s\" to \"elasticjob.registry-jobs.kinds\""
                                .formatted(type, type.kebab()));
    }
}
