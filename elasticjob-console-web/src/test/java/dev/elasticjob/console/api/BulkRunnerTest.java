package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.api.Bodies.BulkOutcome;
import dev.elasticjob.console.api.Bodies.BulkResult;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commands for several jobs, in virtual time. */
class BulkRunnerTest {
    private static final Duration LONGEST = Duration.ofSeconds(25);
    private static final List<String> JOBS =
            IntStream.range(0, 25).mapToObj("job-%02d"::formatted).toList();

    private final ManualTime time = new ManualTime(Instant.EPOCH);
    private final List<CompletableFuture<String>> begun = new ArrayList<>();
    private final BulkRunner each =
            new BulkRunner(new Queries(time, Runnable::run, Duration.ofSeconds(20), Queries.REGISTRY), job -> begin());

    private CompletableFuture<String> begin() {
        begun.add(new CompletableFuture<>());
        return begun.get(begun.size() - 1);
    }

    @Test
    void noMoreThanTenAreUnderWayAtTheSameTime() {
        var results = each.run(JOBS, LONGEST).toCompletableFuture();

        assertThat(begun).hasSize(10);
        begun.get(3).complete("done");
        assertThat(begun).hasSize(11);
        for (int one = 0; one < JOBS.size(); one++) {
            begun.get(one).complete("done");
        }

        assertThat(results.join()).extracting(BulkResult::job).containsExactlyElementsOf(JOBS);
        assertThat(results.join()).extracting(BulkResult::outcome).containsOnly(BulkOutcome.DONE);
    }

    @Test
    void whatCannotBeginInTimeIsLeftAsItIs() {
        var results = each.run(JOBS, LONGEST).toCompletableFuture();

        time.advance(Duration.ofSeconds(20));
        assertThat(begun).hasSize(20);
        time.advance(Duration.ofSeconds(20));

        assertThat(begun).hasSize(20);
        assertThat(results.join().subList(0, 20))
                .extracting(BulkResult::outcome)
                .containsOnly(BulkOutcome.FAILED);
        assertThat(results.join().subList(20, 25))
                .extracting(BulkResult::outcome)
                .containsOnly(BulkOutcome.NOT_BEGUN);
    }

    @Test
    void aRefusalDoesNotHinderTheOthers() {
        var results = each.run(JOBS.subList(0, 2), LONGEST).toCompletableFuture();

        begun.get(0).completeExceptionally(new IllegalStateException("It is paused"));
        begun.get(1).complete("done");

        assertThat(results.join())
                .extracting(BulkResult::outcome)
                .containsExactly(BulkOutcome.REFUSED, BulkOutcome.DONE);
    }
}
