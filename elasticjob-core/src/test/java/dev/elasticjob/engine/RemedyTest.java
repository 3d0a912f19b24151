package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Certainty;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.Sentence;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code explain} names first is what a person does first. So each condition, alone and with each other one, is brought
 * about in a job of two instances that is due once a year; then whatever remedy is named first is carried out, again and
 * again. Each step has to end what it was named for, and the item has to run.
 */
class RemedyTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 31 12 ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .failover(true)
            .build();
    private static final int MOST_STEPS = 8;

    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());
    private final Map<String, String> spoilt = new LinkedHashMap<>();
    private final List<String> steps = new ArrayList<>();

    /** A condition, and what brings it about. */
    private enum Trouble {
        NOT_DUE(Reason.NOT_DUE) {
            @Override
            void begin(RemedyTest test) {
                // It is so from the start.
            }
        },
        ITEM_DISABLED(Reason.ITEM_DISABLED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.disableItem("orders", 0));
            }
        },
        PAUSED(Reason.PAUSED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.pause("orders"));
            }
        },
        NAMESPACE_PAUSED(Reason.PAUSED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.pauseAll());
            }
        },
        DRAINED(Reason.ALL_INSTANCES_DRAINED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.by(Actor.named("mei")).drain("orders", "a"));
                test.cluster.get(test.admin.by(Actor.named("mei")).drain("orders", "b"));
            }
        },
        SERVERS_DISABLED(Reason.ALL_SERVERS_DISABLED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.disableServer("orders", "10.0.0.1"));
                test.cluster.get(test.admin.disableServer("orders", "10.0.0.2"));
            }
        },
        JOB_DISABLED(Reason.ALL_SERVERS_DISABLED) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.get(test.admin.disable("orders"));
            }
        },
        NO_INSTANCE(Reason.NO_INSTANCE) {
            @Override
            void begin(RemedyTest test) {
                test.cluster.stop("a");
                test.cluster.stop("b");
            }
        },
        DEFINITION_UNREADABLE(Reason.DEFINITION_UNREADABLE) {
            @Override
            void begin(RemedyTest test) {
                test.spoil(TREE.config(), "mend me");
            }
        },
        ASSIGNMENT_UNREADABLE(Reason.ASSIGNMENT_UNREADABLE) {
            @Override
            void begin(RemedyTest test) {
                test.spoil(TREE.sharding(), "mend me");
            }
        },
        RECORD_UNREADABLE(Reason.RECORD_UNREADABLE) {
            @Override
            void begin(RemedyTest test) {
                test.spoil(TREE.item(0), "mend me");
            }
        },
        GIVEN_UP(Reason.GIVEN_UP) {
            @Override
            void begin(RemedyTest test) {
                test.write(
                        TREE.item(0),
                        "{\"scheduledAt\":\"2025-12-31T03:00:00Z\",\"state\":\"INTERRUPTED\",\"attempt\":1,\"crashes\":3}");
            }
        };

        private final Reason reason;

        Trouble(Reason reason) {
            this.reason = reason;
        }

        abstract void begin(RemedyTest test);
    }

    static Stream<Arguments> aloneAndInPairs() {
        return Stream.of(Trouble.values())
                .flatMap(first -> Stream.of(Trouble.values())
                        .filter(second -> first.compareTo(second) <= 0)
                        .map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("aloneAndInPairs")
    void theRemedyThatIsNamedFirstLetsTheItemRun(Trouble first, Trouble second) {
        start("a");
        start("b");
        first.begin(this);
        if (second != first) {
            second.begin(this);
        }
        if (first != Trouble.GIVEN_UP && second != Trouble.GIVEN_UP) {
            cluster.pass(Duration.ofSeconds(20));
        }
        List<Reason> all =
                explain().conditions().stream().map(Condition::reason).toList();

        while (!hasRun() && steps.size() < MOST_STEPS) {
            carryOut(deciding());
        }

        if (first == second) {
            assertThat(all).as("what is explained").contains(first.reason);
        }
        assertThat(hasRun()).as("the item runs after %s, of %s", steps, all).isTrue();
        assertThat(steps).as("each remedy is named once").doesNotHaveDuplicates();
    }

    private boolean hasRun() {
        return cluster.executions().stream().anyMatch(run -> run.item() == 0);
    }

    private Explanation explain() {
        return cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow();
    }

    private Condition deciding() {
        return explain().conditions().stream()
                .filter(condition -> condition.certainty() == Certainty.HOLDS)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing keeps the item from running, but it doesn't: " + steps));
    }

    // ------------------------------------------------------------------ what a person does

    private void carryOut(Condition condition) {
        Sentence remedy = condition.remedy();
        steps.add(condition.reason() + ": " + remedy.code() + remedy.values());
        switch (Remedy.valueOf(remedy.code())) {
            case RESUME -> cluster.get(admin.resume("orders"));
            case RESUME_ALL -> cluster.get(admin.resumeAll());
            case ENABLE_ITEM -> cluster.get(admin.enableItem("orders", 0));
            case ENABLE_JOB -> cluster.get(admin.enable("orders"));
            case ENABLE_SERVER ->
                cluster.get(admin.enableServer("orders", remedy.values().get("server")));
            case END_DRAIN ->
                cluster.get(admin.undrain("orders", remedy.values().get("id")));
            case START_INSTANCE -> start("c");
            case CORRECT_DEFINITION, CORRECT_ASSIGNMENT, CORRECT_RECORD ->
                restore(condition.node().orElseThrow());
            case TRIGGER, TRIGGER_LOST -> trigger();
            case WAIT_FOR_LEADER, WAIT_FOR_PLAN, WAIT_FOR_OWNER, WAIT_FOR_READER, WAIT_FOR_PAUSE ->
                cluster.pass(Duration.ofMinutes(1));
            default -> throw new AssertionError("Nobody can carry this out here: " + steps);
        }
        cluster.pass(Duration.ofSeconds(20));
    }

    /** Refused if nobody could run it. */
    private void trigger() {
        cluster.get(admin.trigger("orders", new RunRequest("r" + steps.size(), ""))
                .handle((done, refused) -> Optional.empty()));
    }

    private void start(String instance) {
        cluster.start(instance, ORDERS);
        cluster.pass(Duration.ofSeconds(10));
    }

    private void spoil(String path, String text) {
        spoilt.put(path, cluster.read(path).orElseThrow().text());
        write(path, text);
    }

    private void restore(String path) {
        write(path, Optional.ofNullable(spoilt.get(path)).orElseThrow());
    }

    private void write(String path, String text) {
        cluster.commit(RegistryCommit.builder().set(path, text, RegistryCommit.ANY_VERSION));
    }
}
