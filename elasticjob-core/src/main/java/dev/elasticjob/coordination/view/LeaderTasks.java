package dev.elasticjob.coordination.view;

import java.util.List;

/**
 * The tasks of a leader, in the order in which they end.
 *
 * @param withPlan begin as soon as there is a plan, even if it is to change
 * @param underPlan begins when the plan follows from what was read
 */
public record LeaderTasks(List<LeaderTask> withPlan, LeaderTask underPlan) {
    public LeaderTasks {
        withPlan = List.copyOf(withPlan);
    }

    public void beginWithPlan(LeaderDuty duty) {
        withPlan.forEach(task -> task.lead(duty));
    }

    public void beginUnderPlan(LeaderDuty duty) {
        underPlan.lead(duty);
    }

    public void resign() {
        withPlan.forEach(LeaderTask::resign);
        underPlan.resign();
    }

    public void close() {
        withPlan.forEach(LeaderTask::close);
        underPlan.close();
    }
}
