package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definition that the registry holds, parsed once for each change of it. One that somebody has made unreadable is
 * told once. Confined to the coordination executor.
 */
public final class DefinitionInForce {
    private static final Logger log = LoggerFactory.getLogger(DefinitionInForce.class);

    private final JobScope scope;
    private final DefinitionAgreement agreement;
    private @Nullable Parsed known;
    private String told = "";

    public DefinitionInForce(JobScope scope, DefinitionAgreement agreement) {
        this.scope = scope;
        this.agreement = agreement;
    }

    /** @param definition empty where it can't be read */
    private record Parsed(long config, long extension, String cron, Optional<JobDefinition> definition) {}

    /** The definition that the view shows; empty where it can't be read. */
    public Optional<JobDefinition> of(JobView view) {
        StoredDefinition stored = view.definition();
        long config = stored.config().map(RegistryNode::mzxid).orElse(0L);
        long extension = stored.extension().map(RegistryNode::mzxid).orElse(0L);
        Parsed last = known;
        String cron = view.assignment().map(Assignment::cron).orElse("");
        boolean same = last != null
                && last.config() == config
                && last.extension() == extension
                && last.cron().equals(cron);
        if (last == null || !same) {
            last = new Parsed(config, extension, cron, parse(stored, cron));
            known = last;
        }
        return last.definition();
    }

    private Optional<JobDefinition> parse(StoredDefinition stored, String cron) {
        try {
            JobDefinition readable = agreement.decode(stored);
            if (!told.isEmpty()) {
                told = "";
                log.info("Job \"{}\": its definition can be read again", scope.jobName());
            }
            return Optional.of(readable);
        } catch (UnreadableDefinitionException e) {
            // An expression that was typed wrong changes nothing but itself: the schedule in force goes on.
            Optional<JobDefinition> beside = cron.isEmpty() ? Optional.empty() : agreement.decodeBeside(stored, cron);
            beside.ifPresentOrElse(definition -> tellKept(e, cron), () -> tell(e));
            return beside;
        }
    }

    private void tellKept(UnreadableDefinitionException unreadable, String cron) {
        String reason = unreadable.reason();
        if (told.equals(reason)) {
            return;
        }
        told = reason;
        String node = scope.tree().node(unreadable.part());
        log.error(
                "Job \"{}\": the schedule in \"{}\" can't be used: {}. The previous schedule, \"{}\", stays in force"
                        + " until the node is corrected",
                scope.jobName(),
                node,
                reason,
                cron);
        scope.events().accept(new JobEvent.ScheduleKept(scope.jobName(), node, cron, reason));
    }

    /** Says it once, for operators. */
    public void tell(UnreadableDefinitionException unreadable) {
        String reason = String.valueOf(unreadable.getMessage());
        if (told.equals(reason)) {
            return;
        }
        told = reason;
        String node = scope.tree().node(unreadable.part());
        log.error(
                "Job \"{}\": the definition in \"{}\" can't be read, so this instance starts nothing new for the job"
                        + " until it is corrected; running executions continue. {}",
                scope.jobName(),
                node,
                reason);
        scope.events().accept(new JobEvent.DefinitionUnreadable(scope.jobName(), node, reason));
    }
}
