package dev.elasticjob.engine.registryjob;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One job that is kept in the registry, and what this instance does about it. Confined to the coordination executor. */
final class RegistryJob {
    private static final Logger log = LoggerFactory.getLogger(RegistryJob.class);

    private final String name;
    private final RegistryJobs.Host host;
    private final List<Subscription> watches;
    private State state = State.IDLE;
    private long mark;
    private String reported = "";

    private enum State {
        IDLE,
        RUNNING,
        /** It has run here and ended: it was removed, or an operator has removed this instance from it. */
        ENDED
    }

    RegistryJob(String name, RegistryJobs.Host host, List<Subscription> watches) {
        this.name = name;
        this.host = host;
        this.watches = watches;
    }

    String name() {
        return name;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    /** The engine forgets it later, because it is just about to end it. */
    void hasEnded() {
        state = State.ENDED;
    }

    /** One that was created anew may run again. */
    void isMarkedBy(RegistryNode origin) {
        if (origin.czxid() != mark) {
            mark = origin.czxid();
            reported = "";
            if (state == State.ENDED) {
                end();
            }
        }
    }

    void run(JobDefinition definition) {
        if (state == State.ENDED) {
            host.end(name);
        }
        if (state != State.IDLE) {
            return;
        }
        state = State.RUNNING;
        reported = "";
        try {
            host.run(definition).whenComplete((joined, error) -> {
                if (error != null && isRunning()) {
                    refused(Stages.unwrap(error));
                }
            });
        } catch (RuntimeException e) {
            refuse(String.valueOf(e.getMessage()));
        }
    }

    /** If it was only stopped before it had joined, its state says so. */
    private void refused(Throwable error) {
        if (!(error instanceof RegistryUnavailableException)) {
            refuse(String.valueOf(error.getMessage()));
        }
    }

    void refuse(String reason) {
        end();
        report("Job \"%s\" is kept in the registry and does not run on this instance: %s".formatted(name, reason));
    }

    void refuseUnlessRunning(String reason) {
        if (!isRunning()) {
            refuse(reason);
        }
    }

    /** The application's own job has replaced it in the engine. */
    void givesWay() {
        state = State.IDLE;
        report(
                "Job \"%s\" is kept in the registry, but this application declares a job of that name too: its own one runs on this instance. Rename or remove one of the two"
                        .formatted(name));
    }

    private void report(String line) {
        if (!line.equals(reported)) {
            reported = line;
            log.warn(line);
        }
    }

    /** Ends it on this instance. */
    void end() {
        if (state != State.IDLE) {
            state = State.IDLE;
            host.end(name);
        }
    }

    void close() {
        watches.forEach(Subscription::close);
    }
}
