package dev.elasticjob.samples.oneoff;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.stereotype.Component;

/**
 * With {@code --month=2026-10} on the command line, requests a run for that month, waits for the outcome, and sets the exit
 * code accordingly. Without the option, the process only runs items that other processes request.
 */
@Component
class ReportRequest implements ApplicationRunner, ExitCodeGenerator {
    private static final long PATIENCE_MINUTES = 10;

    private final JobAdmin jobs;
    private boolean asked;
    private int exitCode;

    ReportRequest(JobAdmin jobs) {
        this.jobs = jobs;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        List<String> months = arguments.getOptionValues("month");
        if (months == null || months.isEmpty()) {
            return;
        }
        asked = true;
        RunOutcome outcome = jobs.run("report", RunRequest.withParameter(months.get(0)))
                .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
                .join();
        outcome.items()
                .forEach((item, end) -> System.out.println("item %d: %s %s"
                        .formatted(item, end.end(), end.failure().orElse(""))));
        exitCode = outcome.isSuccessful() ? 0 : 1;
    }

    /** Whether the process was started to request a run, and can end now. */
    boolean isDone() {
        return asked;
    }

    @Override
    public int getExitCode() {
        return exitCode;
    }
}
