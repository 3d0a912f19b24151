package dev.elasticjob.spring.test;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.test.Execution.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The events of all instances of a cluster. Thread-safe. */
final class Journal implements JobEventListener {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    // Guarded by the lock, like the two fields below.
    private final List<JobEvent> events = new ArrayList<>();
    private final List<Execution> executions = new ArrayList<>();
    /** The assignment that each instance follows, by job, then by instance. */
    private final Map<String, Map<String, AssignmentChanged>> plans = new HashMap<>();

    /** The entries since a mark. */
    record Page(List<JobEvent> events, List<Execution> executions) {}

    /** A position in the journal. */
    record Mark(int events, int executions) {}

    @Override
    public void onEvent(JobEvent event) {
        write(() -> {
            events.add(event);
            if (event instanceof ItemStarted started) {
                executions.add(begun(started));
            } else if (event instanceof ItemFinished finished) {
                end(finished);
            } else if (event instanceof AssignmentChanged plan) {
                plans.computeIfAbsent(plan.jobName(), any -> new HashMap<>()).put(plan.instance(), plan);
            }
        });
    }

    /** An instance is gone, and its executions have ended with it. */
    void left(String instance) {
        write(() -> {
            executions.replaceAll(run -> run.instance().equals(instance) && run.state() == State.RUNNING
                    ? run.to(State.INTERRUPTED, Optional.empty())
                    : run);
            plans.values().forEach(plan -> plan.remove(instance));
        });
    }

    void clear() {
        write(() -> {
            events.clear();
            executions.clear();
        });
    }

    /** Wakes waiting threads. */
    void wake() {
        write(() -> {});
    }

    Mark mark() {
        lock.lock();
        try {
            return new Mark(events.size(), executions.size());
        } finally {
            lock.unlock();
        }
    }

    Page since(Mark mark) {
        lock.lock();
        try {
            return new Page(
                    List.copyOf(events.subList(mark.events(), events.size())),
                    List.copyOf(executions.subList(mark.executions(), executions.size())));
        } finally {
            lock.unlock();
        }
    }

    List<Execution> executions() {
        return since(new Mark(0, 0)).executions();
    }

    /** The assignments that instances follow, as far as they are known. */
    List<AssignmentChanged> plans(String jobName) {
        lock.lock();
        try {
            return List.copyOf(plans.getOrDefault(jobName, Map.of()).values());
        } finally {
            lock.unlock();
        }
    }

    /** The newest epoch that an instance follows, by job. */
    Map<String, Integer> epochs() {
        lock.lock();
        try {
            Map<String, Integer> epochs = new HashMap<>();
            plans.forEach(
                    (job, followed) -> followed.values().forEach(plan -> epochs.merge(job, plan.epoch(), Math::max)));
            return epochs;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the condition holds, which is checked after each event. Returns false if that takes longer. */
    boolean await(BooleanSupplier reached, Duration patience) {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (!reached.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = news.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static Execution begun(ItemStarted started) {
        return new Execution(
                started.jobName(),
                started.instance(),
                started.item(),
                started.scheduledAt(),
                started.runId(),
                started.attempt(),
                State.RUNNING,
                Optional.empty());
    }

    private void end(ItemFinished finished) {
        State state = finished.failure().isPresent() ? State.FAILED : State.COMPLETED;
        executions.replaceAll(run -> isThat(run, finished) ? run.to(state, finished.failure()) : run);
    }

    private static boolean isThat(Execution run, ItemFinished finished) {
        return run.state() == State.RUNNING
                && run.jobName().equals(finished.jobName())
                && run.instance().equals(finished.instance())
                && run.item() == finished.item()
                && run.runId().equals(finished.runId())
                && run.attempt() == finished.attempt();
    }

    private void write(Runnable entry) {
        lock.lock();
        try {
            entry.run();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
