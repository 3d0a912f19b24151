package dev.elasticjob.engine;

import dev.elasticjob.coordination.group.GroupCoordination;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.engine.JobShutdown.Participant;
import dev.elasticjob.engine.ShardingGroups.GroupRuntime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an engine takes part in: its jobs and groups, and those that it is leaving. The latter are still part of what runs
 * here, but no longer found by name.
 *
 * <p>Any thread may read; changed by one caller at a time.
 */
final class Participants {
    private final ConcurrentNavigableMap<String, JobRuntime> jobs = new ConcurrentSkipListMap<>();
    /** By the root of their nodes, which is no name of a job. */
    private final ConcurrentNavigableMap<String, GroupRuntime> groups = new ConcurrentSkipListMap<>();

    private final List<JobShutdown> shutdowns = new CopyOnWriteArrayList<>();

    void add(JobRuntime job) {
        jobs.put(job.name(), job);
    }

    void add(GroupRuntime group) {
        groups.put(group.name(), group);
    }

    Optional<JobRuntime> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    Optional<GroupRuntime> group(String root) {
        return Optional.ofNullable(groups.get(root));
    }

    List<JobRuntime> jobs() {
        return List.copyOf(jobs.values());
    }

    List<GroupRuntime> groups() {
        return List.copyOf(groups.values());
    }

    /** Jobs and groups. */
    List<Participant> all() {
        return Stream.<Participant>concat(jobs.values().stream(), groups.values().stream())
                .toList();
    }

    // ------------------------------------------------------------------ leaving

    /** The participant is found no longer, although it takes some time to leave. */
    void leaves(Participant former, JobShutdown shutdown) {
        shutdowns.add(shutdown);
        jobs.remove(former.name());
        groups.remove(former.name());
    }

    /** All leave, and are found until the end. */
    void allLeave(JobShutdown shutdown) {
        shutdowns.add(shutdown);
    }

    void haveLeft(JobShutdown shutdown) {
        shutdowns.remove(shutdown);
    }

    List<JobShutdown> shutdowns() {
        return List.copyOf(shutdowns);
    }

    /** Completes when none of this name is leaving any more. */
    CompletionStage<Void> formerHaveLeft(String name) {
        return Stages.all(shutdowns.stream()
                .filter(shutdown -> shutdown.concerns(name))
                .map(JobShutdown::left)
                .toList());
    }

    // ------------------------------------------------------------------ with those that are leaving

    boolean isExecuting() {
        return everyJob().anyMatch(JobRuntime::holdsItems) || everyGroup().anyMatch(GroupCoordination::holdsIndex);
    }

    boolean runsCode() {
        return everyJob().anyMatch(JobRuntime::runsCode) || everyGroup().anyMatch(GroupCoordination::holdsIndex);
    }

    /** A node of this instance, if it has one. */
    Optional<String> ownNode() {
        return Stream.concat(
                        everyJob().flatMap(job -> job.coordination().instanceNode().stream()),
                        everyGroup().flatMap(group -> group.instanceNode().stream()))
                .findFirst();
    }

    void actOnLostLeases(SessionLoss loss) {
        everyGroup().forEach(GroupCoordination::stopWithoutLease);
        everyJob()
                .forEach(
                        switch (loss) {
                            case INTERRUPT -> JobRuntime::interruptWithoutLease;
                            case CONTINUE -> JobRuntime::goOnWithoutLease;
                        });
    }

    private Stream<JobRuntime> everyJob() {
        return every().filter(JobRuntime.class::isInstance).map(JobRuntime.class::cast);
    }

    private Stream<GroupCoordination> everyGroup() {
        return every().filter(GroupRuntime.class::isInstance)
                .map(GroupRuntime.class::cast)
                .map(GroupRuntime::coordination);
    }

    /** Those that are leaving are at the end. */
    private Stream<Participant> every() {
        return Stream.of(
                        jobs.values().stream(),
                        groups.values().stream(),
                        shutdowns.stream().flatMap(shutdown -> shutdown.participants().stream()))
                .<Participant>flatMap(Function.identity())
                .distinct();
    }
}
