package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringOverdue;
import dev.elasticjob.job.event.JobEvent.ItemStuck;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that execute for too long, and firings that nobody begins, are reported once, whoever does it. */
class WatchdogTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .jobShardingStrategyClass("STICKY")
            .stuckAfter(Duration.ofSeconds(20))
            .expectWithin(Duration.ofSeconds(30))
            .build();

    private SimulatedCluster cluster = new SimulatedCluster(7);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anItemThatExecutesForTooLongIsReportedOnceByItsInstance(long seed) {
        cluster = new SimulatedCluster(seed);
        startThree(ORDERS.toBuilder().shardingTotalCount(3).build(), context -> {
            if (context.getShardingItem() == 1) {
                cluster.pass(Duration.ofMinutes(3));
            }
        });

        cluster.pass(untilThree().plusMinutes(4));

        assertThat(stuck()).singleElement().satisfies(event -> {
            assertThat(event.item()).isEqualTo(1);
            assertThat(event.reportedBy()).isEqualTo(event.instance());
            assertThat(event.scheduledAt()).isEqualTo(FIRING);
            assertThat(event.runId()).isEqualTo("orders@2026-03-01T03:00:00Z");
            assertThat(event.limit()).isEqualTo(Duration.ofSeconds(20));
        });
        assertThat(cluster.events()).noneMatch(FiringOverdue.class::isInstance);
    }

    @Test
    void whatEndsInTimeIsNotReportedAndLeavesNothing() {
        startThree(ORDERS, context -> cluster.pass(Duration.ofSeconds(19)));

        cluster.pass(untilThree().plusMinutes(2));

        assertThat(stuck()).isEmpty();
        assertThat(cluster.read(TREE.watchdog())).isEmpty();
    }

    @Test
    void theLeaderReportsWhatAnInstanceIsSilentAbout() {
        // The instance that executes it keeps the setting of its claim, which was none.
        JobDefinition unwatched = ORDERS.toBuilder().stuckAfter(Duration.ZERO).build();
        startThree(unwatched, context -> {
            cluster.get(new RegistryJobAdmin(cluster.operator())
                    .redefine(
                            "orders",
                            now -> now.toBuilder()
                                    .stuckAfter(Duration.ofSeconds(20))
                                    .build()));
            cluster.pass(Duration.ofMinutes(3));
        });

        cluster.pass(untilThree().plusMinutes(5));

        assertThat(stuck())
                .singleElement()
                .satisfies(event -> assertThat(event.reportedBy()).isEqualTo(leader()));
    }

    @Test
    void requestsForRunsDoNotPutOffTheLeadersLook() {
        JobDefinition unwatched = ORDERS.toBuilder().stuckAfter(Duration.ZERO).build();
        RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());
        startThree(unwatched, context -> {
            if (context.getScheduledTime().equals(FIRING)) {
                cluster.get(admin.redefine(
                        "orders",
                        now -> now.toBuilder()
                                .stuckAfter(Duration.ofSeconds(20))
                                .build()));
                for (int ask = 0; ask < 12; ask++) {
                    cluster.pass(Duration.ofSeconds(5));
                    cluster.get(admin.trigger("orders", "ask-" + ask));
                }
            }
        });

        cluster.pass(untilThree().plusSeconds(50));

        assertThat(stuck()).hasSize(1);
    }

    @Test
    void aNewLeaderDoesNotReportItAgain() {
        startThree(ORDERS.toBuilder().shardingTotalCount(3).build(), context -> {
            if (context.getShardingItem() == 2) {
                cluster.pass(Duration.ofSeconds(40));
                cluster.expire(leaderOtherThan(ownerOf(2)));
                cluster.pass(Duration.ofMinutes(2));
            }
        });

        cluster.pass(untilThree().plusMinutes(4));

        assertThat(stuck()).hasSize(1);
    }

    @Test
    void anItemThatWaitsForAThreadIsNotReported() {
        start("a@-@1", ORDERS, context -> {});
        cluster.holdItems();

        cluster.pass(untilThree().plusMinutes(2));

        assertThat(stuck()).isEmpty();
        assertThat(cluster.read(TREE.watchdog()).orElseThrow().text()).contains("\"waits\":true");

        cluster.letItemsBegin();
        cluster.pass(Duration.ofMinutes(2));

        assertThat(stuck()).isEmpty();
    }

    @Test
    void anExecutionThatIsNotRecordedIsReportedByItsInstance() {
        JobDefinition unmonitored = ORDERS.toBuilder()
                .monitorExecution(false)
                .expectWithin(Duration.ZERO)
                .build();
        startThree(unmonitored, context -> cluster.pass(Duration.ofMinutes(2)));

        cluster.pass(untilThree().plusMinutes(3));

        assertThat(stuck()).hasSize(1);
        assertThat(cluster.read(TREE.watchdog())).isEmpty();
    }

    // ------------------------------------------------------------------ firings

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aGapIsReportedOnceHoweverManyFiringsItHas(long seed) {
        cluster = new SimulatedCluster(seed);
        JobDefinition eachSecond =
                ORDERS.toBuilder().cron("* * 3 * * ?").stuckAfter(Duration.ZERO).build();
        startThree(eachSecond, context -> {
            if (context.getScheduledTime().equals(FIRING)) {
                cluster.pass(Duration.ofMinutes(5));
            }
        });

        cluster.pass(untilThree().plusMinutes(7));

        assertThat(overdue()).singleElement().satisfies(event -> {
            assertThat(event.scheduledAt()).isEqualTo(FIRING.plusSeconds(1));
            assertThat(event.limit()).isEqualTo(Duration.ofSeconds(30));
            assertThat(event.reportedBy()).isEqualTo(leader());
        });
    }

    @Test
    void afterAGapTheNextOneIsReported() {
        startThree(ORDERS.toBuilder().cron("0 * 3 * * ?").build(), context -> {
            int minute = context.getScheduledTime().atZone(ZoneOffset.UTC).getMinute();
            if (minute == 0 || minute == 10) {
                cluster.pass(Duration.ofMinutes(3));
            }
        });

        cluster.pass(untilThree().plusMinutes(16));

        assertThat(overdue())
                .extracting(FiringOverdue::scheduledAt)
                .containsExactly(FIRING.plusSeconds(60), FIRING.plusSeconds(660));
    }

    @Test
    void nothingIsOverdueInAPause() {
        startThree(ORDERS.toBuilder().cron("0 * * * * ?").build(), context -> {});
        cluster.pass(Duration.ofSeconds(5));
        RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());

        cluster.get(admin.pause("orders"));
        cluster.pass(Duration.ofMinutes(10));
        cluster.get(admin.resume("orders"));
        cluster.pass(Duration.ofMinutes(3));

        assertThat(overdue()).isEmpty();
        assertThat(cluster.executions()).isEmpty();
    }

    @Test
    void aDisabledItemIsNotExpected() {
        startThree(ORDERS, context -> {});
        cluster.get(new RegistryJobAdmin(cluster.operator()).disableItem("orders", 0));

        cluster.pass(untilThree().plusMinutes(5));

        assertThat(overdue()).isEmpty();
    }

    // ------------------------------------------------------------------ what is done

    private void startThree(JobDefinition definition, SimpleJob job) {
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            start(instance, definition, job);
        }
    }

    private void start(String instance, JobDefinition definition, SimpleJob job) {
        cluster.start(instance, definition, job, UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(3));
    }

    private Duration untilThree() {
        return Duration.between(cluster.now(), FIRING);
    }

    private String leader() {
        return cluster.read(TREE.leader()).orElseThrow().text();
    }

    private String ownerOf(int item) {
        return cluster.read(TREE.owner(item)).orElseThrow().text();
    }

    /** The leader; if that is this instance, another one. */
    private String leaderOtherThan(String instance) {
        String leader = leader();
        return leader.equals(instance) ? (instance.startsWith("a") ? "b@-@1" : "a@-@1") : leader;
    }

    private List<ItemStuck> stuck() {
        return cluster.events().stream()
                .filter(ItemStuck.class::isInstance)
                .map(ItemStuck.class::cast)
                .toList();
    }

    private List<FiringOverdue> overdue() {
        return cluster.events().stream()
                .filter(FiringOverdue.class::isInstance)
                .map(JobEvent.class::cast)
                .map(FiringOverdue.class::cast)
                .toList();
    }
}
