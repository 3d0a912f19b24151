package dev.elasticjob.spring.actuate;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** The version of this library, this instance's id, the names of its jobs, and of those that it leaves out. */
final class ElasticJobInfoContributor implements InfoContributor {
    private final JobBeanCollector collector;
    private final EngineLifecycle lifecycle;

    ElasticJobInfoContributor(JobBeanCollector collector, EngineLifecycle lifecycle) {
        this.collector = collector;
        this.lifecycle = lifecycle;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Optional<ElasticJobEngine> engine = lifecycle.engine();
        Map<String, Object> info = new LinkedHashMap<>();
        // Only a jar has a version: not the class files of a build.
        Optional.ofNullable(ElasticJobEngine.class.getPackage().getImplementationVersion())
                .ifPresent(version -> info.put("version", version));
        engine.ifPresent(started -> info.put("instance", started.figures().instance()));
        info.put(
                "jobs",
                engine.map(started -> List.copyOf(new TreeSet<>(started.jobNames())))
                        .orElseGet(() -> List.copyOf(new TreeSet<>(collector.jobNames()))));
        if (!collector.leftOutNames().isEmpty()) {
            info.put("leftOut", collector.leftOutNames());
        }
        builder.withDetail("elasticjob", info);
    }
}
