package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.conversion.Finding.Kind;
import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceDocument;
import dev.elasticjob.migration.source.SourceJob;
import dev.elasticjob.migration.source.SourceLocation;
import dev.elasticjob.migration.source.SourceRegistry;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts everything that was read. An application has one registry, so the jobs of another one are left out. */
public final class Conversion {
    private final Optional<String> targetNamespace;
    private final Optional<String> registryId;
    private final List<Finding> findings = new ArrayList<>();

    private Conversion(Optional<String> targetNamespace, Optional<String> registryId) {
        this.targetNamespace = targetNamespace;
        this.registryId = registryId;
    }

    /** What was converted, and what there is to say about it. */
    public record Converted(List<ConvertedDocument> documents, List<ConvertedApp> apps, List<Finding> findings) {
        public Converted {
            apps = List.copyOf(apps);
            documents = List.copyOf(documents);
            findings = List.copyOf(findings);
        }
    }

    /**
     * Converts documents.
     *
     * @param targetNamespace the namespace to use instead of the present one
     * @param registryId which registry to convert, if there are several; by default, the one with the most jobs
     */
    public static Converted convert(
            List<SourceDocument> documents, Optional<String> targetNamespace, Optional<String> registryId) {
        var conversion = new Conversion(targetNamespace, registryId);
        Optional<String> chosen = conversion.chosen(documents);
        List<ConvertedDocument> converted = documents.stream()
                .filter(document -> !isOfCloud(document))
                .map(document -> conversion.document(document, chosen))
                .collect(Collectors.toCollection(ArrayList::new));
        List<ConvertedApp> apps = documents.stream()
                .filter(Conversion::isOfCloud)
                .flatMap(document -> AppConversion.convert(document, targetNamespace, conversion.findings).stream())
                .toList();
        apps.forEach(app -> converted.add(app.document()));
        conversion.checkTree(documents);
        return new Converted(converted, apps, conversion.findings);
    }

    private static boolean isOfCloud(SourceDocument document) {
        return !document.apps().isEmpty() || document.jobs().stream().anyMatch(job -> job.dialect() == Dialect.CLOUD);
    }

    /** The id of the registry to convert, if there are several. */
    private Optional<String> chosen(List<SourceDocument> documents) {
        List<String> ids = documents.stream()
                .flatMap(document -> document.registries().stream())
                .map(SourceRegistry::id)
                .distinct()
                .toList();
        if (registryId.isPresent() && !ids.contains(registryId.get())) {
            throw new IllegalArgumentException(
                    "Expected one of the registries %s, but was \"%s\"".formatted(ids, registryId.get()));
        }
        if (ids.size() < 2 || registryId.isPresent()) {
            return registryId;
        }
        Map<String, Long> jobs = documents.stream()
                .flatMap(document -> document.jobs().stream())
                .flatMap(job -> reference(job).stream())
                .collect(Collectors.groupingBy(id -> id, HashMap::new, Collectors.counting()));
        return ids.stream()
                .reduce((one, other) -> jobs.getOrDefault(other, 0L) > jobs.getOrDefault(one, 0L) ? other : one);
    }

    private static Optional<String> reference(SourceJob job) {
        return job.settings().stream()
                .filter(setting -> setting.key().equals("registry-center-ref"))
                .map(SourceSetting::value)
                .findFirst();
    }

    private ConvertedDocument document(SourceDocument document, Optional<String> chosen) {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (SourceRegistry registry : document.registries()) {
            if (chosen.isPresent() && !registry.id().equals(chosen.get())) {
                findings.add(Finding.ofFile(
                        Kind.NOT_CONVERTED,
                        registry.place(),
                        "an application has one registry, and \"%s\" was converted. Convert with --registry %s for an application of its own"
                                .formatted(chosen.get(), registry.id())));
            } else {
                RegistryConversion.convert(registry, targetNamespace, findings)
                        .forEach((property, value) -> putRegistry(registry, property, value, settings));
            }
        }
        document.others().forEach(setting -> other(setting, settings));
        document.losses().forEach(loss -> findings.add(Finding.ofFile(Kind.NOT_CONVERTED, loss.place(), loss.text())));
        document.remarks().forEach(remark -> findings.add(Finding.ofFile(Kind.CHECK, remark.place(), remark.text())));
        return new ConvertedDocument(document.output(), document.profile(), settings, jobs(document, chosen));
    }

    private void putRegistry(SourceRegistry registry, String property, Object value, Map<String, Object> settings) {
        Object former = settings.put(property, value);
        if (former != null && !former.equals(value)) {
            findings.add(Finding.ofFile(
                    Kind.CHECK,
                    registry.place(),
                    property.endsWith("digest")
                            ? "there are two digests; this one was used"
                            : "%s was \"%s\" before, and \"%s\" was used".formatted(property, former, value)));
        }
    }

    private List<ConvertedJob> jobs(SourceDocument document, Optional<String> chosen) {
        Map<String, ConvertedJob> jobs = new LinkedHashMap<>();
        Map<String, SourceLocation> places = new HashMap<>();
        for (SourceJob job : document.jobs()) {
            Optional<String> registry = reference(job);
            if (chosen.isPresent() && registry.isPresent() && !registry.equals(chosen)) {
                leaveOut(
                        job,
                        "it uses the registry \"%s\". Convert it with --registry %s"
                                .formatted(registry.get(), registry.get()));
            } else if (unusableName(job).isPresent()) {
                leaveOut(job, unusableName(job).get());
            } else if (places.putIfAbsent(job.name(), job.place()) != null) {
                leaveOut(job, "a job of this name is in %s already".formatted(places.get(job.name())));
            } else {
                JobConversion.convert(job, findings).ifPresent(converted -> jobs.put(job.name(), converted));
            }
        }
        return List.copyOf(jobs.values());
    }

    /** Why the name can't be the key of properties, in which Spring resolves nothing. */
    static Optional<String> unusableName(SourceJob job) {
        if (job.name().contains("[") || job.name().contains("]")) {
            return Optional.of(
                    "its name contains a bracket, which the key of a property can't. Give the job another name");
        }
        if (!job.name().contains("${") && !job.name().contains("#{")) {
            return Optional.empty();
        }
        return Optional.of(
                job.dialect().hasPlaceholders()
                        ? "its name is a placeholder, and the name is a key here, in which Spring resolves nothing. Write"
                                + " the name itself into the source, and convert again"
                        : "its name contains a placeholder, which Spring would resolve in the annotation. Give the job"
                                + " another name");
    }

    private void leaveOut(SourceJob job, String reason) {
        findings.add(new Finding(Kind.LEFT_OUT, Optional.of(job.name()), Optional.empty(), job.place(), reason));
    }

    private void other(SourceSetting setting, Map<String, Object> settings) {
        String key = JobRules.uniform(setting.key()).split("\\.", 2)[0];
        switch (key) {
            case "enabled" -> {
                if (settings.put("enabled", setting.value().strip()) != null) {
                    findings.add(Finding.ofRegistry(Kind.CHECK, setting, "is there twice; this one was used"));
                }
            }
            case "tracing", "rdbtracing" -> note(setting, JobRules.TRACING);
            case "dump", "snapshot" ->
                note(setting, "nothing listens on a port; the Actuator endpoint \"elasticjob\" shows the jobs");
            case "jobscanner" ->
                note(
                        setting,
                        "replace @ElasticJobConfiguration on the classes by @ElasticJob; component scanning finds them");
            default -> note(setting, "no key that this converter knows; check its spelling");
        }
    }

    private void note(SourceSetting setting, String reason) {
        findings.add(Finding.ofRegistry(Kind.NOT_CONVERTED, setting, reason));
    }

    private void checkTree(List<SourceDocument> documents) {
        List<SourceJob> jobs = documents.stream()
                .filter(document -> !isOfCloud(document))
                .flatMap(document -> document.jobs().stream())
                .toList();
        Optional<SourceJob> ofVersion3 =
                jobs.stream().filter(job -> job.dialect().isVersion3()).findFirst();
        if (ofVersion3.isPresent() && targetNamespace.isEmpty()) {
            findings.add(Finding.ofFile(
                    Kind.CHECK,
                    ofVersion3.get().place(),
                    "the nodes of ElasticJob 3.x can't be continued: choose a new namespace (--target-namespace), or"
                            + " set overwrite: true for each job until it has started once"));
        }
        if (!jobs.isEmpty()
                && documents.stream().allMatch(document -> document.registries().isEmpty())) {
            findings.add(Finding.ofFile(
                    Kind.CHECK,
                    wholeOf(jobs),
                    "no registry was found; set elasticjob.registry.connect-string and elasticjob.registry.namespace"));
        }
        checkNames(jobs);
    }

    /** Of all files in which there are jobs: no line of them is meant. */
    private static SourceLocation wholeOf(List<SourceJob> jobs) {
        List<String> files =
                jobs.stream().map(job -> job.place().file()).distinct().toList();
        int others = files.size() - 1;
        return SourceLocation.of(files.get(0)
                + switch (others) {
                    case 0 -> "";
                    case 1 -> " and 1 other";
                    default -> " and %d others".formatted(others);
                });
    }

    /** Keys of properties are compared without case and dashes; only brackets tell such names apart. */
    private void checkNames(List<SourceJob> jobs) {
        Stream<List<String>> alike = jobs.stream()
                .map(SourceJob::name)
                .distinct()
                .collect(Collectors.groupingBy(
                        name -> name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "")))
                .values()
                .stream();
        alike.filter(names -> names.size() > 1)
                .forEach(names -> names.stream()
                        .filter(name -> name.matches("[a-z0-9]+"))
                        .forEach(name -> findings.add(new Finding(
                                Kind.CHECK,
                                Optional.of(name),
                                Optional.empty(),
                                wholeOf(jobs),
                                "the properties of the jobs %s can't be told apart; move those of \"%s\" to its annotation"
                                        .formatted(names, name)))));
    }
}
