package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class CommitBatcherTest {
    private static final RegistrySession NEXT = new RegistrySession(8, Duration.ofSeconds(20));
    private static final int HALF = 70 * 1024;

    private final Turns turns = new Turns();
    private final ScriptedRegistry registry = new ScriptedRegistry(SESSION);
    private final RequestBatcher<RequestBatcher.Commit, CommitOutcome> commits =
            RequestBatcher.ofCommits(registry::commit, turns);

    private CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return commits.send(new RequestBatcher.Commit(session, commit), commit.bytes());
    }

    @Test
    void whatComesInOneTurnSharesATransactionInItsOrder() {
        var orders = commit(SESSION, check("/orders"));
        var billing = commit(SESSION, check("/billing"));
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders", "/billing"));
        registry.last().carriedOut(NOON);
        assertThat(List.of(orders, billing))
                .allSatisfy(one -> assertThat(one.toCompletableFuture())
                        .isCompletedWithValueMatching(Committed.class::isInstance));
    }

    @Test
    void whatComesWhileOneIsUnderWayGathersForTheNext() {
        commit(SESSION, check("/orders"));
        turns.run();
        commit(SESSION, check("/billing"));
        turns.run();
        commit(SESSION, check("/invoices"));
        turns.run();
        assertThat(paths()).containsExactly(List.of("/orders"));

        registry.last().carriedOut(NOON);
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders"), List.of("/billing", "/invoices"));
    }

    @Test
    void whereOneIsRefusedEachIsSentAloneAndGetsItsOwnAnswer() {
        var orders = commit(SESSION, check("/orders"));
        var billing = commit(SESSION, check("/billing"));
        turns.run();

        registry.last().refused();
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders", "/billing"), List.of("/orders"), List.of("/billing"));
        registry.sent.get(1).carriedOut(NOON);
        registry.sent.get(2).refused();
        assertThat(orders.toCompletableFuture()).isCompletedWithValueMatching(Committed.class::isInstance);
        assertThat(billing.toCompletableFuture()).isCompletedWithValueMatching(Refused.class::isInstance);
    }

    @Test
    void whereOneIsDeniedTheOthersAreCarriedOut() {
        var orders = commit(SESSION, check("/orders"));
        var billing = commit(SESSION, check("/billing"));
        turns.run();

        registry.last().answer().completeExceptionally(denied());
        turns.run();
        registry.sent.get(1).carriedOut(NOON);
        registry.sent.get(2).answer().completeExceptionally(denied());

        assertThat(orders.toCompletableFuture()).isCompletedWithValueMatching(Committed.class::isInstance);
        assertThat(billing.toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(RegistryAccessDeniedException.class);
    }

    @Test
    void anAnswerThatIsLostIsLostToAllAndNothingIsRepeatedHere() {
        var orders = commit(SESSION, check("/orders"));
        var billing = commit(SESSION, check("/billing"));
        turns.run();

        registry.last().lost();
        turns.run();

        assertThat(registry.sent).hasSize(1);
        assertThat(List.of(orders, billing))
                .allSatisfy(one -> assertThat(one.toCompletableFuture())
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(RegistryUnavailableException.class));
    }

    @Test
    void afterEveryKindOfAnswerTheNextOneGoesOut() {
        commit(SESSION, check("/orders"));
        turns.run();
        registry.last().lost();
        turns.run();
        commit(SESSION, check("/orders"));
        turns.run();
        registry.last().refused();
        turns.run();

        commit(SESSION, check("/billing"));
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders"), List.of("/orders"), List.of("/billing"));
    }

    @Test
    void sessionsAreNeverMixed() {
        commit(SESSION, check("/orders"));
        commit(NEXT, check("/billing"));
        turns.run();
        registry.last().lost();
        turns.run();

        assertThat(registry.sent).extracting(ScriptedRegistry.Sent::session).containsExactly(SESSION, NEXT);
    }

    @Test
    void aRequestStaysSmallAndWhatIsLargeByItselfGoesAlone() {
        commit(SESSION, large("/orders"));
        commit(SESSION, large("/billing"));
        commit(SESSION, check("/invoices"));
        turns.run();
        registry.last().carriedOut(NOON);
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders"), List.of("/billing", "/invoices"));
    }

    private List<List<String>> paths() {
        return registry.sent.stream()
                .map(sent ->
                        sent.commit().operations().stream().map(Operation::path).toList())
                .toList();
    }

    private static RegistryCommit check(String path) {
        return RegistryCommit.builder().check(path, 3).build();
    }

    private static RegistryCommit large(String path) {
        return RegistryCommit.builder().set(path, new byte[HALF], 3).build();
    }

    private static RegistryAccessDeniedException denied() {
        return new RegistryAccessDeniedException("/billing", "provoked by this test", new IllegalStateException());
    }
}
