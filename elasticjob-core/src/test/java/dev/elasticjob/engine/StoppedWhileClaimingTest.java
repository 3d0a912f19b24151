package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job is stopped on an instance whose session lives on for others, while the answer to a claim is lost: nobody else
 * would ever unlock what it has claimed.
 */
class StoppedWhileClaimingTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .build();

    private final OneEngine one = new OneEngine(BEFORE, DAILY, context -> {}).started();

    static IntStream steps() {
        return IntStream.range(0, 40);
    }

    @ParameterizedTest(name = "{0} steps after it was there again")
    @MethodSource("steps")
    void whatItHasClaimedIsUnlockedWheneverTheConnectionIsLostOnceMore(int steps) {
        one.time.advance(Duration.ofSeconds(1));
        while (one.read(OneEngine.TREE.running(0)).isEmpty()) {
            assertThat(one.runOne()).as("it claims").isTrue();
        }
        one.registry.disconnect();
        one.operate(RegistryCommit.builder().delete(OneEngine.TREE.instance("a@-@1"), RegistryCommit.ANY_VERSION));
        one.pass(Duration.ofSeconds(1));
        one.registry.reconnect();
        one.time.advance(Duration.ofSeconds(1));
        for (int step = 0; step < steps; step++) {
            one.runOne();
        }

        one.registry.disconnect();
        one.pass(Duration.ofSeconds(1));
        one.registry.reconnect();
        one.pass(Duration.ofSeconds(10));

        assertThat(one.read(OneEngine.TREE.instance("a@-@1")))
                .as("it is stopped")
                .isEmpty();
        assertThat(one.read(OneEngine.TREE.running(0))).isEmpty();
        assertThat(one.read(OneEngine.TREE.item(0)).orElseThrow().text()).doesNotContain("RUNNING");
    }
}
