package dev.elasticjob.spring.actuate;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.EngineFigures;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of this instance's jobs, from what the engine knows anyway: the registry isn't asked.
 *
 * <ul>
 *   <li>DOWN: there is no connection to the registry, so nothing new starts on this instance.
 *   <li>OUT_OF_SERVICE: the jobs are not started, one of them is refused, suspended or not registered yet, or a loss of the
 *       registry's data holds them.
 *   <li>UP: every other case. A job that an operator has paused, disabled, drained or removed is not a problem.
 * </ul>
 */
final class ElasticJobHealthIndicator extends AbstractHealthIndicator {
    private final JobBeanCollector collector;
    private final EngineLifecycle lifecycle;
    private final ReportedProblems problems;
    private final ElasticJobProperties.Worker worker;

    ElasticJobHealthIndicator(
            JobBeanCollector collector,
            EngineLifecycle lifecycle,
            ReportedProblems problems,
            ElasticJobProperties.Worker worker) {
        super("The health of the jobs could not be determined");
        this.collector = collector;
        this.lifecycle = lifecycle;
        this.problems = problems;
        this.worker = worker;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Optional<ElasticJobEngine> engine =
                lifecycle.engine().filter(started -> started.figures().isRunning());
        if (engine.isPresent()) {
            ofEngine(engine.get(), health);
        } else if (lifecycle.connecting().isPresent()) {
            health.down()
                    .withDetail(
                            "reason",
                            "there is no connection to the registry yet: "
                                    + lifecycle.connecting().get());
        } else if (collector.hasJobs()) {
            health.outOfService().withDetail("reason", "the jobs are not started, or they have been stopped");
        } else if (worker.enabled()) {
            health.up().withDetail("jobs", Map.of());
        } else {
            health.up().withDetail("worker", "this instance only submits (\"elasticjob.worker.enabled\" is false)");
        }
    }

    private void ofEngine(ElasticJobEngine engine, Health.Builder health) {
        EngineFigures figures = engine.figures();
        SortedMap<String, JobState> states = states(engine);
        health.up();
        if (!figures.isConnected()) {
            health.down()
                    .withDetail(
                            "reason",
                            "there is no connection to the registry: nothing new starts on this instance until it is"
                                    + " available again");
        } else if (figures.isHeldByDataLoss()) {
            health.outOfService()
                    .withDetail(
                            "reason", "nothing starts on this instance until an operator confirms the loss of data");
        } else if (states.entrySet().stream().anyMatch(job -> isOut(job.getKey(), job.getValue()))) {
            health.outOfService();
        }
        figures.dataLoss().ifPresent(loss -> health.withDetail("dataLoss", loss));
        Map<String, Object> jobs = new LinkedHashMap<>();
        states.forEach((name, state) -> jobs.put(name, details(name, state, figures)));
        health.withDetail("instance", figures.instance());
        if (figures.clockDiffers()) {
            health.withDetail("clock", clock(figures.clockAhead()));
        }
        health.withDetail("jobs", jobs);
    }

    /** Jobs start at the right time nevertheless. */
    private static String clock(Duration ahead) {
        return "%d s %s the registry's: synchronize this machine's clock (NTP)"
                .formatted(ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of");
    }

    private static SortedMap<String, JobState> states(ElasticJobEngine engine) {
        SortedMap<String, JobState> states = new TreeMap<>();
        for (String name : new TreeSet<>(engine.jobNames())) {
            try {
                states.put(name, engine.state(name));
            } catch (IllegalArgumentException unregistered) {
                // It has been unregistered since its name was read, and says nothing about the others.
            }
        }
        return states;
    }

    private boolean isOut(String job, JobState state) {
        return switch (state) {
            case LATENT, REGISTERING, SUSPENDED -> true;
            case STOPPED -> problems.of(job).isPresent();
            case ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED -> false;
        };
    }

    private Map<String, Object> details(String job, JobState state, EngineFigures figures) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state);
        details.put("itemsOwned", figures.itemsOwned(job));
        details.put("itemsRunning", figures.itemsRunning(job));
        problems.of(job).ifPresent(problem -> details.put("problem", problem));
        return details;
    }
}
