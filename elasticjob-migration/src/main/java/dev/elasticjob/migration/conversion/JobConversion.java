package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.ItemParameters;
import dev.elasticjob.migration.conversion.ConvertedJob.Kind;
import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceJob;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Converts one job: its settings by {@link JobRules}, then what depends on several of them. */
final class JobConversion {
    private static final String MONITORED = "monitor-execution";
    private static final String FAILOVER = "failover";
    private static final String MISFIRE = "misfire";
    private static final String ITEM_PARAMETERS = "sharding-item-parameters";
    private static final String TOTAL = "sharding-total-count";

    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            entry(TOTAL, 1),
            entry(FAILOVER, false),
            entry(MISFIRE, true),
            entry(MONITORED, true),
            entry("max-time-diff-seconds", -1),
            entry("monitor-port", -1),
            entry("reconcile-interval-minutes", 10),
            entry("disabled", false),
            entry("overwrite", false),
            entry("streaming-process", false),
            entry("job-exception-handler", "LOG"));

    private static final Set<String> STRUCTURE =
            Set.of("class", "jobclass", "elasticjobclass", "jobref", "jobtype", "elasticjobtype", "registrycenterref");

    /** With these, a job is declared; without, the properties only change one that is declared elsewhere. */
    private static final Set<String> DECLARING =
            Set.of("class", "jobclass", "elasticjobclass", "jobref", "jobtype", "elasticjobtype");

    private final SourceJob source;
    private final JobDraft draft;

    private JobConversion(SourceJob source) {
        this.source = source;
        this.draft = new JobDraft(source, kind(source));
    }

    /** @return the job, unless it can't be converted; its findings are added to the list */
    static Optional<ConvertedJob> convert(SourceJob source, List<Finding> findings) {
        var conversion = new JobConversion(source);
        conversion.convert();
        findings.addAll(conversion.draft.findings());
        return conversion.draft.isLeftOut() ? Optional.empty() : Optional.of(conversion.job());
    }

    private void convert() {
        Set<String> seen = new HashSet<>();
        for (SourceSetting setting : source.settings()) {
            if (STRUCTURE.contains(JobRules.uniform(setting.key()))
                    && !seen.add(JobRules.uniform(setting.key()))
                    && !setting.value()
                            .equals(first(Set.of(JobRules.uniform(setting.key())))
                                    .orElse(""))) {
                draft.note(Finding.Kind.CHECK, setting, "is there twice; the other one was used");
            }
            JobRules.apply(setting, draft);
        }
        meetTheirParameters();
        type().filter(type -> !isKnown(type))
                .ifPresent(type -> draft.leaveOut(("the type \"%s\" is not built in: write a bean that implements"
                                + " SimpleJob, and annotate it with @ElasticJob")
                        .formatted(type)));
        if (!draft.kind().isBean() && isDeclared()) {
            draft.put("job-type", draft.kind() == Kind.SCRIPT ? "script" : "http");
        }
        if (draft.kind() == Kind.HTTP) {
            draft.note(
                    Finding.Kind.CHECK,
                    "a status of 400 or above fails the item here, whereas ElasticJob only logs it; and redirects are"
                            + " not followed");
        }
        meetDefaults();
        meetRules();
        if (source.dialect().isStored()) {
            // For one item, it is not the default here.
            if (!draft.get(TOTAL).orElse(1).equals(1)) {
                draft.settings().remove("job-sharding-strategy-class", "AVG_ALLOCATION");
            }
            DEFAULTS.forEach((property, value) -> draft.settings().remove(property, value));
        }
        if (!draft.isLeftOut() && isDeclared()) {
            validate();
        }
    }

    /** What is missing means something else in the starter of 3.x, and in Cloud, than here. */
    private void meetDefaults() {
        if (source.dialect() == Dialect.CLOUD && draft.get(MISFIRE).isEmpty()) {
            draft.put(MISFIRE, false);
            draft.note(
                    Finding.Kind.CHANGED,
                    "misfire: false is written out: it is the default of Elastic-Job-Cloud, and the default here is true."
                            + " Remove the line for the safer default, with which the job's workers scale to zero");
        }
        if (!source.dialect().missingMeansOff() || !isDeclared()) {
            return;
        }
        for (String property : List.of(MONITORED, MISFIRE)) {
            if (draft.get(property).isEmpty() && draft.get("cron").isPresent()) {
                draft.put(property, false);
                draft.note(
                        Finding.Kind.CHANGED,
                        ("%s: false is written out: it is the default of ElasticJob's starter, and the default here is"
                                        + " true. Remove the line for the safer default")
                                .formatted(property));
            }
        }
        if (draft.get("reconcile-interval-minutes").isEmpty()) {
            draft.put("reconcile-interval-minutes", 0);
            draft.note(
                    Finding.Kind.CHANGED,
                    "reconcile-interval-minutes: 0 (never) is written out: it is the default of ElasticJob's starter,"
                            + " and the default here is 10. Remove the line for the safer default");
        }
    }

    private void meetRules() {
        boolean unmonitored = draft.get(MONITORED).filter(Boolean.FALSE::equals).isPresent();
        boolean oneOff =
                draft.get("cron").isEmpty() && isDeclared() && source.dialect().isVersion3();
        if (oneOff && unmonitored) {
            draft.remove(MONITORED);
            unmonitored = false;
            draft.note(
                    Finding.Kind.CHANGED,
                    "monitor-execution=false is left out: it is for scheduled executions, and the job has no cron");
        }
        if (unmonitored && draft.get(FAILOVER).filter(Boolean.TRUE::equals).isPresent()) {
            draft.remove(FAILOVER);
            draft.note(
                    Finding.Kind.CHANGED,
                    "failover=true is left out: it needs the records that monitor-execution writes, and that is false."
                            + " Set both to true for failover");
        }
        if (source.dialect().isVersion2() && draft.get("cron").isEmpty() && !draft.isLeftOut()) {
            draft.leaveOut(
                    "it has no cron, which Elastic-Job 2.x requires. Add one, or add the job by hand as a one-off job");
        }
        dropParametersOfNoItem();
    }

    private void dropParametersOfNoItem() {
        if (!(draft.get("sharding-total-count").orElse(1) instanceof Integer total)
                || !(draft.get(ITEM_PARAMETERS).orElse("") instanceof String text)
                || SettingValues.isPlaceholder(text)) {
            return;
        }
        ItemParameters parameters = ItemParameters.parse(text);
        List<Integer> beyond = parameters.beyond(total);
        if (parameters.faults().isEmpty() && !beyond.isEmpty()) {
            draft.put(
                    ITEM_PARAMETERS,
                    parameters.byItem().entrySet().stream()
                            .filter(parameter -> !beyond.contains(parameter.getKey()))
                            .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                            .collect(Collectors.joining(",")));
            draft.note(
                    Finding.Kind.CHANGED,
                    "the parameters of items %s are left out of sharding-item-parameters: there are only %d items"
                            .formatted(beyond, total));
        }
    }

    /** Where Elastic-Job reads item parameters differently, they are written as it reads them. */
    private void meetTheirParameters() {
        String text = draft.get(ITEM_PARAMETERS).map(Object::toString).orElse("");
        Optional<Map<Integer, String>> theirs = LegacyItemParameters.parse(text);
        if (SettingValues.isPlaceholder(text) || theirs.isEmpty()) {
            return;
        }
        ItemParameters ours = ItemParameters.parse(text);
        if (!ours.faults().isEmpty() || !ours.byItem().equals(theirs.get())) {
            String same = theirs.get().entrySet().stream()
                    .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                    .collect(Collectors.joining(","));
            draft.put(ITEM_PARAMETERS, same);
            draft.note(
                    Finding.Kind.CHANGED,
                    "sharding-item-parameters=\"%s\" is \"%s\" here, as Elastic-Job reads it".formatted(text, same));
        }
    }

    /** Everything that the application would refuse at its start. */
    private void validate() {
        try {
            DefinitionOf.settings(source.name(), draft.kind(), draft.settings());
        } catch (InvalidJobDefinitionException e) {
            e.violations().forEach(violation -> draft.leaveOut("this project refuses " + violation));
        }
    }

    private boolean isDeclared() {
        return source.dialect().isStored()
                || source.settings().stream().anyMatch(setting -> DECLARING.contains(JobRules.uniform(setting.key())));
    }

    private ConvertedJob job() {
        Optional<String> jobClass = first(Set.of("class", "jobclass", "elasticjobclass"))
                .filter(any -> draft.kind().isBean())
                .filter(name -> !JobClass.isTheirs(name))
                .map(JobClass::withoutProxy);
        return new ConvertedJob(source.name(), draft.kind(), jobClass, first(Set.of("jobref")), draft.settings());
    }

    private Optional<String> type() {
        return first(Set.of("jobtype", "elasticjobtype"));
    }

    private Optional<String> first(Set<String> keys) {
        return first(source, keys);
    }

    private static Optional<String> first(SourceJob source, Set<String> keys) {
        return source.settings().stream()
                .filter(setting -> keys.contains(JobRules.uniform(setting.key())))
                .map(setting -> setting.value().strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    private static boolean isKnown(String type) {
        return Set.of("SIMPLE", "DATAFLOW", "SCRIPT", "HTTP").contains(type);
    }

    private static Kind kind(SourceJob source) {
        Optional<String> type = first(source, Set.of("jobtype", "elasticjobtype"));
        if (type.isPresent()) {
            return switch (type.get()) {
                case "SCRIPT" -> Kind.SCRIPT;
                case "HTTP" -> Kind.HTTP;
                case "DATAFLOW" -> Kind.DATAFLOW;
                default -> Kind.BEAN;
            };
        }
        if (first(source, Set.of("class", "jobclass", "elasticjobclass", "jobref"))
                .isPresent()) {
            boolean dataflow = has(source, "props.streaming.process")
                    || first(source, Set.of("class", "jobclass", "elasticjobclass"))
                            .filter(JobClass::isTheirDataflow)
                            .isPresent();
            return dataflow ? Kind.DATAFLOW : Kind.BEAN;
        }
        if (has(source, "props.script.command.line")) {
            return Kind.SCRIPT;
        }
        return has(source, "props.http.") ? Kind.HTTP : Kind.BEAN;
    }

    private static boolean has(SourceJob source, String key) {
        return source.settings().stream().anyMatch(setting -> setting.key().startsWith(key));
    }
}
