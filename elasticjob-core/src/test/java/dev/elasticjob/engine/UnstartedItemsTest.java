package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.Attention;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Walks the table of {@code docs/guarantees.md} of the ways in which an item ends without having been started. What history
 * and meters make of the events is tested where they are.
 */
class UnstartedItemsTest {
    private static final Path PAGE = Path.of("..", "docs", "guarantees.md");
    private static final JobTree TREE = new JobTree("orders");
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final String RUN = "orders@2026-03-01T03:00:00Z";
    private static final int ANY = RegistryCommit.ANY_VERSION;
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(3);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());
    private final List<String> runs = new ArrayList<>();
    private boolean listenerFails = true;

    /** @param runId what ended without a start */
    private record Way(Scene scene, String runId) {}

    private interface Scene {
        void play(UnstartedItemsTest test);
    }

    private static final Map<String, Way> WAYS = Map.of(
            "refused", new Way(UnstartedItemsTest::refused, RUN),
            "abandoned", new Way(UnstartedItemsTest::abandoned, "orders@2026-02-28T03:00:00Z"),
            "lost", new Way(UnstartedItemsTest::lost, RUN),
            "folded", new Way(UnstartedItemsTest::folded, RUN),
            "overlapped", new Way(UnstartedItemsTest::overlapped, RUN),
            "dropped", new Way(UnstartedItemsTest::dropped, "stocktaking"),
            "skipped", new Way(UnstartedItemsTest::skipped, RUN));

    @TestFactory
    Stream<DynamicTest> eachCellIsSo() {
        return rows().entrySet().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.getKey(), () -> new UnstartedItemsTest().isSo(WAYS.get(row.getKey()), row.getValue())));
    }

    @Test
    void eachWayHasARow() {
        assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(WAYS.keySet());
    }

    private void isSo(Way way, List<String> row) {
        way.scene().play(this);

        JobReport.Execution last = job().items().get(0).itemRecord();
        assertThat(record(last)).as("record").isEqualTo(row.get(1));
        assertThat(events()).as("event").isEqualTo(row.get(2));
        assertThat(findings()).as("attention").isEqualTo(row.get(5));
        assertThat(runs).as("starts for it").doesNotContain(way.runId());
        runsAgain(way, row.get(6).equals("yes"));
    }

    private String record(JobReport.Execution last) {
        boolean later = last.scheduledAt().filter(FIRING::isBefore).isPresent();
        if (later) {
            return "a later firing";
        }
        return last.state() == ItemState.COMPLETED
                ? "as before" + (last.attempt() == 0 ? ", attempt 0" : "")
                : "`%s`, attempt %d".formatted(last.state(), last.attempt());
    }

    private String events() {
        List<String> names = cluster.events().stream()
                .filter(event -> event instanceof JobEvent.ItemRefused
                        || event instanceof JobEvent.FiringsLost
                        || event instanceof JobEvent.FiringsFolded
                        || event instanceof JobEvent.FiringsSkipped
                        || event instanceof JobEvent.ManualRunDropped)
                .map(event -> "`" + event.getClass().getSimpleName() + "`")
                .toList();
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private String findings() {
        List<String> kinds = Attention.of(job()).stream()
                .map(Finding::kind)
                .map(kind -> "`" + kind + "`")
                .toList();
        return kinds.isEmpty() ? "none" : String.join(", ", kinds);
    }

    private JobReport job() {
        return cluster.get(cluster.inspector().job("orders")).orElseThrow();
    }

    private void runsAgain(Way way, boolean possible) {
        listenerFails = false;
        var asked = admin.triggerAgain("orders", way.runId(), "again");
        if (!possible) {
            assertThatThrownBy(() -> cluster.get(asked))
                    .as("run again")
                    .hasMessageContaining("is known to have failed");
            return;
        }
        cluster.get(asked);
        cluster.pass(Duration.ofSeconds(10));
        assertThat(runs).as("run again").contains(way.runId() + " attempt 2");
    }

    // ------------------------------------------------------------------ the ways

    private void refused() {
        start(ORDERS, List.of(new Failing(this)));
        pass(FIRING.plusSeconds(10));
    }

    private record Failing(UnstartedItemsTest test) implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            if (test.listenerFails) {
                throw new IllegalStateException("no stock");
            }
        }
    }

    private void abandoned() {
        start(ORDERS.toBuilder().failover(true).build(), List.of());
        cluster.commit(RegistryCommit.builder()
                .set(
                        TREE.item(0),
                        "{\"scheduledAt\":\"2026-02-28T03:00:00Z\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":3}",
                        ANY));
        cluster.get(admin.reshard("orders"));
        cluster.pass(Duration.ofMinutes(11));
    }

    private void lost() {
        missed(ORDERS.toBuilder().misfire(false).build());
    }

    private void folded() {
        missed(ORDERS);
    }

    private void missed(JobDefinition definition) {
        start(definition, List.of());
        cluster.stop("a@-@1");
        pass(FIRING.plus(Duration.ofHours(30)));
        start(definition, List.of());
        pass(FIRING.plus(Duration.ofDays(2)).plusSeconds(10));
    }

    private void overlapped() {
        start(ORDERS.toBuilder().overlap(Overlap.SKIP).build(), List.of());
        pass(FIRING.minusSeconds(10));
        cluster.holdItems();
        cluster.get(admin.trigger("orders", new RunRequest("stocktaking", "")));
        pass(FIRING.plusSeconds(10));
        cluster.letItemsBegin();
        pass(FIRING.plus(Duration.ofDays(1)).plusSeconds(10));
    }

    private void dropped() {
        completed();
        cluster.holdItems();
        cluster.get(admin.trigger("orders", new RunRequest("first", "")));
        cluster.pass(Duration.ofSeconds(3));
        cluster.get(admin.trigger("orders", new RunRequest("stocktaking", "")));
        cluster.get(admin.cancel("orders", CancelRequest.run("stocktaking")));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(10));
    }

    private void skipped() {
        completed();
        cluster.get(admin.disableItem("orders", 0));
        pass(FIRING.plusSeconds(10));
    }

    /** The item has completed a manual run before. */
    private void completed() {
        start(ORDERS, List.of());
        cluster.commit(RegistryCommit.builder()
                .set(
                        TREE.item(0),
                        ItemRecordCodec.write(ItemRecord.NEW
                                .claimed(FIRING.minus(Duration.ofDays(1)), "a@-@1", cluster.now())
                                .ended(ItemState.COMPLETED, cluster.now(), cluster.now(), null)),
                        ANY));
    }

    private void start(JobDefinition definition, List<ClusterJobListener> listeners) {
        cluster.start(
                "a@-@1",
                definition,
                context -> {
                    String again = context.getAttempt() > 1 ? " attempt " + context.getAttempt() : "";
                    runs.add(context.getRunId() + again);
                },
                engine -> engine.clusterListeners(listeners));
        cluster.pass(Duration.ofSeconds(5));
    }

    private void pass(Instant until) {
        cluster.pass(Duration.between(cluster.now(), until));
    }

    // ------------------------------------------------------------------ the page

    private static Map<String, List<String>> rows() {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.dropWhile(line -> !line.equals("## Items that were not started"))
                    .dropWhile(line -> !line.startsWith("|---"))
                    .skip(1)
                    .takeWhile(line -> line.startsWith("|"))
                    .map(line -> Stream.of(line.substring(1).split("\\|"))
                            .map(String::strip)
                            .toList())
                    .collect(Collectors.toMap(
                            row -> row.get(0).substring(0, row.get(0).indexOf(':')), row -> row));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
