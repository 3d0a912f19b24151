package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine that is stopped at any moment, in whatever its jobs are doing, with a registry that fails at any moment. */
class StopTest {
    private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);
    /** Of the engine's tasks: by then everything that a job does here is done. */
    private static final int LAST_MOMENT = 70;

    /** So many tasks after the stop has been asked for, or before. */
    private static final int[] MOMENTS_OF_TROUBLE = {-3, 0, 4};

    private static final JobTree LATE_TREE = new JobTree("late");
    private static final JobDefinition DAILY = daily("orders", true);
    private static final JobDefinition LATE = daily("late", true);
    private static final int ANY = RegistryCommit.ANY_VERSION;

    /** What a job is doing when the engine is stopped. */
    private enum Doing {
        JOINS {
            @Override
            void begin(OneEngine one) {
                one.engine.register(LATE, context -> {});
            }
        },
        CLAIMS {
            @Override
            void begin(OneEngine one) {
                one.time.advance(Duration.ofSeconds(1));
            }
        },
        RUNS_WHAT_IS_NOT_MONITORED {
            @Override
            void begin(OneEngine one) {
                one.engine.register(daily("late", false), context -> {});
                one.settle();
                one.time.advance(Duration.ofSeconds(1));
            }
        },
        IS_UNREGISTERED {
            @Override
            void begin(OneEngine one) {
                one.engine.unregister("orders");
            }
        },
        IS_UNREGISTERED_WHILE_IT_CLAIMS {
            @Override
            void begin(OneEngine one) {
                one.time.advance(Duration.ofSeconds(1));
                for (int task = 0; task < 6; task++) {
                    one.runOne();
                }
                one.engine.unregister("orders");
            }
        },
        IS_REGISTERED_AGAIN {
            @Override
            void begin(OneEngine one) {
                one.engine.unregister("orders");
                one.engine.register(DAILY, context -> {});
            }
        },
        IS_REFUSED {
            @Override
            void begin(OneEngine one) {
                one.operate(RegistryCommit.builder()
                        .create(LATE_TREE.root())
                        .create(LATE_TREE.config(), "{")
                        .create(LATE_TREE.extension(), "{"));
                one.engine.register(LATE, context -> {});
            }
        },
        IS_REMOVED {
            @Override
            void begin(OneEngine one) {
                one.operate(RegistryCommit.builder().delete(TREE.config(), ANY).delete(TREE.extension(), ANY));
            }
        },
        IS_UNREADABLE {
            @Override
            void begin(OneEngine one) {
                one.operate(RegistryCommit.builder().set(TREE.config(), "{", ANY));
            }
        },
        IS_STOPPED_BY_AN_OPERATOR {
            @Override
            void begin(OneEngine one) {
                one.operate(RegistryCommit.builder().delete(TREE.instance("a@-@1"), ANY));
            }
        };

        abstract void begin(OneEngine one);
    }

    /** What becomes of the registry meanwhile. */
    private enum Trouble {
        NONE {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {}
        },
        AWAY {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {
                one.registry.disconnect();
            }
        },
        AWAY_FOR_A_WHILE {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {
                one.registry.disconnect();
                one.time.after(Duration.ofSeconds(1), one.registry::reconnect);
            }
        },
        SESSION_OVER {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {
                one.expireSession();
            }
        },
        SESSION_OVER_WHILE_AWAY {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {
                one.registry.disconnect();
                one.expireSession();
                one.time.after(Duration.ofSeconds(1), one.registry::reconnect);
            }
        },
        NO_ANSWER_ANY_MORE {
            @Override
            void begin(OneEngine one, AtomicBoolean silent) {
                silent.set(true);
            }
        };

        abstract void begin(OneEngine one, AtomicBoolean silent);
    }

    /** Gives no answer any more from some moment on, with a connection that stands. */
    private static final class Silent extends ChangedRegistry {
        private final AtomicBoolean silent;

        Silent(Registry registry, AtomicBoolean silent) {
            super(registry);
            this.silent = silent;
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return silent.get() ? new CompletableFuture<>() : super.read(reads);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return silent.get() ? new CompletableFuture<>() : super.commit(session, commit);
        }
    }

    static Stream<Arguments> all() {
        return Arrays.stream(Doing.values())
                .flatMap(doing -> Arrays.stream(Trouble.values()).map(trouble -> Arguments.of(doing, trouble)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("all")
    void whereNothingRunsAStopWaitsForTheRegistryAloneAndNoLongerThanFiveSeconds(Doing doing, Trouble trouble) {
        try (LoggedLines log = new LoggedLines()) {
            for (int moment = 0; moment <= LAST_MOMENT; moment += 4) {
                for (int ofTrouble : MOMENTS_OF_TROUBLE) {
                    Duration waited = stop(doing, moment, trouble, ofTrouble);

                    assertThat(waited)
                            .as("stopped after %d tasks, in trouble %d tasks later", moment, ofTrouble)
                            .isLessThanOrEqualTo(PATIENCE);
                }
            }
        }
    }

    /** How long a stop takes. */
    private static Duration stop(Doing doing, int moment, Trouble trouble, int ofTrouble) {
        AtomicBoolean silent = new AtomicBoolean();
        OneEngine one = new OneEngine(
                        BEFORE, DAILY, context -> {}, settings -> settings, registry -> new Silent(registry, silent))
                .started();
        doing.begin(one);
        run(one, moment);
        if (ofTrouble < 0) {
            trouble.begin(one, silent);
            run(one, -ofTrouble);
        }
        Instant begun = one.time.instant();
        List<Instant> ended = new ArrayList<>();
        one.engine.stop().whenComplete((done, error) -> ended.add(one.time.instant()));
        if (ofTrouble >= 0) {
            run(one, ofTrouble);
            trouble.begin(one, silent);
        }
        one.passRunning(LONG_ENOUGH);
        assertThat(ended).as("stopped after %d tasks", moment).hasSize(1);
        return Duration.between(begun, ended.get(0));
    }

    private static void run(OneEngine one, int tasks) {
        for (int task = 0; task < tasks; task++) {
            one.runOne();
        }
    }

    private static JobDefinition daily(String name, boolean monitored) {
        return JobDefinition.builder(name)
                .cron("0 0 12 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .monitorExecution(monitored)
                .failover(monitored)
                .build();
    }
}
