package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.conversion.ConvertedApp.ConvertedPool;
import dev.elasticjob.migration.conversion.Finding.Kind;
import dev.elasticjob.migration.source.SourceApp;
import dev.elasticjob.migration.source.SourceDocument;
import dev.elasticjob.migration.source.SourceJob;
import dev.elasticjob.migration.source.SourceSetting;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Converts one app of Elastic-Job-Cloud with its jobs. A worker runs one item: it has what the app takes and what an item
 * takes, and there are as many workers as items. Jobs whose items take the same share a pool.
 */
final class AppConversion {
    private static final String FILE_ENDING = "-application.yml";
    private static final String DISABLED = "disabled";
    private static final String DAEMON = "DAEMON";
    private static final int LONGEST_NAME = 40;
    private static final int MOST_WORKERS = 999;
    private static final int MOST_POOLS = 20;
    private static final int MOST_JOBS = 500;

    /** What Cloud takes if an app doesn't say it. */
    private static final Map<String, String> DEFAULTS = Map.of("cpuCount", "1", "memoryMB", "128");

    private final String name;
    private final SourceApp app;
    private final List<Finding> findings;

    private AppConversion(String name, SourceApp app, List<Finding> findings) {
        this.name = name;
        this.app = app;
        this.findings = findings;
    }

    /** What the items of a pool have in common. */
    private record Size(String executionType, BigDecimal cpus, BigDecimal megabytes) {
        String prefix() {
            return executionType.equals(DAEMON) ? "daemon" : "transient";
        }
    }

    /** @return the app, unless it can't be converted; what there is to say is added to the list */
    static Optional<ConvertedApp> convert(
            SourceDocument document, Optional<String> targetNamespace, List<Finding> findings) {
        String name = document.output().substring(0, document.output().length() - FILE_ENDING.length());
        Optional<SourceApp> app = document.apps().stream().findFirst();
        document.apps().stream()
                .skip(1)
                .forEach(other -> findings.add(Finding.ofFile(
                        Kind.NOT_CONVERTED,
                        other.place(),
                        "the app \"%s\" is left out, because \"%s\" is named \"%s\" in Kubernetes as well. Rename one, there and in its jobs"
                                .formatted(other.name(), app.orElseThrow().name(), name))));
        Optional<String> unusable = app.flatMap(found -> unusable(found, name));
        unusable.ifPresent(reason -> findings.add(
                Finding.ofFile(Kind.NOT_CONVERTED, app.orElseThrow().place(), reason)));
        List<SourceJob> jobs = new ArrayList<>();
        for (SourceJob job : document.jobs()) {
            String named = text(job.settings(), "appName");
            if (app.isEmpty() || app.stream().noneMatch(found -> found.name().equals(named))) {
                leaveOut(
                        job,
                        "its app \"%s\" is not there. Add the app's registration to the files".formatted(named),
                        findings);
            } else if (unusable.isPresent()) {
                leaveOut(job, "its app \"%s\" is left out".formatted(named), findings);
            } else {
                jobs.add(job);
            }
        }
        return app.filter(found -> unusable.isEmpty())
                .flatMap(found -> new AppConversion(name, found, findings).converted(document, jobs, targetNamespace));
    }

    private static Optional<String> unusable(SourceApp app, String name) {
        return name.length() <= LONGEST_NAME && name.matches("[a-z].*")
                ? Optional.empty()
                : Optional.of(
                        "the app \"%s\" is left out: expected a name that begins with a letter and has at most %d characters, because the names of workers begin with it. Rename it, here and in its jobs"
                                .formatted(app.name(), LONGEST_NAME));
    }

    private static void leaveOut(SourceJob job, String reason, List<Finding> findings) {
        findings.add(new Finding(Kind.LEFT_OUT, Optional.of(job.name()), Optional.empty(), job.place(), reason));
    }

    private Optional<ConvertedApp> converted(
            SourceDocument document, List<SourceJob> sources, Optional<String> targetNamespace) {
        tellSettings();
        Map<String, SourceJob> byName = new LinkedHashMap<>();
        Map<String, ConvertedJob> jobs = new LinkedHashMap<>();
        for (SourceJob source : sources) {
            Optional<String> unusable = Conversion.unusableName(source)
                    .or(() -> source.name().matches(".*[*?,/].*")
                            ? Optional.of("its name has one of * ? , / which a pool can't name. Rename it")
                            : Optional.empty());
            if (unusable.isPresent()) {
                leaveOut(source, unusable.get(), findings);
            } else if (byName.putIfAbsent(source.name(), source) != null) {
                leaveOut(
                        source,
                        "a job of this name is in %s already"
                                .formatted(byName.get(source.name()).place()),
                        findings);
            } else {
                JobConversion.convert(source, findings).ifPresent(job -> jobs.put(job.name(), job));
            }
        }
        List<ConvertedPool> pools = pools(byName, jobs);
        if (pools.isEmpty() || pools.size() > MOST_POOLS) {
            tell(
                    Kind.NOT_CONVERTED,
                    pools.isEmpty()
                            ? "has no job that was converted, so there is nothing to start workers for"
                            : "its items have %d sizes, and an ElasticApp has at most %d pools. Give some jobs the same cpuCount and memoryMB"
                                    .formatted(pools.size(), MOST_POOLS));
            jobs.keySet().stream()
                    .map(byName::get)
                    .forEach(job -> leaveOut(job, "its app \"%s\" is left out".formatted(app.name()), findings));
            return Optional.empty();
        }
        Map<String, Object> settings = Map.of("registry.namespace", targetNamespace.orElse(name));
        return Optional.of(new ConvertedApp(
                name,
                targetNamespace,
                text(app.settings(), DISABLED).equals("true"),
                pools,
                new ConvertedDocument(document.output(), Optional.empty(), settings, List.copyOf(jobs.values()))));
    }

    private List<ConvertedPool> pools(Map<String, SourceJob> sources, Map<String, ConvertedJob> jobs) {
        Map<Size, List<ConvertedJob>> bySize = jobs.values().stream()
                .collect(Collectors.groupingBy(
                        job -> size(Objects.requireNonNull(sources.get(job.name()))),
                        LinkedHashMap::new,
                        Collectors.toList()));
        Map<String, Integer> numbers = new LinkedHashMap<>();
        List<ConvertedPool> pools = new ArrayList<>();
        bySize.forEach((size, all) -> {
            for (int from = 0; from < all.size(); from += MOST_JOBS) {
                int number = numbers.merge(size.prefix(), 1, Integer::sum);
                pools.add(pool(
                        number == 1 ? size.prefix() : size.prefix() + "-" + number,
                        size,
                        all.subList(from, Math.min(all.size(), from + MOST_JOBS))));
            }
        });
        return pools;
    }

    private ConvertedPool pool(String pool, Size size, List<ConvertedJob> jobs) {
        long items = jobs.stream()
                .mapToLong(job ->
                        job.settings().getOrDefault("sharding-total-count", 1) instanceof Integer count ? count : 1)
                .sum();
        int workers = (int) Math.min(items, MOST_WORKERS);
        if (workers < items) {
            tell(
                    Kind.CHECK,
                    "pool \"%s\" has %d items, and at most %d workers, each for one item. Raise its capacity, and its resources with it"
                            .formatted(pool, items, MOST_WORKERS));
        }
        boolean daemon = size.executionType().equals(DAEMON);
        List<String> missing = jobs.stream()
                .filter(job -> Boolean.FALSE.equals(job.settings().get("misfire")))
                .map(ConvertedJob::name)
                .toList();
        if (!daemon && !missing.isEmpty()) {
            tell(
                    Kind.CHECK,
                    "pool \"%s\" keeps one worker, because nobody would see the firings of %s otherwise. Without misfire: false, it scales to zero"
                            .formatted(pool, String.join(", ", missing)));
        }
        return new ConvertedPool(
                pool,
                jobs.stream().map(ConvertedJob::name).toList(),
                daemon ? workers : 0,
                workers,
                rounded(size.cpus().multiply(BigDecimal.valueOf(1000))),
                rounded(size.megabytes()));
    }

    private Size size(SourceJob job) {
        return new Size(text(job.settings(), "jobExecutionType"), sum(job, "cpuCount"), sum(job, "memoryMB"));
    }

    /** What the app and one item take together. */
    private BigDecimal sum(SourceJob job, String key) {
        String ofApp = text(app.settings(), key);
        return new BigDecimal(ofApp.isEmpty() ? DEFAULTS.getOrDefault(key, "0") : ofApp)
                .add(new BigDecimal(text(job.settings(), key)))
                .stripTrailingZeros();
    }

    private static long rounded(BigDecimal number) {
        return number.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private void tellSettings() {
        if (!name.equals(app.name())) {
            tell(Kind.CHANGED, "is named \"%s\" in Kubernetes, which allows a-z, 0-9 and dashes".formatted(name));
        }
        tell(
                Kind.CHECK,
                "schedules counted by the clock of Cloud's scheduler: set time-zone to its zone, because pods mostly have UTC");
        for (SourceSetting setting : app.settings()) {
            switch (setting.key()) {
                case "cpuCount", "memoryMB" -> {}
                case "appURL" ->
                    tell(
                            Kind.NOT_CONVERTED,
                            setting,
                            "a pod needs an image: build one of the application, and set it in %s-elasticapp.yml, where \"SET-THE-IMAGE\" stands"
                                    .formatted(name));
                case "bootstrapScript" ->
                    tell(
                            Kind.NOT_CONVERTED,
                            setting,
                            "make it the entrypoint of the image, or set the container's command");
                case "appCacheEnable" ->
                    tell(Kind.NOT_NEEDED, setting, "nodes keep images; see imagePullPolicy of the container");
                case DISABLED -> {
                    if (setting.value().equals("true")) {
                        tell(Kind.CHANGED, setting, "is suspend: true here, which starts no workers");
                    }
                }
                case "eventTraceSamplingCount" -> {
                    if (!setting.value().equals("0")) {
                        tell(
                                Kind.NOT_CONVERTED,
                                setting,
                                "the event trace has no sampling; elasticjob.tracing.include-jobs and exclude-jobs limit it to some jobs");
                    }
                }
                default -> tell(Kind.NOT_CONVERTED, setting, "no key that this converter knows; check its spelling");
            }
        }
    }

    private void tell(Kind kind, String reason) {
        findings.add(Finding.ofFile(kind, app.place(), "app \"%s\": %s".formatted(app.name(), reason)));
    }

    private void tell(Kind kind, SourceSetting setting, String reason) {
        findings.add(Finding.ofRegistry(kind, setting, "app \"%s\": %s".formatted(app.name(), reason)));
    }

    private static String text(List<SourceSetting> settings, String key) {
        return settings.stream()
                .filter(setting -> setting.key().equals(key))
                .map(SourceSetting::value)
                .findFirst()
                .orElse("");
    }
}
