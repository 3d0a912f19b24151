package dev.elasticjob.spring.test;

import java.util.List;
import java.util.stream.Collectors;

/** The observed executions, as text for failures. */
final class ExecutionTexts {
    private ExecutionTexts() {}

    static String text(String jobName, List<Execution> executions) {
        if (executions.isEmpty()) {
            return "No item of job \"%s\" has started.".formatted(jobName);
        }
        return executions.stream()
                .map(execution -> "  " + execution)
                .collect(Collectors.joining("\n", "Executions of job \"" + jobName + "\":\n", ""));
    }
}
