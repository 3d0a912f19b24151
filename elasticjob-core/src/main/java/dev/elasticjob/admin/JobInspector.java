package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.definition.schedule.LeftOut;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.text.NamePatterns;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/**
 * Shows jobs as they are in the registry, which each call reads: of the whole namespace, whether or not this process runs
 * them. Nothing is written, and no watch is set. Thread-safe.
 *
 * <p>Every stage fails with {@link dev.elasticjob.registry.RegistryUnavailableException} if the registry is unavailable.
 * The answers are immutable. An answer about one job is empty if there is no job of that name; if its nodes can't be
 * read, the answer says so, and other jobs are not affected.
 */
public interface JobInspector {
    /** The most jobs whose items are read together. */
    int MOST_DETAILS = 500;

    /** All jobs of this engine, ordered by name, without their items. */
    CompletionStage<List<JobReport>> jobs();

    /**
     * Some jobs of the namespace: one request for the names, and one for the jobs. If only a sweep {@linkplain
     * JobPage.Query#isSwept() knows the answer}, it is taken from {@link #swept}, and says how much of the namespace that is,
     * and how old.
     *
     * @return a stage that fails with {@link IllegalArgumentException} if {@link JobPage.Query#after} is of another order
     */
    CompletionStage<JobPage> page(JobPage.Query query);

    /** The names of all jobs that a query selects, of all its pages: from one request, or from {@link #swept}, as a page. */
    CompletionStage<JobPage.Names> matching(JobPage.Query query);

    /**
     * All jobs of the namespace, as a slow sweep has read them until now, each with what of it needs a person. The sweep
     * reads 500 jobs at a time as {@link #details} does, at most five requests a second on average; the first answer waits
     * for the first 500. It rests for 10 s after the last job, and stops 30 s after the last question: then, what it has
     * read is forgotten. The answer says how old it is.
     */
    CompletionStage<Swept<Checked>> swept();

    /**
     * The servers of all jobs, by address: a sweep over the whole namespace, which reads 50 jobs at a time in two requests,
     * and the records of 1,000 items of those that have instances in one, one after the other. Calls of cluster listeners
     * are not looked at.
     */
    CompletionStage<List<ServerReport>> servers();

    /**
     * An instance in all its jobs; empty if no job has it. One request for 1,000 jobs of the namespace, two for 50 jobs that
     * the instance takes part in, and one for 1,000 of their items.
     */
    CompletionStage<Optional<InstanceOnServer>> instance(String id);

    /**
     * The items that wait for the successor of an instance that has left in good order, by the job: of the whole namespace,
     * read as for {@link #attention}. Jobs of which none waits are left out.
     */
    CompletionStage<SortedMap<String, Set<Integer>>> awaiting(String instance);

    /** The names of all jobs of the namespace, in one request. */
    CompletionStage<NavigableSet<String>> names();

    /**
     * Some jobs with the records of their items: one request for 50 jobs, one for 1,000 items, and one for the jobs that
     * some of them run after. Waiting runs and checkpoints are not read, so the reports have none; locks only of jobs with
     * {@code stuckAfter}.
     *
     * @param names of at most {@link #MOST_DETAILS} jobs
     * @return the jobs in that order, also those that there are not. One whose nodes may not be read says so. The stage
     *     fails with {@link IllegalArgumentException} for more names
     */
    CompletionStage<List<JobReport>> details(Collection<String> names);

    /**
     * What needs a person in the whole namespace, worst first: a sweep, which reads all {@link #details}, one request after
     * the other.
     */
    CompletionStage<List<Finding>> attention();

    /** The applications of Kubernetes that run jobs of this namespace, as their controllers show them, by their ids. */
    CompletionStage<List<AppReport>> apps();

    /** One of them, by its id; empty if there is none. */
    CompletionStage<Optional<AppReport>> app(String id);

    /**
     * The registry has lost its data, or has gone back to an older copy, and no operator has confirmed it. Is part of {@link
     * #attention()}, but of no job.
     */
    CompletionStage<Optional<Finding>> dataLoss();

    /** The same, and what fencing tokens are greater than. Fails if the node may not be read, as the commands do. */
    CompletionStage<RegistryDataReport> registryData();

    /** The pause of all jobs of the namespace; empty if they are not paused. Fails if the node may not be read. */
    CompletionStage<Optional<PausedBy>> namespacePause();

    /** One job with its items. */
    CompletionStage<Optional<JobReport>> job(String jobName);

    /** The instances of a job, ordered by id. */
    CompletionStage<Optional<List<InstanceReport>>> instances(String jobName);

    /**
     * The next firings according to the schedule in force and the local clock; fewer if the schedule ends before, and
     * none before the first plan, for a one-off job, and for a job whose assignment can't be read. With them, what a
     * calendar leaves out until then, 1,000 firings at most.
     *
     * @param count 1 to 1,000
     * @return a stage that fails with {@link IllegalArgumentException} for another count
     */
    CompletionStage<Optional<DueTimes>> dueTimes(String jobName, int count);

    /**
     * The next firings of a job. Immutable.
     *
     * @param times earliest first
     * @param leftOut the firings up to the last one of these that the job's calendar leaves out or moves, earliest first
     */
    record DueTimes(List<Instant> times, List<LeftOut> leftOut) {
        private static final int MOST_LEFT_OUT = 1_000;

        public DueTimes {
            times = List.copyOf(times);
            leftOut = List.copyOf(leftOut);
        }

        /** Of any schedule. Of what its calendar leaves out, the first 1,000. */
        public static DueTimes of(Schedule schedule, Instant after, int count) {
            List<Instant> times = schedule.firingsAfter(after).limit(count).toList();
            Optional<Instant> last = times.size() < count ? Optional.empty() : Optional.of(times.get(count - 1));
            return new DueTimes(times, schedule.leftOut(after, last, MOST_LEFT_OUT));
        }
    }

    /** What a job has to do now, whether or not an instance of it is there: see {@link #demands(Collection)}. */
    CompletionStage<Optional<JobDemand>> demand(String jobName);

    /** The demand of all jobs of the namespace, by name: one request for the names, and see {@link #demands(Collection)}. */
    CompletionStage<List<JobDemand>> demands();

    /**
     * The demand of some jobs: one request for 50 jobs, one for 1,000 of their items, and one more if requested runs wait. A
     * job that can't be read says so, and others go on.
     *
     * @return in the order of the names, without those that there are not
     */
    CompletionStage<List<JobDemand>> demands(Collection<String> names);

    /** The demand of all jobs of the namespace whose names match, together. As many requests as {@link #demands()} of them. */
    CompletionStage<JobDemand.Total> demandOf(NamePatterns jobs);

    /** Why an item doesn't run now. Empty also if the job has no such item. */
    CompletionStage<Optional<Explanation>> explain(String jobName, int item);

    /**
     * Who would own which items after a resharding under other conditions. Nothing is resharded. The stage fails with
     * {@link IllegalArgumentException} if a value of the question can't be used, and with {@link IllegalStateException} if
     * the job's state doesn't allow an answer: its settings can't be read, other software takes part, or its sharding
     * strategy is a bean of its application.
     */
    CompletionStage<Optional<ReshardPreview>> preview(String jobName, WhatIf question);

    /**
     * The last 50 commands that were carried out on the job, newest first, whoever gave them, and through which instance.
     * Those that were refused are only in the log.
     */
    CompletionStage<Optional<List<Entry>>> commands(String jobName);

    /**
     * The job's nodes as text, for a bug report: paths, versions, times, and data. Values that may be secrets are masked:
     * the headers and the body of HTTP jobs, and every setting whose name suggests a secret. Parameters of the job and of
     * its runs, command lines and checkpoints are shown.
     */
    CompletionStage<Optional<String>> dump(String jobName);

    /**
     * The same for people who may look but not operate: the parameters of the job and of its runs are masked too, and so are
     * texts of its settings that mention a secret.
     */
    CompletionStage<Optional<String>> dumpWithoutParameters(String jobName);
}
