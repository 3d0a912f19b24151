package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.execution.Claims;
import dev.elasticjob.job.ScriptFailedException;
import dev.elasticjob.testing.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real processes, of the shell that every Unix has. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ScriptJobInvokerTest {
    private static final String LOG = "Job \"cleanup\": item 1: ";

    private final LoggedLines log = new LoggedLines();
    private final ScriptJobInvoker invoker = new ScriptJobInvoker(JobDefinition::scriptCommandLine);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void theContextIsTheLastArgument() throws Exception {
        invoker.invoke(Claims.context(script("sh -c 'echo \"$#:$2\"' name first")));

        String line = log.await("2:{");
        JsonNode json = JsonMapper.shared().readTree(line.substring(line.indexOf('{')));
        assertThat(json.propertyNames())
                .containsExactly(
                        "jobName",
                        "taskId",
                        "shardingTotalCount",
                        "jobParameter",
                        "shardingItem",
                        "shardingParameter",
                        "runParameter",
                        "runActor",
                        "scheduledTime",
                        "runId",
                        "attempt",
                        "fencingToken");
        assertThat(json.get("taskId").asString()).isEqualTo("cleanup@-@1@-@2026-03-01T12:00:00Z@-@2@-@a@-@1");
        assertThat(json.get("shardingParameter").asString()).isEqualTo("北京 \"b\"");
        assertThat(json.get("shardingTotalCount").asInt()).isEqualTo(3);
        assertThat(json.get("fencingToken").asLong()).isEqualTo(42);
        assertThat(line).as("goes through any encoding").isPrintable().matches("\\p{ASCII}*");
    }

    @Test
    void theLongestParametersFitIntoTheArgument() throws Exception {
        String half = "订".repeat(10_240);

        invoker.invoke(Claims.context(script("sh -c 'echo \"${#0}\"'").toBuilder()
                .jobParameter(half)
                .shardingItemParameters("1=" + half)
                .build()));

        assertThat(Integer.parseInt(output("INFO").get(0))).isGreaterThan(120 * 1024);
    }

    @Test
    void theContextIsInTheEnvironment() throws Exception {
        JobDefinition south = script("sh -c 'env | grep ^ELASTICJOB_ | grep -v ^ELASTICJOB_TEST_ | sort'").toBuilder()
                .shardingItemParameters("1=south")
                .build();

        invoker.invoke(Claims.context(south));

        assertThat(output("INFO"))
                .containsExactly(
                        "ELASTICJOB_ATTEMPT=2",
                        "ELASTICJOB_FENCING_TOKEN=42",
                        "ELASTICJOB_JOB_NAME=cleanup",
                        "ELASTICJOB_JOB_PARAMETER=all of it",
                        "ELASTICJOB_RUN_ACTOR=",
                        "ELASTICJOB_RUN_ID=cleanup@2026-03-01T12:00:00Z",
                        "ELASTICJOB_RUN_PARAMETER=",
                        "ELASTICJOB_SCHEDULED_TIME=2026-03-01T12:00:00Z",
                        "ELASTICJOB_SHARDING_ITEM=1",
                        "ELASTICJOB_SHARDING_PARAMETER=south",
                        "ELASTICJOB_SHARDING_TOTAL_COUNT=3",
                        "ELASTICJOB_TASK_ID=cleanup@-@1@-@2026-03-01T12:00:00Z@-@2@-@a@-@1");
    }

    @Test
    void bothOutputsAreLoggedLineByLineAlsoWithoutALastLineEnd() throws Exception {
        invoker.invoke(Claims.context(script("sh -c 'printf \"one\\ntwo\"; echo careful >&2'")));

        assertThat(output("INFO")).containsExactly("one", "two");
        assertThat(output("WARN")).containsExactly("careful");
    }

    @Test
    void itsLinesAreLoggedAsTheItems() throws Exception {
        invoker.invoke(Claims.context(script("sh -c 'echo one; echo careful >&2; printf last'")));

        for (String line : List.of("one", "careful", "last")) {
            assertThat(log.awaitContextOf(LOG + line))
                    .containsEntry("elasticjob.job", "cleanup")
                    .containsEntry("elasticjob.item", "1")
                    .containsEntry("elasticjob.run", "cleanup@2026-03-01T12:00:00Z")
                    .containsEntry("elasticjob.attempt", "2");
        }
    }

    @Test
    void anOutputWithoutLineEndsIsCutInsteadOfKept() throws Exception {
        invoker.invoke(Claims.context(script("sh -c 'head -c 20000 /dev/zero | tr \"\\0\" x'")));

        assertThat(output("INFO")).extracting(String::length).containsExactly(8_192, 8_192, 3_616);
    }

    @Test
    void anotherExitCodeIsAFailureWithTheEndOfStderr() {
        var failure = catchThrowableOfType(
                ScriptFailedException.class,
                () -> invoker.invoke(Claims.context(
                        script("sh -c 'for i in $(seq 1000); do echo line $i >&2; done; echo no space >&2; exit 3'"))));

        assertThat(failure.exitCode()).isEqualTo(3);
        assertThat(failure.errors()).endsWith("line 999\nline 1000\nno space").hasSizeLessThan(2_020);
        assertThat(failure).hasMessageContainingAll("\"sh\"", "exit code 3", "no space");
    }

    @Test
    void noShellLooksAtTheCommandLine() throws Exception {
        invoker.invoke(Claims.context(script("echo $HOME *")));

        assertThat(output("INFO"))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("$HOME * {"));
    }

    @Test
    void aScriptThatReadsItsInputFindsItsEnd() throws Exception {
        invoker.invoke(Claims.context(script("sh -c 'cat; echo nothing to read'")));

        assertThat(output("INFO")).containsExactly("nothing to read");
    }

    @Test
    void aProgramThatIsNotThereIsAFailureThatNamesIt() {
        assertThat(catchThrowableOfType(
                        IOException.class, () -> invoker.invoke(Claims.context(script("no-such-program x")))))
                .hasMessageContaining("no-such-program");
    }

    @Test
    void anInstanceThatRunsScriptsDoesNotTakeAJobOfAnotherTypeForOne() {
        JobDefinition simple = JobDefinition.builder("cleanup")
                .cron("0 * * * * ?")
                .shardingTotalCount(3)
                .build();

        JobInvoker declared = new KindInvokers(JobKinds.BUILT_IN, text -> text, RegistryTrust.NONE.withScripts())
                .declared(script("true"));

        assertThat(catchThrowableOfType(IllegalStateException.class, () -> declared.invoke(Claims.context(simple))))
                .hasMessageContaining("SIMPLE in the registry");
    }

    // ------------------------------------------------------------------ interruption

    @Test
    void interruptionEndsTheWholeProcessTreeGently() throws Exception {
        Running script = run("sh -c '(trap \"echo child leaves; exit\" TERM; echo child $$; sleep 600 & wait) & wait'");
        log.await("child ");
        List<ProcessHandle> tree = script.processes();

        script.thread().interrupt();

        assertThat(script.failure()).isInstanceOf(InterruptedException.class);
        log.await("child leaves");
        assertThat(tree).hasSizeGreaterThanOrEqualTo(2).allSatisfy(ScriptJobInvokerTest::ends);
    }

    @Test
    void whatIgnoresTheGentleWordIsEndedByForce() throws Exception {
        Running script = run("sh -c 'trap \"\" TERM; echo stubborn; sleep 600; sleep 600; sleep 600'");
        log.await("stubborn");
        List<ProcessHandle> tree = script.processes();

        script.thread().interrupt();

        assertThat(script.failure()).isInstanceOf(InterruptedException.class);
        assertThat(tree).allSatisfy(ScriptJobInvokerTest::ends);
    }

    @Test
    void aScriptWhoseThreadIsInterruptedAlreadyIsEndedAtOnce() throws Exception {
        Thread.currentThread().interrupt();

        assertThat(catchThrowableOfType(
                        InterruptedException.class, () -> invoker.invoke(Claims.context(script("sh -c 'sleep 600'")))))
                .isNotNull();
    }

    /**
     * Waits for the end. In a container whose first process collects no others, one that has ended may be listed for ever,
     * but without its command.
     */
    private static void ends(ProcessHandle process) {
        if (process.info().command().isPresent()) {
            process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
        }
        assertThat(process)
                .matches(ended -> !ended.isAlive() || ended.info().command().isEmpty(), "has ended");
    }

    private record Running(Thread thread, CompletableFuture<Throwable> ended, List<ProcessHandle> before) {
        /** The processes that have come since. */
        List<ProcessHandle> processes() {
            return ProcessHandle.current()
                    .descendants()
                    .filter(process -> !before.contains(process))
                    .toList();
        }

        Throwable failure() throws Exception {
            return ended.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Running run(String commandLine) {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                invoker.invoke(Claims.context(script(commandLine)));
                ended.completeExceptionally(new AssertionError("It was to be interrupted"));
            } catch (Exception e) {
                ended.complete(e);
            }
        });
        thread.start();
        return new Running(thread, ended, before);
    }

    private List<String> output(String level) {
        return log.all().stream()
                .filter(line -> line.startsWith(level + " " + LOG))
                .map(line -> line.substring(level.length() + 1 + LOG.length()))
                .toList();
    }

    private static JobDefinition script(String commandLine) {
        return JobDefinition.builder("cleanup")
                .cron("0 * * * * ?")
                .jobType(JobType.SCRIPT)
                .scriptCommandLine(commandLine)
                .shardingTotalCount(3)
                .shardingItemParameters("1=北京 \"b\"")
                .jobParameter("all of it")
                .build();
    }
}
