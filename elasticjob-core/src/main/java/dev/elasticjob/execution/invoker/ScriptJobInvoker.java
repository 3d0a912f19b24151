package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.text.ScriptCommand;
import dev.elasticjob.job.ScriptFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.commons.exec.PumpStreamHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the command line of a SCRIPT job for one item. The context is its last argument and in its environment, its
 * output is logged, and any exit code but 0 is a failure. The calling thread waits for the process. If the thread is
 * interrupted, it ends the process and its descendants before it returns.
 */
final class ScriptJobInvoker implements JobInvoker {
    private static final Logger log = LoggerFactory.getLogger(ScriptJobInvoker.class);

    /** The wait for the rest of the output, which ends later only if a background process holds it open. */
    private static final Duration OUTPUT_ENDS = Duration.ofMillis(100);

    private final Function<JobDefinition, String> commandLines;

    /** Runs all scripts. */
    record OfScripts() implements KindInvoker {
        @Override
        public JobType type() {
            return JobType.SCRIPT;
        }

        @Override
        public JobInvoker declared(JobDefinition declared, UnaryOperator<JobDefinition> chosen) {
            return new ScriptJobInvoker(claimed -> chosen.apply(claimed).scriptCommandLine());
        }

        @Override
        public JobInvoker kept() {
            return new ScriptJobInvoker(JobDefinition::scriptCommandLine);
        }
    }

    /** @param commandLines makes the command line that is run from the definition of the claim */
    ScriptJobInvoker(Function<JobDefinition, String> commandLines) {
        this.commandLines = commandLines;
    }

    @Override
    public void invoke(ItemContext context) throws IOException, InterruptedException, ScriptFailedException {
        String job = context.getJobName();
        int item = context.getShardingItem();
        // The output is read on separate threads.
        LineStream output = new LineStream(
                line -> LogInterceptor.around(context, () -> log.info("Job \"{}\": item {}: {}", job, item, line)));
        LineStream errors = new LineStream(
                line -> LogInterceptor.around(context, () -> log.warn("Job \"{}\": item {}: {}", job, item, line)));
        List<String> words =
                ScriptCommand.parse(commandLines.apply(context.definition())).words();
        int exitCode = run(context, words, new PumpStreamHandler(output, errors));
        output.close();
        errors.close();
        if (exitCode != 0) {
            throw new ScriptFailedException(words.get(0), exitCode, errors.tail());
        }
    }

    private int run(ItemContext context, List<String> words, PumpStreamHandler pumps)
            throws IOException, InterruptedException {
        Process process = start(context, words);
        pumps.setStopTimeout(OUTPUT_ENDS);
        pumps.setProcessOutputStream(process.getInputStream());
        pumps.setProcessErrorStream(process.getErrorStream());
        pumps.start();
        try {
            process.getOutputStream().close();
            return process.waitFor();
        } catch (IOException | InterruptedException e) {
            end(process, context);
            throw e;
        } finally {
            stop(pumps, context);
        }
    }

    private static Process start(ItemContext context, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(words);
        command.add(ContextText.json(context));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(ContextText.variables(context));
        return builder.start();
    }

    private static void end(Process process, ItemContext context) {
        new ProcessTree(process.toHandle()).end();
        log.info("Job \"{}\": item {}: the script was terminated", context.getJobName(), context.getShardingItem());
    }

    private static void stop(PumpStreamHandler pumps, ItemContext context) {
        try {
            pumps.stop();
        } catch (IOException e) {
            log.warn(
                    "Job \"{}\": item {}: the script has ended, but a process that it started still holds its output"
                            + " open; further output is not read",
                    context.getJobName(),
                    context.getShardingItem());
        }
    }
}
