package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DefinitionDifferences;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, when an instance joins, whether this application's definition of the job or the registry's applies. Says
 * what to write, and reports the differences once. Confined to the coordination executor.
 */
public final class DefinitionAgreement {
    private static final Logger log = LoggerFactory.getLogger(DefinitionAgreement.class);

    private final JobScope scope;
    private final JobDefinition local;
    private final boolean registryJob;
    private final JobDefinitionCodec codec = new JobDefinitionCodec();
    private final DefinitionReader reader;
    private final InstanceLabels labels;
    private boolean reported;

    /** @param labels of this instance */
    public DefinitionAgreement(JobScope scope, KnownJob job, DefinitionReader reader, InstanceLabels labels) {
        this.labels = labels;
        this.scope = scope;
        this.local = job.definition();
        this.registryJob = job.isRegistryJob();
        this.reader = reader;
    }

    /** Whether this instance may join: a job that is kept in the registry has to be there, with its mark. */
    boolean isThere(StoredDefinition stored, RegistryAnswer answer) {
        return !registryJob
                || (stored.isPresent() && answer.node(scope.tree().origin()).isPresent());
    }

    /**
     * Returns the definition that applies.
     *
     * @param commit receives the write: the local definition if there is none or it is to overwrite, otherwise a check
     */
    JobDefinition agree(StoredDefinition stored, RegistryAnswer answer, RegistryCommit.Builder commit) {
        boolean replaces = !stored.isPresent() || (local.overwrite() && isUnreadable(stored));
        Optional<JobDefinition> found = replaces ? Optional.empty() : Optional.of(reader.read(stored, answer));
        found.filter(any -> !registryJob).ifPresent(this::compare);
        JobDefinition own = withOwnListener(found);
        JobDefinition agreed = local.overwrite()
                ? own
                : found.map(this::withListener).map(this::withCalendar).orElse(own);
        found.filter(before -> !local.overwrite() && hasNewerCalendar(before))
                .ifPresent(before -> log.info(
                        "Job \"{}\": this application's calendar has the days of a later year, and replaces that in the registry."
                                + " It was \"{}\", and is \"{}\"",
                        scope.jobName(),
                        before.calendar(),
                        local.calendar()));
        commit.addAll(found.equals(Optional.of(agreed)) ? stored.unchanged() : stored.replacedBy(agreed));
        if (registryJob) {
            String origin = scope.tree().origin();
            commit.check(origin, answer.node(origin).orElseThrow().version());
        }
        if (stored.extension().isEmpty()) {
            commit.create(scope.tree().extension(), codec.extension(agreed, Optional.empty()));
        }
        return agreed;
    }

    /** This application's definition. An instance on which the job doesn't run brings no listeners, and takes none away. */
    private JobDefinition withOwnListener(Optional<JobDefinition> found) {
        return local.instances().matches(labels)
                ? local
                : local.toBuilder()
                        .clusterListener(
                                found.filter(JobDefinition::clusterListener).isPresent())
                        .build();
    }

    /**
     * A job's code has the listeners, so an instance that brings the first one needs no permission to overwrite. It
     * brings their timeouts too, unless the registry has some: nobody has had a reason to set them before. An instance on which
     * the job doesn't run calls none, so it brings none.
     */
    private JobDefinition withListener(JobDefinition stored) {
        if (stored.clusterListener()
                || !local.clusterListener()
                || !stored.instances().matches(labels)) {
            return stored;
        }
        JobDefinition unset = JobDefinition.builder(scope.jobName()).build();
        boolean hasTimeouts = !stored.beforeFirstTimeout().equals(unset.beforeFirstTimeout())
                || !stored.afterLastTimeout().equals(unset.afterLastTimeout());
        JobDefinition timeouts = hasTimeouts ? stored : local;
        return stored.toBuilder()
                .clusterListener(true)
                .beforeFirstTimeout(timeouts.beforeFirstTimeout())
                .afterLastTimeout(timeouts.afterLastTimeout())
                .build();
    }

    /**
     * An application brings the days of the next year with a deployment, so such a state of the calendar that the registry
     * has needs no permission to overwrite. An instance with an older state, which is not updated yet, takes nothing back, and
     * days of the same year that an operator has changed stay.
     */
    private JobDefinition withCalendar(JobDefinition stored) {
        return hasNewerCalendar(stored)
                ? stored.toBuilder().calendar(local.calendar()).build()
                : stored;
    }

    private boolean hasNewerCalendar(JobDefinition stored) {
        return !stored.calendar().isEmpty()
                && !local.calendar().isEmpty()
                && JobCalendar.of(local.calendar()).isNewerThan(JobCalendar.of(stored.calendar()));
    }

    /** An unreadable definition is logged before it is replaced, because some of it may be needed again. */
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

    /** Reports the differences, or refuses the definition of another job. */
    private void compare(JobDefinition stored) {
        boolean renamed = !local.overwrite() && isOfAnotherClass(stored);
        if (!local.overwrite()) {
            refuseAnotherType(stored, renamed);
        }
        // Whether a start replaces what is stored concerns that start only.
        JobDefinition here = local.toBuilder()
                .overwrite(stored.overwrite())
                .jobClass(renamed ? stored.jobClass() : local.jobClass())
                .clusterListener(stored.clusterListener())
                .build();
        reportListeners(stored);
        JobDefinition there = local.overwrite()
                ? stored
                : withCalendar(withListener(stored)).toBuilder()
                        .clusterListener(stored.clusterListener())
                        .build();
        List<String> differences = DefinitionDifferences.between(there, here);
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

    private void reportListeners(JobDefinition stored) {
        boolean there = stored.clusterListener();
        boolean here = local.clusterListener();
        if (there && !here && !local.overwrite() && !reported) {
            log.warn(
                    "Job \"{}\": this instance has no ClusterJobListener for the job, but its settings in the registry say"
                            + " that it has listeners. Firings wait for an instance that has them. If they are gone for"
                            + " good, set the job's \"overwrite\" to true for one start",
                    scope.jobName());
        } else if (here && !there) {
            log.info("Job \"{}\": cluster listeners are called for its firings from now on", scope.jobName());
        }
        reported |= there && !here;
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

    /** A job with code can't replace one without, nor one type of code another. A class may have been renamed. */
    private void refuseAnotherType(JobDefinition stored, boolean renamed) {
        boolean withoutCode =
                stored.jobType().isWithoutCode() || local.jobType().isWithoutCode();
        if ((withoutCode || renamed) && !stored.jobType().equals(local.jobType())) {
            throw new JobConflictException(scope.jobName(), stored.jobType(), local.jobType());
        }
    }
}
