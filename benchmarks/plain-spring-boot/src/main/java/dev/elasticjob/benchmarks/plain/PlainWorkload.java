package dev.elasticjob.benchmarks.plain;

import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** An application that does nothing: what an application costs before it has jobs. */
public final class PlainWorkload implements Contender {
    public static void main(String... arguments) {
        WorkloadProcess.run(new PlainWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run();
    }

    @Override
    public void start() {
        // It has no jobs.
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
