package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DefinitionDifferences;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles which definition of a job counts, this application's or the registry's, when an instance joins; says what is
 * written, and reports the differences, once. Confined to the coordination executor.
 */
public final class DefinitionAgreement {
    private static final Logger log = LoggerFactory.getLogger(DefinitionAgreement.class);

    private final JobScope scope;
    private final JobDefinition local;
    private final JobDefinitionCodec codec = new JobDefinitionCodec();
    private final DefinitionReader reader;
    private boolean reported;

    public DefinitionAgreement(JobScope scope, JobDefinition local, DefinitionReader reader) {
        this.scope = scope;
        this.local = local;
        this.reader = reader;
    }

    /**
     * The definition that counts.
     *
     * @param commit receives what is written: the local definition if there is none or it is to overwrite, else a check
     */
    JobDefinition agree(StoredDefinition stored, RegistryAnswer answer, RegistryCommit.Builder commit) {
        boolean replaces = !stored.isPresent() || (local.overwrite() && isUnreadable(stored));
        Optional<JobDefinition> found = replaces ? Optional.empty() : Optional.of(reader.read(stored, answer));
        found.ifPresent(this::compare);
        JobDefinition agreed = local.overwrite() ? local : found.orElse(local);
        commit.addAll(found.equals(Optional.of(agreed)) ? stored.unchanged() : stored.replacedBy(agreed));
        if (stored.extension().isEmpty()) {
            commit.create(scope.tree().extension(), codec.extension(agreed, Optional.empty()));
        }
        return agreed;
    }

    /** What can't be read is logged before it is replaced: some of it may be wanted again. */
    private boolean isUnreadable(StoredDefinition stored) {
        Optional<UnreadableDefinitionException> problem = stored.problem(Optional.of(local));
        problem.ifPresent(unreadable -> reader.warn(List.of(
                ("the node \"%s\" can't be read. This application's settings replace it, because \"overwrite\" is"
                                + " true. %s. It contained: %s")
                        .formatted(
                                scope.tree().node(unreadable.part()),
                                unreadable.reason(),
                                stored.text(unreadable.part())))));
        return problem.isPresent();
    }

    /** Reports the differences, or refuses another job's definition. */
    private void compare(JobDefinition stored) {
        boolean renamed = !local.overwrite() && isOfAnotherClass(stored);
        if (!local.overwrite()) {
            refuseAnotherType(stored, renamed);
        }
        JobDefinition here =
                renamed ? local.toBuilder().jobClass(stored.jobClass()).build() : local;
        List<String> differences = DefinitionDifferences.between(stored, here);
        if (!reported && renamed) {
            reportRenamed(stored);
        }
        if (!reported && !differences.isEmpty()) {
            report(differences);
        }
        reported |= renamed || !differences.isEmpty();
    }

    private void reportRenamed(JobDefinition stored) {
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

    private void report(List<String> differences) {
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
}
