package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** An interrupted item that an operator has disabled, with failover off and then on. */
class DisabledInterruptionTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:30Z");
    private static final Instant YESTERDAY = Instant.parse("2026-02-28T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ANY = RegistryCommit.ANY_VERSION;

    @Test
    void itsInterruptionIsTheLossOfItsOwnFiringAndNoLaterOneIsTakenOver() {
        OneEngine one = new OneEngine(BEFORE, daily(false), context -> {}).started();
        one.operate(RegistryCommit.builder()
                .set(
                        TREE.item(0),
                        "{\"scheduledAt\":\"%s\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":1}"
                                .formatted(YESTERDAY),
                        ANY)
                .create(TREE.disabled(0)));
        one.passRunning(MINUTE);

        one.operate(RegistryCommit.builder().delete(TREE.disabled(0), ANY));
        one.configure(daily(true));
        one.passRunning(MINUTE);

        assertThat(one.events)
                .filteredOn(FiringsLost.class::isInstance)
                .containsExactly(new FiringsLost("orders", 0, YESTERDAY, YESTERDAY, 1));
        assertThat(one.events).noneMatch(ItemStarted.class::isInstance);
        assertThat(one.read(TREE.item(0)).orElseThrow().text())
                .contains("\"scheduledAt\":\"2026-03-01T12:00:00Z\"", "\"state\":\"FAILED\"");
    }

    private static JobDefinition daily(boolean failover) {
        return JobDefinition.builder("orders")
                .cron("0 0 12 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .failover(failover)
                .build();
    }
}
