package dev.elasticjob.definition.kind;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import java.util.List;

/**
 * A kind of jobs that consist of their definition: declared with {@code job-type} alone, without code for each of them. With
 * Spring, a bean; otherwise, given to {@link dev.elasticjob.engine.ElasticJobEngineBuilder#kinds}. All instances that run its
 * jobs need it; one without it says so of each such job, and runs the others.
 *
 * <p>Its settings are job properties, whose names begin with the kind's name as in {@code job-type} and a dot: {@code
 * sql.statement}, {@code my-kind.path}.
 * They are stored in the registry and shown there; values are masked whose names contain a word such as password, secret or
 * token. Called by several threads at the same time.
 */
public interface JobKind {
    /** Its name, as in {@link JobDefinition#jobType()}: {@code SQL}. Always the same. */
    String name();

    /** The job properties of its jobs. Others that begin like these are refused. Always the same. */
    List<KindProperty> properties();

    /**
     * What else is wrong with a job: everything at once. Called when a job is declared or taken from the registry, and before
     * an execution if the registry has changed the job; also if required properties are missing, which is reported besides.
     * Must not block: it may be called on the thread that coordinates all jobs. The name of a property that is wrong is the
     * setting {@code jobProperties} of a violation, with {@code name=value} as what was found.
     */
    default List<Violation> check(JobDefinition definition) {
        return List.of();
    }

    /**
     * Does the work of one item. A thread that is interrupted should end its work and return: the lease is lost, the timeout
     * has elapsed, or the instance stops.
     *
     * @param definition with the values that this instance may use
     * @throws Exception if the item has failed
     */
    void execute(JobDefinition definition, ShardingContext context) throws Exception;
}
