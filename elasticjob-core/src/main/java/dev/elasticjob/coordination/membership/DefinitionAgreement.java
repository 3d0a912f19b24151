package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agrees on a job's definition between this application and the registry: which of the two counts, what is written, and
 * what people are told about the differences, once. Confined to the coordination executor.
 */
public final class DefinitionAgreement {
    private static final Logger log = LoggerFactory.getLogger(DefinitionAgreement.class);

    private final JobScope scope;
    private final JobDefinition local;
    private final JobDefinitionCodec codec = new JobDefinitionCodec();
    private boolean differencesTold;
    private List<String> warned = List.of();

    public DefinitionAgreement(JobScope scope, JobDefinition local) {
        this.scope = scope;
        this.local = local;
    }

    /** The definition to go by; writes the local one where there is none, or where it is to overwrite. */
    JobDefinition agree(StoredDefinition stored, RegistryAnswer answer, RegistryCommit.Builder commit) {
        boolean replaces = stored.isPresent() && local.overwrite() && isUnreadable(stored);
        JobDefinition agreed = stored.isPresent() && !replaces ? agreeWith(stored, answer) : local;
        boolean writes =
                !stored.isPresent() || replaces || (local.overwrite() && !agreed.equals(decode(stored, answer)));
        commit.addAll(writes ? stored.replacedBy(agreed) : stored.unchanged());
        if (stored.extension().isEmpty()) {
            commit.create(scope.tree().extension(), codec.extension(agreed, Optional.empty()));
        }
        return agreed;
    }

    /** What can't be read is shown before it is replaced: some of it may be wanted again. */
    private boolean isUnreadable(StoredDefinition stored) {
        try {
            stored.decode(local);
            return false;
        } catch (UnreadableDefinitionException e) {
            String node = scope.tree().node(e.part());
            warn(List.of(
                    ("the node \"%s\" can't be read. This application's settings replace it, because \"overwrite\" is"
                                    + " true. %s. It contained: %s")
                            .formatted(node, e.reason(), stored.text(e.part()))));
            return true;
        }
    }

    private JobDefinition agreeWith(StoredDefinition found, RegistryAnswer answer) {
        JobDefinition stored = decode(found, answer);
        boolean renamed = !local.overwrite() && isOfAnotherClass(stored);
        if (!local.overwrite()) {
            refuseAnotherType(stored, renamed);
        }
        JobDefinition here =
                renamed ? local.toBuilder().jobClass(stored.jobClass()).build() : local;
        List<String> differences = here.differences(stored);
        if (!differencesTold && renamed) {
            tellRenamed(stored);
        }
        if (!differencesTold && !differences.isEmpty()) {
            tell(differences);
        }
        differencesTold |= renamed || !differences.isEmpty();
        return local.overwrite() ? local : stored;
    }

    private void tellRenamed(JobDefinition stored) {
        log.warn(
                "Job \"{}\": the registry stores the class \"{}\" for it, but this application has the class \"{}\"."
                        + " The application follows the registry's settings, as if the class had been renamed. If"
                        + " these are two different jobs, give one of them another name at once: each runs items of"
                        + " the other now. If the class was renamed, end this warning: set the class with"
                        + " JobAdmin.redefine, or the job's \"overwrite\" to true for one start",
                scope.jobName(),
                stored.jobClass(),
                local.jobClass());
    }

    private void tell(List<String> differences) {
        if (local.overwrite()) {
            log.info(
                    "Job \"{}\": this application's settings replace those in the registry, because \"overwrite\" is"
                            + " true: {}",
                    scope.jobName(),
                    String.join("; ", differences));
        } else {
            log.warn(
                    "Job \"{}\": these settings of this application are ignored, because the registry has different"
                            + " ones: {}. Change them in the registry, or set the job's \"overwrite\" to true for"
                            + " one start, which also replaces what operators have changed",
                    scope.jobName(),
                    String.join("; ", differences));
        }
    }

    private boolean isOfAnotherClass(JobDefinition stored) {
        return !stored.jobClass().equals(local.jobClass())
                && !stored.jobClass().isEmpty()
                && !local.jobClass().isEmpty();
    }

    /** Code can't stand in for a definition alone, nor one kind of code for another: a class may have been renamed. */
    private void refuseAnotherType(JobDefinition stored, boolean renamed) {
        boolean withoutCode =
                stored.jobType().isWithoutCode() || local.jobType().isWithoutCode();
        if ((withoutCode || renamed) && stored.jobType() != local.jobType()) {
            throw new JobConflictException(scope.jobName(), stored.jobType(), local.jobType());
        }
    }

    private JobDefinition decode(StoredDefinition stored, RegistryAnswer answer) {
        try {
            return decode(stored);
        } catch (UnreadableDefinitionException e) {
            return answer.node(scope.tree().sharding())
                    .flatMap(NodeCodec::cron)
                    .flatMap(cron -> decodeBeside(stored, cron))
                    .orElseThrow(() -> e);
        }
    }

    /** What is stored, with the cron expression in force, where nothing is wrong with it but its own. */
    Optional<JobDefinition> decodeBeside(StoredDefinition stored, String cron) {
        try {
            return Optional.of(decode(stored, cron));
        } catch (UnreadableDefinitionException e) {
            return Optional.empty();
        }
    }

    private JobDefinition decode(StoredDefinition stored, String cron) {
        return told(stored, stored.decode(local, cron));
    }

    JobDefinition decode(StoredDefinition stored) {
        return told(stored, stored.decode(local));
    }

    private JobDefinition told(StoredDefinition stored, DecodedDefinition decoded) {
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

    /** Says what it has not just said: the definition is read again to be compared, and when a transaction is refused. */
    private void warn(List<String> warnings) {
        warnings.stream()
                .filter(warning -> !warned.contains(warning))
                .forEach(warning -> log.warn("Job \"{}\": {}", scope.jobName(), warning));
        warned = warnings;
    }
}
