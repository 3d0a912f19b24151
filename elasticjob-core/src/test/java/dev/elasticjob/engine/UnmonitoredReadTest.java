package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A firing of a job whose executions are not recorded, when the read that precedes it fails. */
class UnmonitoredReadTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobDefinition UNRECORDED = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .monitorExecution(false)
            .build();

    private final List<Instant> ran = new ArrayList<>();
    private int failing;
    private int failed;
    private final OneEngine one = new OneEngine(
                    NOON.minusSeconds(30),
                    UNRECORDED,
                    context -> ran.add(context.getScheduledTime()),
                    UnaryOperator.identity(),
                    registry -> new ChangedRegistry(registry) {
                        @Override
                        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                            if (failing == 0) {
                                return super.read(reads);
                            }
                            failing--;
                            failed++;
                            return CompletableFuture.failedFuture(new RegistryUnavailableException("no answer"));
                        }
                    })
            .started();

    @Test
    void itBeginsAsSoonAsAReadSucceeds() {
        one.passRunning(Duration.ofSeconds(29));
        failing = 3;

        one.passRunning(Duration.ofSeconds(10));

        assertThat(failed).isEqualTo(3);
        assertThat(ran).containsExactly(NOON);
    }

    @Test
    void aLaterOneTakesItsPlace() {
        one.passRunning(Duration.ofSeconds(29));
        failing = Integer.MAX_VALUE;
        one.passRunning(Duration.ofMinutes(1).plusSeconds(5));
        failing = 0;

        one.passRunning(Duration.ofSeconds(10));

        assertThat(failed).isGreaterThan(3);
        assertThat(ran).containsExactly(NOON.plusSeconds(60));
    }
}
