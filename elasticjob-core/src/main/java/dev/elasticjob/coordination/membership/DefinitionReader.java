package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the stored definition, once for each change. If the definition or the assignment can't be read, reports this
 * once. Confined to the coordination executor.
 */
public final class DefinitionReader {
    private static final Logger log = LoggerFactory.getLogger(DefinitionReader.class);

    private final JobScope scope;
    private final Optional<JobDefinition> local;
    private Optional<Source> source = Optional.empty();
    private Optional<JobDefinition> definition = Optional.empty();
    private List<String> warned = List.of();
    private String problem = "";
    private String problemOfAssignment = "";

    /** @param local provides the settings that the registry doesn't have */
    public DefinitionReader(JobScope scope, JobDefinition local) {
        this.scope = scope;
        this.local = Optional.of(local);
    }

    /**
     * The source of a definition: the last changes of its nodes, and the cron expression in force, which replaces an
     * unusable one.
     */
    private record Source(Optional<Long> config, Optional<Long> extension, Optional<String> cron) {
        static Source of(JobView view) {
            return new Source(
                    view.definition().config().map(RegistryNode::mzxid),
                    view.definition().extension().map(RegistryNode::mzxid),
                    view.assignment().map(plan -> inForce(plan.schedule())));
        }
    }

    /** Without the bounds, which are settings of their own. */
    private static String inForce(Schedule schedule) {
        return schedule.cron().orElseGet(schedule::text);
    }

    /** The definition to use; empty if it or the assignment can't be read. */
    public Optional<JobDefinition> usable(JobView view) {
        Optional<Source> now = Optional.of(Source.of(view));
        if (!source.equals(now)) {
            definition = read(view);
            source = now;
        }
        return definition.filter(readable -> isAssignmentReadable(view));
    }

    private Optional<JobDefinition> read(JobView view) {
        try {
            JobDefinition readable = read(view.definition(), view.answer());
            // A mistyped expression affects nothing else: the schedule in force continues.
            view.definition()
                    .problem(local)
                    .ifPresentOrElse(wrong -> reportKept(wrong, readable), this::reportReadable);
            return Optional.of(readable);
        } catch (UnreadableDefinitionException e) {
            report(e);
            return Optional.empty();
        }
    }

    /** Reads a definition, with the cron expression in force if only the stored one is unusable. */
    JobDefinition read(StoredDefinition stored, RegistryAnswer answer) {
        DecodedDefinition decoded =
                stored.decode(local, answer.node(scope.tree().sharding()));
        warn(decoded.warnings());
        if (stored.hasStrangeConfig()) {
            log.warn(
                    "Job \"{}\": the whole definition is in \"{}\", so the node \"{}\" is ignored. If another"
                            + " application's job has written it, give that job another name; then delete the node",
                    scope.jobName(),
                    scope.tree().extension(),
                    scope.tree().config());
        }
        return decoded.definition();
    }

    /** Logs each warning once, although the definition is read again for comparisons and after refused transactions. */
    void warn(List<String> warnings) {
        warnings.stream()
                .filter(warning -> !warned.contains(warning))
                .forEach(warning -> log.warn("Job \"{}\": {}", scope.jobName(), warning));
        warned = warnings;
    }

    private void reportReadable() {
        if (isNew("")) {
            log.info(
                    "Job \"{}\": its definition can be read again, so this instance starts new executions",
                    scope.jobName());
        }
    }

    private void reportKept(UnreadableDefinitionException unreadable, JobDefinition kept) {
        String reason = unreadable.reason();
        if (!isNew(reason)) {
            return;
        }
        String node = scope.tree().node(unreadable.part());
        log.error(
                "Job \"{}\": the schedule in \"{}\" can't be used: {}. The previous schedule, \"{}\", stays in force"
                        + " until the node is corrected",
                scope.jobName(),
                node,
                reason,
                kept.cron());
        scope.events().accept(new JobEvent.ScheduleKept(scope.jobName(), node, kept.cron(), reason));
    }

    /** Reports once that a definition can't be read. */
    public void report(UnreadableDefinitionException unreadable) {
        String reason = String.valueOf(unreadable.getMessage());
        if (!isNew(reason)) {
            return;
        }
        String node = scope.tree().node(unreadable.part());
        log.error(
                "Job \"{}\": the definition in \"{}\" can't be read, so this instance starts nothing new for the job"
                        + " until it is corrected; running executions continue. {}",
                scope.jobName(),
                node,
                reason);
        scope.events().accept(new JobEvent.DefinitionUnreadable(scope.jobName(), node, reason));
    }

    private boolean isNew(String found) {
        boolean isNew = !problem.equals(found);
        problem = found;
        return isNew;
    }

    private boolean isAssignmentReadable(JobView view) {
        String found = view.problem().orElse("");
        if (!problemOfAssignment.equals(found)) {
            problemOfAssignment = found;
            reportAssignment(found);
        }
        return found.isEmpty();
    }

    private void reportAssignment(String found) {
        if (found.isEmpty()) {
            log.info(
                    "Job \"{}\": its assignment can be read again, so this instance starts new executions",
                    scope.jobName());
            return;
        }
        String node = scope.tree().sharding();
        log.error(
                "Job \"{}\": the assignment in \"{}\" can't be read, so this instance starts nothing new for the job;"
                        + " running executions continue. Correct the node, or empty it to have the items assigned"
                        + " again. {}",
                scope.jobName(),
                node,
                found);
        scope.events().accept(new JobEvent.AssignmentUnreadable(scope.jobName(), node, found));
    }
}
