package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody writes a record that can't be used, for one of four items, and mends it later. The job fires once a minute. */
class UnusableRecordTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int BROKEN = 2;
    private static final String MENDED = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"COMPLETED\"}";

    private final List<Integer> runs = new ArrayList<>();
    private final OneEngine one = new OneEngine(
                    NOON.minus(SECOND),
                    JobDefinition.builder("orders")
                            .cron("0 * * * * ?")
                            .timeZone(ZoneOffset.UTC)
                            .shardingTotalCount(4)
                            .failover(true)
                            .build(),
                    context -> runs.add(context.getShardingItem()))
            .started();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"state\":\"INTERRUPTED\"}",
                "{\"state\":\"RUNNING\"}",
                "{\"state\":\"COMPLETED\"}",
                "{\"state\":\"FAILED\",\"instance\":\"b@-@1\",\"attempt\":1}",
                "{\"scheduledAt\":\"2026-03-01T12:00:00Z\"}",
                "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"SLEEPING\"}",
                "{\"scheduledAt\":\"at noon\",\"state\":\"COMPLETED\"}",
                "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"INTERRUPTED\",\"attempt\":-1}",
                "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"INTERRUPTED\",\"crashes\":99999999999}",
                "[]",
                "mend me"
            })
    void theOthersGoOnAndItGoesOnOnceItIsMended(String record) {
        firing();
        write(record);
        firing();
        assertThat(runs).as("with the record in the way").containsExactlyInAnyOrder(0, 1, 3);

        write(MENDED);
        runs.clear();
        one.settle();
        one.runItems();

        assertThat(runs).as("mended, it is due").containsExactly(BROKEN);
    }

    @Test
    void itIsToldOnceWithTheNodeAndWhatIsMissing() {
        try (LoggedLines lines = new LoggedLines()) {
            write("{\"state\":\"INTERRUPTED\"}");
            firing();
            firing();

            assertThat(lines.all().stream().filter(line -> line.startsWith("ERROR")))
                    .singleElement()
                    .asString()
                    .contains("item 2", "\"/orders/sharding/2\"", "\"scheduledAt\"");
        }
    }

    @Test
    void whoAsksForTheJobSeesIt() {
        write("{\"state\":\"INTERRUPTED\"}");

        CompletableFuture<Optional<JobReport>> asked =
                one.engine.inspector().job("orders").toCompletableFuture();
        one.settle();

        assertThat(asked.join().orElseThrow().items())
                .filteredOn(item -> item.problem().isPresent())
                .singleElement()
                .extracting(ItemReport::item)
                .isEqualTo(BROKEN);
    }

    @Test
    void nobodyAsksForItUntilItIsMended() {
        firing();
        write("{\"state\":\"INTERRUPTED\"}");
        one.pass(SECOND.multipliedBy(5));
        one.runItems();
        long before = one.requests();

        one.pass(SECOND.multipliedBy(50));

        assertThat(one.requests()).isEqualTo(before);
    }

    @Test
    void oneThatIsMendedAsInterruptedIsTakenOver() {
        firing();
        write("{\"state\":\"INTERRUPTED\"}");
        firing();
        runs.clear();

        write(
                "{\"scheduledAt\":\"2026-03-01T12:01:00Z\",\"state\":\"INTERRUPTED\",\"instance\":\"b@-@1\",\"attempt\":1}");
        one.settle();
        one.runItems();

        assertThat(runs).containsExactly(BROKEN);
        assertThat(one.read(TREE.item(BROKEN)).map(RegistryNode::text).orElseThrow())
                .contains("\"state\":\"COMPLETED\"", "\"attempt\":2");
    }

    @Test
    void brokenAgainItIsToldAgain() {
        try (LoggedLines lines = new LoggedLines()) {
            for (int time = 0; time < 2; time++) {
                write("mend me");
                firing();
                write(MENDED);
                firing();
            }

            assertThat(lines.all().stream().filter(line -> line.startsWith("ERROR")))
                    .hasSize(2);
        }
    }

    private void write(String record) {
        one.operate(RegistryCommit.builder().set(TREE.item(BROKEN), record, RegistryCommit.ANY_VERSION));
    }

    private void firing() {
        runs.clear();
        one.pass(MINUTE);
        one.runItems();
    }
}
