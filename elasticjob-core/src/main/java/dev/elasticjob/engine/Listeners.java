package dev.elasticjob.engine;

import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.FailureLogs;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.time.TaskTimer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one run of an engine, each kind in order.
 *
 * @param failures where those of listeners of events are logged
 */
record Listeners(
        List<ElasticJobListener> ofJobs,
        List<ClusterJobListener> ofFirings,
        List<JobEventListener> ofEvents,
        List<RegistryRequestListener> ofRequests,
        List<GroupEventListener> ofGroups,
        ExecutionObserver observer,
        FailureLogs failures) {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);

    Listeners {
        ofJobs = List.copyOf(ofJobs);
        ofFirings = List.copyOf(ofFirings);
        ofEvents = List.copyOf(ofEvents);
        ofRequests = List.copyOf(ofRequests);
        ofGroups = List.copyOf(ofGroups);
    }

    List<ElasticJobListener> of(String jobName) {
        return ofJobs.stream()
                .filter(listener -> applies(listener, listener::appliesTo, jobName))
                .toList();
    }

    List<ClusterJobListener> ofFirings(String jobName) {
        return ofFirings.stream()
                .filter(listener -> applies(listener, listener::appliesTo, jobName))
                .toList();
    }

    private static boolean applies(Object listener, Predicate<String> question, String jobName) {
        try {
            return question.test(jobName);
        } catch (Throwable e) {
            throw new IllegalStateException(
                    ("Job \"%s\": expected the listener \"%s\" to return from \"appliesTo\" whether it applies to the"
                                    + " job, but it failed with \"%s\": fix the listener, or remove it")
                            .formatted(jobName, listener.getClass().getName(), Failures.text(e)),
                    Failures.printable(e));
        }
    }

    void tell(JobEvent event) {
        for (JobEventListener listener : ofEvents) {
            tell("Job", event.jobName(), event, () -> listener.onEvent(event));
        }
    }

    void tell(GroupEvent event) {
        for (GroupEventListener listener : ofGroups) {
            tell("Group", event.group(), event, () -> listener.onEvent(event));
        }
    }

    private void tell(String subject, String name, Object event, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            String failing = "%s \"%s\"".formatted(subject, name);
            failures.of(failing)
                    .error(
                            "%s: a listener failed to handle %s; other listeners are not affected"
                                    .formatted(failing, event.getClass().getSimpleName()),
                            e);
        }
    }

    /**
     * Where the listeners of a run come from: they are fetched at its start, so that they can depend on the engine themselves.
     * Not thread-safe.
     */
    static final class Sources {
        final Source<ElasticJobListener> ofJobs = new Source<>();
        final Source<ClusterJobListener> ofFirings = new Source<>();
        final Source<JobEventListener> ofEvents = new Source<>();
        final Source<RegistryRequestListener> ofRequests = new Source<>();
        final Source<GroupEventListener> ofGroups = new Source<>();
        Supplier<ExecutionObserver> observer = () -> ExecutionObserver.NONE;

        /** Of one kind of listeners. */
        static final class Source<T> {
            private final List<Supplier<? extends Collection<? extends T>>> sources = new ArrayList<>();

            void add(Supplier<? extends Collection<? extends T>> atStart) {
                sources.add(atStart);
            }

            /** Fetches those that are known by now. */
            Supplier<List<T>> fetching() {
                List<Supplier<? extends Collection<? extends T>>> known = List.copyOf(sources);
                return () -> known.stream()
                        .<T>flatMap(source -> source.get().stream())
                        .toList();
            }
        }

        /** @param timer tells how long ago a failure was logged in full */
        Supplier<Listeners> fetching(TaskTimer timer) {
            Supplier<List<ElasticJobListener>> jobs = ofJobs.fetching();
            Supplier<List<ClusterJobListener>> firings = ofFirings.fetching();
            Supplier<List<JobEventListener>> events = ofEvents.fetching();
            Supplier<List<RegistryRequestListener>> requests = ofRequests.fetching();
            Supplier<List<GroupEventListener>> groups = ofGroups.fetching();
            Supplier<ExecutionObserver> around = observer;
            return () -> new Listeners(
                    jobs.get(),
                    firings.get(),
                    events.get(),
                    requests.get(),
                    groups.get(),
                    around.get(),
                    new FailureLogs(log, timer::nanoTime));
        }
    }
}
