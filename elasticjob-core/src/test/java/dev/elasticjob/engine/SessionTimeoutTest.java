package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.SessionTooShortException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A session timeout of 20 s, and servers that are more or less exact about it. */
class SessionTimeoutTest {
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .build();

    @Test
    void oneThatIsTooShortForTheServersTickEndsTheStart() {
        OneEngine one = engine(Duration.ofSeconds(7));

        CompletableFuture<Void> started = one.engine.start().toCompletableFuture();
        one.settle();

        assertThat(started)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(SessionTooShortException.class)
                .withMessageContaining("at least 21 s was expected")
                .withMessageContaining("granted 20 s");
        assertThat(one.read(TREE.root())).isEmpty();
    }

    @Test
    void anEngineThatWasRefusedCanBeStopped() {
        OneEngine one = engine(Duration.ofSeconds(7)).started();

        CompletableFuture<Void> stopped = one.engine.stop().toCompletableFuture();
        one.pass(Duration.ofSeconds(60));

        assertThat(stopped).isCompleted();
        assertThat(one.time.nextTask()).isEmpty();
    }

    @Test
    void oneThatIsLongEnoughStarts() {
        OneEngine one = engine(Duration.ofMillis(6_666)).started();

        assertThat(one.read(TREE.instance("a@-@1"))).isPresent();
    }

    @Test
    void aTickOfNothingIsRefused() {
        assertThatThrownBy(() -> engine(Duration.ofNanos(999_999)))
                .hasMessage("\"elasticjob.registry.server-tick\" must be at least 1 ms, but is 0 ms: set it to"
                        + " the servers' tickTime");
    }

    private static OneEngine engine(Duration serverTick) {
        return new OneEngine(
                Instant.parse("2026-03-01T11:00:00Z"), DAILY, context -> {}, builder -> builder.serverTick(serverTick));
    }
}
