package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobDefinitionCodec;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A tree that Elastic-Job 2.1.5 has left behind. */
class AdoptionTest {
    private static final JobDefinition WEEKDAYS = JobDefinition.builder("orders")
            .cron("0 0 12 ? * 2-6")
            .timeZone(ZoneOffset.UTC)
            .build();

    @Test
    void whatItWarnsOfIsSaidOnceThoughItIsReadTwiceToBeReplaced() {
        JobDefinition replacing =
                WEEKDAYS.toBuilder().cron("0 0 12 ? * MON-FRI").overwrite(true).build();
        OneEngine one = new OneEngine(Instant.parse("2026-03-01T11:00:00Z"), replacing, context -> {});
        one.operate(RegistryCommit.builder()
                .create(TREE.root())
                .create(TREE.config(), new JobDefinitionCodec().config(WEEKDAYS, Optional.empty())));

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains("\"0 0 12 ? * 2-6\" now means"))
                    .hasSize(1);
        }
        assertThat(one.read(TREE.config()).orElseThrow().text()).contains("MON-FRI");
    }
}
