package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.FiringOverdue;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The leader's look shows a firing that nobody has begun in time, and the leader confirms this before it reports it. Its
 * own item is disabled, and the other instance, which owns the other item, does nothing.
 */
class WatchdogConfirmationTest {
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final String SILENT = "b@-@1";
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .expectWithin(Duration.ofSeconds(30))
            .build();

    private final OneEngine one = new OneEngine(
            FIRING.minusSeconds(60), ORDERS, context -> {}, UnaryOperator.identity(), this::beforeConfirmation);
    private Runnable meanwhile = () -> {};
    private int confirmations;

    /** Something happens after the look, and before the write with which the confirmation begins. */
    private Registry beforeConfirmation(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                boolean confirms = one.time.instant().isAfter(FIRING.plusSeconds(29))
                        && commit.operations().stream()
                                .anyMatch(step -> step.path().equals(TREE.clock()));
                if (confirms) {
                    confirmations++;
                    meanwhile.run();
                    meanwhile = () -> {};
                }
                return super.commit(session, commit);
            }
        };
    }

    @Test
    void whatIsSoWhenItIsConfirmedIsReported() {
        startTwo();

        one.pass(Duration.ofMinutes(3));

        assertThat(confirmations).isPositive();
        assertThat(one.events).hasAtLeastOneElementOfType(FiringOverdue.class);
    }

    @Test
    void whatIsNotSoAnyMoreWhenItIsConfirmedIsNotReported() {
        startTwo();
        meanwhile = () -> one.operate(RegistryCommit.builder()
                .set(
                        TREE.item(itemOf(SILENT)),
                        ItemRecordCodec.write(Samples.completed(FIRING, Duration.ofSeconds(1))),
                        RegistryCommit.ANY_VERSION));

        one.pass(Duration.ofMinutes(3));

        assertThat(confirmations).isPositive();
        assertThat(one.events).noneMatch(FiringOverdue.class::isInstance);
    }

    @Test
    void serversThatAreDisabledWithoutTheLeadersKnowledgeArePlannedFirst() {
        startTwo();
        meanwhile = () -> one.operate(RegistryCommit.builder()
                .set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION)
                .set(TREE.server("b"), "DISABLED", RegistryCommit.ANY_VERSION));

        one.pass(Duration.ofMinutes(3));

        assertThat(confirmations).isPositive();
        assertThat(one.events).noneMatch(FiringOverdue.class::isInstance);
    }

    private void startTwo() {
        one.started();
        one.operate(RegistryCommit.builder().create(TREE.server("b")));
        one.joins(SILENT);
        one.pass(Duration.ofSeconds(5));
        one.admin().disableItem("orders", itemOf("a@-@1"));
        one.settle();
    }

    private int itemOf(String instance) {
        return one.read(TREE.owner(0)).orElseThrow().text().equals(instance) ? 0 : 1;
    }
}
