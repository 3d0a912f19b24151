package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is in the registry already: a tree that Elastic-Job 2.1.5 has left behind, or settings of an earlier start. */
class AdoptionTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobDefinition WEEKDAYS = JobDefinition.builder("orders")
            .cron("0 0 12 ? * 2-6")
            .timeZone(ZoneOffset.UTC)
            .build();

    @Test
    void whatItWarnsOfIsSaidOnceThoughItIsReadTwiceToBeReplaced() {
        JobDefinition replacing =
                WEEKDAYS.toBuilder().cron("0 0 12 ? * MON-FRI").overwrite(true).build();
        OneEngine one = new OneEngine(NOON, replacing, context -> {});
        store(one, WEEKDAYS);

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains("\"0 0 12 ? * 2-6\" now means"))
                    .hasSize(1);
        }
        assertThat(one.read(TREE.config()).orElseThrow().text()).contains("MON-FRI");
    }

    @Test
    void ignoredSettingsAreAWarningThatNamesThem() {
        OneEngine one = withStored(WEEKDAYS.toBuilder().shardingTotalCount(5).build());

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .filteredOn(line ->
                            line.startsWith("WARN Job \"orders\": these settings of this application are ignored"))
                    .singleElement()
                    .asString()
                    .contains(
                            "shardingTotalCount: \"5\" in the registry, \"1\" here",
                            "replaces what operators have changed");
        }
    }

    @Test
    void replacedSettingsAreNoWarning() {
        JobDefinition stored = WEEKDAYS.toBuilder()
                .cron("0 0 12 ? * MON-FRI")
                .shardingTotalCount(5)
                .build();
        OneEngine one = new OneEngine(
                NOON, stored.toBuilder().shardingTotalCount(1).overwrite(true).build(), context -> {});
        store(one, stored);

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .noneMatch(line -> line.startsWith("WARN"))
                    .anyMatch(line -> line.contains("replace those in the registry")
                            && line.contains("shardingTotalCount: \"5\" in the registry, \"1\" here"));
        }
    }

    /** "overwrite" concerns the start that has it, and is stored with the rest. */
    @Test
    void thatAnEarlierStartReplacedTheSettingsIsNoWarning() {
        JobDefinition same = WEEKDAYS.toBuilder().cron("0 0 12 ? * MON-FRI").build();
        OneEngine one = new OneEngine(NOON, same, context -> {});
        store(one, same.toBuilder().overwrite(true).build());

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all()).noneMatch(line -> line.startsWith("WARN"));
        }
    }

    private static OneEngine withStored(JobDefinition stored) {
        OneEngine one = new OneEngine(NOON, WEEKDAYS, context -> {});
        store(one, stored);
        return one;
    }

    private static void store(OneEngine one, JobDefinition stored) {
        one.operate(RegistryCommit.builder()
                .create(TREE.root())
                .create(TREE.config(), new JobDefinitionCodec().config(stored, Optional.empty())));
    }
}
