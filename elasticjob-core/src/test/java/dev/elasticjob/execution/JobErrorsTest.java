package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.JobErrorHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class JobErrorsTest {
    private static final IllegalStateException FAILURE = new IllegalStateException("provoked by this test");
    private static final String FAILED =
            "Job \"orders\": item 0 failed (run \"orders@2026-03-01T12:00:00Z\", attempt 1)";

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final OneRunner one = new OneRunner(context -> {
        throw FAILURE;
    });

    @BeforeEach
    void listen() {
        logged.start();
        log().addAppender(logged);
    }

    @AfterEach
    void listenNoLonger() {
        log().detachAppender(logged);
    }

    @Test
    void theHandlerThatTheJobNamesHearsOfEachItemThatFails() {
        one.claim(OneRunner.job(), 2).runAll();

        assertThat(one.failures).containsExactly(FAILURE, FAILURE);
        assertThat(lines()).doesNotContain(FAILED);
    }

    @Test
    void theItemIsHeldUntilItsHandlerHasReturned() {
        List<Map<Integer, ExecutionResult>> seen = new ArrayList<>();
        one.onFailure = () -> seen.add(Map.copyOf(one.endings));

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(seen).containsExactly(Map.of());
    }

    @Test
    void aHandlerThatFailsHarmsNobody() {
        one.onFailure = () -> {
            throw new IllegalStateException("provoked by the handler");
        };

        one.claim(OneRunner.job(), 2).runAll();

        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one.failure(1)).contains("provoked by this test");
        assertThat(lines()).contains("Job \"orders\": its error handler \"heard\" failed; nothing else is affected");
    }

    @Test
    void aHandlerThatHangsIsInterruptedAtTheEnd() {
        List<Boolean> interrupted = new ArrayList<>();
        one.onFailure = () -> {
            one.runner.interruptAll("the engine is stopping");
            interrupted.add(Thread.currentThread().isInterrupted());
        };

        one.claim(OneRunner.job(), 1).runAll();

        assertThat(interrupted).containsExactly(true);
        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(Thread.interrupted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "LOG",
                " LOG ",
                "com.dangdang.ddframe.job.executor.handler.impl.DefaultJobExceptionHandler",
                "com.example.SetInTheRegistry"
            })
    void theLogHearsByDefaultAndWhereTheNameIs215sOwnOrUnknown(String name) {
        one.claim(named(name), 1).runAll();

        assertThat(lines()).contains(FAILED);
    }

    @Test
    void theSameFailureIsLoggedInFullOnceAndThenInOneLine() {
        one.claim(named(""), 3).runAll();
        one.pass(Duration.ofMinutes(9));
        one.claim(named(""), 1).runAll();

        assertThat(withStackTraces()).isEqualTo(1);
        assertThat(lines()).hasSize(4);
        assertThat(lines().get(3))
                .startsWith("Job \"orders\": item 0 failed (run ")
                .contains("java.lang.IllegalStateException: provoked by this test")
                .contains("number 4 of the same failure in 9 min");
    }

    @Test
    void itIsLoggedInFullAgainAfterTenMinutes() {
        one.claim(named(""), 2).runAll();
        one.pass(Duration.ofMinutes(10));
        one.claim(named(""), 2).runAll();

        assertThat(withStackTraces()).isEqualTo(2);
    }

    @Test
    void anotherFailureIsLoggedInFullAndSoIsOneWithAnotherCause() {
        List<Throwable> next = new ArrayList<>(List.of(
                new IllegalStateException("a"),
                new IllegalStateException("b"),
                new IllegalStateException("b", new IllegalArgumentException("c")),
                new IllegalStateException("a")));
        OneRunner other = new OneRunner(context -> {
            throw (RuntimeException) next.remove(0);
        });

        other.claim(named(""), 4).runAll();

        assertThat(withStackTraces()).isEqualTo(3);
        assertThat(lines()).last().asString().contains("number 2 of the same failure");
    }

    private long withStackTraces() {
        return logged.list.stream()
                .filter(line -> line.getThrowableProxy() != null)
                .count();
    }

    @Test
    void ignoreSaysNothingButTheRecordDoes() {
        one.claim(named("IGNORE"), 1).runAll();

        assertThat(lines()).isEmpty();
        assertThat(one.failure(0)).contains("provoked by this test");
    }

    @Test
    void throwGivesTheFailureToTheThreadsUncaughtHandlerAndTheThreadGoesOn() {
        List<Throwable> uncaught = new ArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        try {
            one.claim(named("THROW"), 2).runAll();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }

        assertThat(uncaught).containsExactly(FAILURE, FAILURE);
        assertThat(one.state(1)).isEqualTo(ItemState.FAILED);
    }

    @Test
    void aNameThatIsTakenIsRefused() {
        JobErrorHandler another = (job, cause) -> {};

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobErrors.builtIn().with(Map.of("THROW", another)))
                .withMessage(
                        "For \"jobExceptionHandler\", the name \"THROW\" is not allowed: it must not be blank, nor one of"
                                + " [LOG, IGNORE, THROW]. Choose another name");
    }

    private List<String> lines() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static Logger log() {
        return (Logger) LoggerFactory.getLogger("dev.elasticjob.execution");
    }

    private static JobDefinition.Builder named(String handler) {
        return OneRunner.job().jobExceptionHandler(handler);
    }
}
