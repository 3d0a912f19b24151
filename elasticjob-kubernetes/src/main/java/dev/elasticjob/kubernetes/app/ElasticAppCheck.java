package dev.elasticjob.kubernetes.app;

import dev.elasticjob.time.DurationText;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads the resource {@code ElasticApp}, and notes all that is wrong with it at once. What the custom resource definition
 * refuses is refused here as well, because an older definition may be installed. Thread-safe.
 */
public final class ElasticAppCheck {
    private final KubernetesSerialization serialization;

    /** @param serialization reads the parts that are Kubernetes' own */
    public ElasticAppCheck(KubernetesSerialization serialization) {
        this.serialization = serialization;
    }

    /**
     * What was found.
     *
     * @param spec empty if there is any fault
     * @param faults each with its place, what was expected, what was found, and what to do
     */
    public record Checked(Optional<AppSpec> spec, List<String> faults) {
        public Checked {
            faults = List.copyOf(faults);
        }
    }

    /**
     * @param name of the resource
     * @param spec as the API server has it: of maps, lists, texts, numbers and switches
     */
    public Checked check(String name, Map<?, ?> spec) {
        List<String> faults = new ArrayList<>();
        if (name.length() > SpecField.LONGEST_APP_NAME) {
            faults.add(
                    "metadata.name: expected at most %d characters, because the names of workers begin with it; found %d. Choose a shorter name"
                            .formatted(SpecField.LONGEST_APP_NAME, name.length()));
        }
        var app = new SpecReader("spec", spec, SpecField.OF_APP, faults);
        List<? extends Map<?, ?>> written = app.objects("pools");
        List<Pool> pools = IntStream.range(0, written.size())
                .mapToObj(number -> pool(number, written.get(number), faults))
                .toList();
        checkTogether(pools, faults);
        Optional<PodTemplateSpec> template =
                app.object("template").flatMap(object -> read(object, PodTemplateSpec.class, "spec.template", faults));
        template.ifPresent(pods -> faults.addAll(TemplateCheck.faults(pods)));
        return new Checked(
                template.filter(pods -> faults.isEmpty())
                        .map(pods -> new AppSpec(
                                app.text("registryNamespace").orElse(name), app.isOn("suspend"), pools, pods)),
                faults);
    }

    private Pool pool(int number, Map<?, ?> object, List<String> faults) {
        String path = "spec.pools[%d]".formatted(number);
        int before = faults.size();
        var read = new SpecReader(path, object, SpecField.OF_POOL, faults);
        var pool = new Pool(
                read.text("name").orElse(""),
                read.texts("jobs"),
                read.number("capacity"),
                read.number("baseWorkers"),
                read.number("maxWorkers"),
                read.isOn("freshWorkers"),
                read.duration("startAhead"),
                read.duration("idleAfter"),
                read.duration("startTimeout"),
                read.object("resources")
                        .flatMap(found -> read(found, ResourceRequirements.class, path + ".resources", faults)));
        if (faults.size() == before) {
            check(path, pool, faults);
        }
        return pool;
    }

    private static void check(String path, Pool pool, List<String> faults) {
        if (pool.baseWorkers() > pool.maxWorkers()) {
            faults.add(
                    "%s.baseWorkers: expected at most maxWorkers, which is %d, found %d. Lower it, or raise maxWorkers"
                            .formatted(path, pool.maxWorkers(), pool.baseWorkers()));
        }
        if (pool.freshWorkers() && pool.baseWorkers() > 0) {
            faults.add(
                    "%s.baseWorkers: expected 0 with freshWorkers, because Kubernetes starts workers that are always there again and again, with growing pauses; found %d. Set it to 0, or leave out freshWorkers"
                            .formatted(path, pool.baseWorkers()));
        }
        if (pool.startAhead().compareTo(pool.idleAfter()) > 0) {
            faults.add(
                    "%s.startAhead: expected at most idleAfter, or a worker that is started ahead leaves before the firing; found %s and %s. Raise idleAfter"
                            .formatted(path, DurationText.of(pool.startAhead()), DurationText.of(pool.idleAfter())));
        }
        if (pool.idleAfter().isZero() || pool.startTimeout().isZero()) {
            faults.add("%s: expected idleAfter and startTimeout above 0. Raise them".formatted(path));
        }
    }

    private static void checkTogether(List<Pool> pools, List<String> faults) {
        Map<String, Integer> names = new TreeMap<>();
        Map<String, List<String>> poolsOfJobs = new TreeMap<>();
        pools.forEach(pool -> {
            names.merge(pool.name(), 1, Integer::sum);
            pool.jobs()
                    .forEach(job -> poolsOfJobs
                            .computeIfAbsent(job, name -> new ArrayList<>())
                            .add(pool.name()));
        });
        names.forEach((name, times) -> {
            if (times > 1) {
                faults.add("spec.pools: expected each name once, found \"%s\" %d times. Rename all but one"
                        .formatted(name, times));
            }
        });
        poolsOfJobs.forEach((job, owners) -> {
            if (owners.size() > 1) {
                faults.add("spec.pools: expected job \"%s\" in one pool, found it in %s. Leave it in one of them"
                        .formatted(job, String.join(", ", owners)));
            }
        });
        List<String> others = pools.stream()
                .filter(pool -> pool.jobs().isEmpty())
                .map(Pool::name)
                .toList();
        if (others.size() > 1) {
            faults.add(
                    "spec.pools: expected at most one pool without jobs, because it gets all that no other names; found %s. Name the jobs of all but one"
                            .formatted(String.join(", ", others)));
        }
    }

    private <T> Optional<T> read(Object found, Class<T> type, String path, List<String> faults) {
        try {
            return Optional.of(serialization.convertValue(found, type));
        } catch (RuntimeException e) {
            faults.add("%s: expected what Kubernetes calls %s, but it can't be read: %s. Correct it"
                    .formatted(path, type.getSimpleName(), firstLine(e)));
            return Optional.empty();
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
