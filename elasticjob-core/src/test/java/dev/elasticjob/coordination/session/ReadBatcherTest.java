package dev.elasticjob.coordination.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ReadBatcherTest {
    private static final int SMALL = 500;
    private static final int LARGE = 200 * 1024;

    private final Turns turns = new Turns();
    private final List<Sent> sent = new ArrayList<>();
    private final RequestBatcher<List<RegistryRead>, RegistryAnswer> reads = RequestBatcher.ofReads(this::send, turns);

    private record Sent(List<RegistryRead> reads, CompletableFuture<RegistryAnswer> answer) {
        void absent() {
            Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
            reads.forEach(read -> nodes.put(read.path(), Optional.empty()));
            answer.complete(new RegistryAnswer(nodes, Map.of()));
        }
    }

    private CompletionStage<RegistryAnswer> send(List<RegistryRead> asked) {
        Sent next = new Sent(asked, new CompletableFuture<>());
        sent.add(next);
        return next.answer();
    }

    @Test
    void whatIsAskedInOneTurnSharesARequestAndEachIsAnswered() {
        var orders = reads.send(data("/orders"), SMALL).toCompletableFuture();
        var billing = reads.send(data("/billing"), SMALL).toCompletableFuture();
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders", "/billing"));
        sent.get(0).absent();
        turns.run();
        assertThat(orders).isCompletedWithValueMatching(answer -> answer.covers("/orders"));
        assertThat(billing).isCompletedWithValueMatching(answer -> answer.covers("/billing"));
    }

    @Test
    void whatFailsTogetherIsReadAlone() {
        var orders = reads.send(data("/orders"), SMALL).toCompletableFuture();
        var billing = reads.send(data("/billing"), SMALL).toCompletableFuture();
        turns.run();

        sent.get(0).answer().completeExceptionally(denied());
        turns.run();
        sent.get(1).absent();
        sent.get(2).answer().completeExceptionally(denied());
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders", "/billing"), List.of("/orders"), List.of("/billing"));
        assertThat(orders).isCompletedWithValueMatching(answer -> answer.covers("/orders"));
        assertThat(billing)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(RegistryAccessDeniedException.class);
    }

    @Test
    void anAnswerStaysWellBelowWhatAClientTakes() {
        reads.send(data("/orders"), LARGE);
        reads.send(data("/billing"), LARGE);
        turns.run();
        sent.get(0).absent();
        turns.run();

        assertThat(paths()).containsExactly(List.of("/orders"), List.of("/billing"));
    }

    private List<List<String>> paths() {
        return sent.stream()
                .map(request -> request.reads().stream().map(RegistryRead::path).toList())
                .toList();
    }

    private static List<RegistryRead> data(String path) {
        return List.of(RegistryRead.data(path));
    }

    private static RegistryAccessDeniedException denied() {
        return new RegistryAccessDeniedException("/billing", "provoked by this test", new IllegalStateException());
    }
}
