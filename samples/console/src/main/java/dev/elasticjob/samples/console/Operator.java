package dev.elasticjob.samples.console;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.job.event.JobEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Does once what an operator would do in the console, as soon as the jobs have started. */
@Component
class Operator {
    private static final Actor NIGHT_SHIFT = Actor.named("night shift");
    private static final int BROKEN_WAREHOUSE = 5;

    private final JobAdmin jobs;
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    Operator(JobAdmin jobs) {
        this.jobs = jobs;
    }

    @EventListener
    void onEvent(JobEvent.AssignmentChanged event) {
        String job = event.jobName();
        if (job.equals("newsletter") && done.add(job)) {
            jobs.by(NIGHT_SHIFT.because("the mail server moves")).pause(job);
        } else if (job.equals("orders") && done.add(job)) {
            jobs.by(NIGHT_SHIFT.because("the warehouse is closed")).disableItem(job, BROKEN_WAREHOUSE);
        }
    }
}
