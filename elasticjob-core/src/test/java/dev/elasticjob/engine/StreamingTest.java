package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a dataflow job goes on. The source has ten batches. */
class StreamingTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final int BATCHES = 10;
    private static final JobDefinition DAILY = JobDefinition.builder("orders")
            .jobType(JobType.DATAFLOW)
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .streamingProcess(true)
            .build();

    private final List<Integer> processed = new ArrayList<>();
    private Consumer<Integer> meanwhile = batch -> {};

    private final DataflowJob<Integer> job = new DataflowJob<>() {
        @Override
        public List<Integer> fetchData(ShardingContext context) {
            return processed.size() < BATCHES ? List.of(processed.size()) : List.of();
        }

        @Override
        public void processData(ShardingContext context, List<Integer> data) {
            processed.addAll(data);
            meanwhile.accept(processed.size());
        }
    };

    @Test
    void aFiringGoesOnUntilNothingIsFetched() {
        OneEngine one = fired(DAILY);

        one.runItems();

        assertThat(processed).hasSize(BATCHES);
        assertThat(record(one)).contains("COMPLETED");
    }

    @Test
    void withoutStreamingAFiringIsOneBatch() {
        OneEngine one = fired(DAILY.toBuilder().streamingProcess(false).build());

        one.runItems();

        assertThat(processed).hasSize(1);
    }

    @Test
    void betweenTwoBatchesNothingIsAskedOfTheRegistry() {
        OneEngine one = fired(DAILY);
        List<Long> requests = new ArrayList<>();
        meanwhile = batch -> {
            one.settle();
            requests.add(one.requests());
        };

        one.runItems();

        assertThat(requests).hasSize(BATCHES);
        assertThat(requests.subList(1, BATCHES)).containsOnly(requests.get(0));
    }

    /** What ends a stream: all of it happens while the third batch is processed. */
    enum End {
        ITEM_DISABLED {
            @Override
            void happen(OneEngine one) {
                one.operate(RegistryCommit.builder().create(TREE.disabled(0)));
            }
        },
        SERVER_DISABLED {
            @Override
            void happen(OneEngine one) {
                one.operate(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", ANY));
            }
        },
        STREAMING_SWITCHED_OFF {
            @Override
            void happen(OneEngine one) {
                one.engine
                        .admin()
                        .redefine(
                                "orders",
                                now -> now.toBuilder().streamingProcess(false).build());
            }
        },
        GIVEN_AWAY {
            @Override
            void happen(OneEngine one) {
                one.operate(RegistryCommit.builder()
                        .create(
                                TREE.drain("a@-@1"),
                                String.valueOf(one.read(TREE.instance("a@-@1"))
                                        .orElseThrow()
                                        .czxid()))
                        .create(TREE.necessary()));
            }
        },
        STOPPED {
            @Override
            void happen(OneEngine one) {
                one.engine.stop();
            }
        },
        LEASE_LOST {
            @Override
            void happen(OneEngine one) {
                one.registry.disconnect();
                one.pass(Duration.ofSeconds(20));
            }
        };

        private static final int ANY = RegistryCommit.ANY_VERSION;

        abstract void happen(OneEngine one);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsAfterTheBatchInWhich(End end) {
        OneEngine one = fired(DAILY);
        meanwhile = batch -> {
            if (batch == 3) {
                end.happen(one);
                one.settle();
            }
        };

        one.runItems();

        assertThat(processed).hasSize(3);
    }

    @Test
    void anItemThatWasDisabledBeforeItsStreamWasWatchedStopsToo() {
        OneEngine one = fired(DAILY);
        one.operate(RegistryCommit.builder().create(TREE.disabled(0)));
        one.settle();

        one.runItems();

        assertThat(processed).hasSize(1);
    }

    @Test
    void anItemThatIsEnabledAgainStreamsAtItsNextFiring() {
        OneEngine one = fired(DAILY);
        one.operate(RegistryCommit.builder().create(TREE.disabled(0)));
        one.settle();
        one.runItems();
        one.operate(RegistryCommit.builder().delete(TREE.disabled(0), RegistryCommit.ANY_VERSION));

        one.pass(Duration.ofDays(1));
        one.runItems();

        assertThat(processed).hasSize(BATCHES);
    }

    private OneEngine fired(JobDefinition definition) {
        OneEngine one = new OneEngine(BEFORE, definition, job).started();
        one.pass(Duration.ofSeconds(1));
        assertThat(one.waitingItems()).isEqualTo(1);
        return one;
    }

    private static String record(OneEngine one) {
        return one.read(TREE.item(0)).orElseThrow().text();
    }
}
