package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.execution.OneRunner;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.ShardingContexts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What the MDC says while foreign code runs, on whatever thread. */
class LogInterceptorTest {
    private static final String RUN = "orders@2026-03-01T12:00:00Z";

    private final List<Map<String, String>> seen = new ArrayList<>();
    private final JobInvoker looking = context -> look();

    @BeforeEach
    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void anItemsThreadSaysJobItemRunAndAttempt() {
        new OneRunner(looking).claim(OneRunner.job(), 2).runAll();

        assertThat(seen).containsExactly(item(0), item(1));
    }

    @Test
    void theThreadIsAsItWasBefore() {
        MDC.put("elasticjob.job", "somebody's");
        MDC.put("requestId", "17");

        new OneRunner(looking).claim(OneRunner.job(), 1).runAll();

        assertThat(seen)
                .singleElement()
                .satisfies(during ->
                        assertThat(during).containsAllEntriesOf(item(0)).containsEntry("requestId", "17"));
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("elasticjob.job", "somebody's", "requestId", "17"));
    }

    @Test
    void theErrorHandlerAndTheNextAttemptAreToldToo() {
        OneRunner one = new OneRunner(context -> {
            look();
            throw new IllegalStateException("provoked by this test");
        });
        one.onFailure = this::look;

        one.claim(OneRunner.job().retry(RetrySettings.of(2, Duration.ofSeconds(1))), 1)
                .runAll()
                .pass(Duration.ofSeconds(1));

        assertThat(one.failures).hasSize(1);
        assertThat(seen).containsExactly(item(0), item(0), item(0));
        assertThat(MDC.get("elasticjob.run")).isNull();
    }

    @Test
    void anExecutorOfTheUsersIsToldToo() {
        Deque<Runnable> own = new ArrayDeque<>();
        OneRunner one = new OneRunner(looking, Map.<String, Executor>of("own", own::add));

        one.claim(OneRunner.job().executorServiceHandler("own"), 1).runAll();
        own.remove().run();

        assertThat(seen).containsExactly(item(0));
    }

    @Test
    void listenersSeeJobAndRunAroundTheirFiring() {
        ElasticJobListener listener = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                look();
            }

            @Override
            public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
                look();
            }
        };

        new OneRunner(context -> {}, listener).claim(OneRunner.job(), 2).runAll();

        Map<String, String> firing = Map.of("elasticjob.job", "orders", "elasticjob.run", RUN);
        assertThat(seen).containsExactly(firing, firing);
        assertThat(MDC.get("elasticjob.job")).isNull();
    }

    private void look() {
        seen.add(new TreeMap<>(MDC.getCopyOfContextMap()));
    }

    private static Map<String, String> item(int number) {
        return Map.of(
                "elasticjob.job",
                "orders",
                "elasticjob.item",
                String.valueOf(number),
                "elasticjob.run",
                RUN,
                "elasticjob.attempt",
                "1");
    }
}
