package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What looking costs the registry, counted, with 10,000 jobs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoadTest {
    private static final int JOBS = 10_000;
    private static final Map<String, String> WAITING = Map.of("prefer", "wait=8");

    private final ManyJobs console = ManyJobs.forEveryUser().write(JOBS);

    /** What an earlier test has read is old. */
    @BeforeEach
    void pass() {
        console.time.advance(Duration.ofMinutes(5));
    }

    @Test
    void aPageOfJobsIsTwoReads() {
        long requests = console.requestsOf(() -> assertThat(text(console.ask(ManyJobs.JOBS + "?after=job-04999")))
                .contains("\"names\":10000", "job-05000", "job-05049", "\"next\":\"job-05049\"")
                .doesNotContain("job-05050"));

        assertThat(requests).isEqualTo(2);
    }

    @Test
    void howTheJobsOfAPageEndedLastIsAtMostTwoReadsInTenSecondsForAllViewers() {
        String names = IntStream.range(0, 50).mapToObj("job-%05d"::formatted).collect(Collectors.joining(","));
        String last = "/api/v1/registries/default/last?jobs=" + names;

        long requests = console.requestsOf(() -> {
            for (int viewer = 0; viewer < 100; viewer++) {
                text(console.ask(last));
            }
            console.time.advance(Duration.ofSeconds(9));
            text(console.ask(last));
        });

        assertThat(requests).isBetween(1L, 2L);
    }

    @Test
    void moreJobsThanAPageHasAreRefused() {
        String names = IntStream.range(0, 51).mapToObj("job-%05d"::formatted).collect(Collectors.joining(","));

        assertThat(console.ask("/api/v1/registries/default/last?jobs=" + names)
                        .join()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aHundredViewersAreAsOne() {
        long one = console.requestsOf(() -> minute(1));
        console.time.advance(Duration.ofMinutes(2));

        long hundred = console.requestsOf(() -> minute(100));

        assertThat(hundred).isEqualTo(one);
    }

    /** Viewers who ask for the list every five seconds. */
    private void minute(int viewers) {
        for (int second = 0; second < 60; second += 5) {
            IntStream.range(0, viewers).forEach(viewer -> text(console.ask(ManyJobs.JOBS)));
            console.time.advance(Duration.ofSeconds(5));
        }
    }

    @Test
    void aHundredViewersWhoWaitAreAsOne() {
        String tag = tag(console.ask(ManyJobs.JOBS + "/job-00001").join());

        pass();
        long one = console.requestsOf(() -> hold(tag, 1));
        pass();
        long hundred = console.requestsOf(() -> hold(tag, 100));

        assertThat(one).isPositive();
        assertThat(hundred).isEqualTo(one);
    }

    private void hold(String tag, int viewers) {
        List<CompletableFuture<ConsoleResponse>> held = IntStream.range(0, viewers)
                .mapToObj(viewer -> console.ask(
                        "GET",
                        ManyJobs.JOBS + "/job-00001",
                        Map.of("if-none-match", tag, "prefer", "wait=8"),
                        ManyJobs.VIEWER))
                .toList();
        console.time.advance(Duration.ofSeconds(10));
        assertThat(held).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(304));
    }

    @Test
    void theRequestAfterTheTwoHundredthThatWaitsIsAnsweredAtOnce() {
        String tag = tag(console.ask(ManyJobs.JOBS + "/job-00001").join());
        Map<String, String> waiting = Map.of("if-none-match", tag, "prefer", "wait=8");
        List<CompletableFuture<ConsoleResponse>> held = IntStream.range(0, 200)
                .mapToObj(viewer -> console.ask("GET", ManyJobs.JOBS + "/job-00001", waiting, ManyJobs.VIEWER))
                .toList();

        var next = console.ask("GET", ManyJobs.JOBS + "/job-00001", waiting, ManyJobs.VIEWER);

        assertThat(held).noneMatch(CompletableFuture::isDone);
        assertThat(next).isCompletedWithValueMatching(answer -> answer.status() == 304);
        console.time.advance(Duration.ofSeconds(10));
        assertThat(held).allMatch(CompletableFuture::isDone);
    }

    @Test
    void whenNobodyLooksNothingIsRead() {
        text(console.ask(ManyJobs.JOBS));
        console.ask("GET", ManyJobs.JOBS + "/job-00001", WAITING, ManyJobs.VIEWER);
        console.time.advance(Duration.ofSeconds(20));

        long requests = console.requestsOf(() -> console.time.advance(Duration.ofHours(1)));

        assertThat(requests).isZero();
        assertThat(console.time.nextTask()).isEmpty();
    }

    @Test
    void aSweepReadsAllJobsAtFiveRequestsASecondAndOnlyWhileSomebodyLooks() {
        String search = ManyJobs.JOBS + "?state=NO_INSTANCE";

        long first = console.requestsOf(() -> assertThat(text(console.ask(search)))
                .contains("\"names\":500", "\"swept\":{\"jobs\":500,\"of\":10000,\"complete\":false"));
        assertThat(first).isEqualTo(1 + 500 / 50);
        long some = console.requestsOf(() -> look(search, Duration.ofSeconds(10)));
        assertThat(some).isPositive().isLessThanOrEqualTo(10 * 5 + 10);
        long rest = console.requestsOf(() -> look(search, Duration.ofSeconds(40)));
        // Each answer about attention reads whether the registry has lost its data, and whether there are groups and
        // applications of Kubernetes.
        long answers = (10 + 40) / 2;
        assertThat(first + some + rest).isEqualTo(1 + JOBS / 50 + 3 * answers);
        assertThat(text(console.ask(search))).contains("\"names\":10000", "\"complete\":true");

        console.time.advance(Duration.ofMinutes(1));
        look(search, Duration.ofSeconds(10));
        long alone = console.requestsOf(() -> console.time.advance(Duration.ofHours(1)));
        assertThat(alone).isLessThanOrEqualTo(30 * 5 + 10);
        assertThat(console.requestsOf(() -> console.time.advance(Duration.ofHours(1))))
                .isZero();
    }

    /** Asks every two seconds, as several pages may do. */
    private void look(String address, Duration time) {
        for (long second = 0; second < time.toSeconds(); second += 2) {
            text(console.ask(address));
            text(console.ask("/api/v1/registries/default/attention"));
            console.time.advance(Duration.ofSeconds(2));
        }
    }

    @Test
    void whatNeedsAPersonComesFromTheSweep() {
        String attention = text(console.ask("/api/v1/registries/default/attention"));

        assertThat(attention).contains("\"kind\":\"NO_INSTANCE\"", "\"job\":\"job-00000\"", "\"of\":10000");
    }

    @Test
    void whatElseIsInTheQueryIsNoOtherQuestion() {
        String search = ManyJobs.JOBS + "?search=job-00001";
        text(console.ask(search));

        assertThat(console.requestsOf(() -> text(console.ask(search + "&x=1")))).isZero();
        assertThat(console.requestsOf(() -> text(console.ask(ManyJobs.JOBS + "?search=job-00002"))))
                .isPositive();
    }

    /** Every address there is, an address of nothing, and a list for which the jobs are read in the background. */
    @Test
    void lookingLeavesTheTreeByteForByteAsItWas() {
        var few = ManyJobs.forEveryUser().write(2);
        String before = few.ensemble.render();

        Stream.concat(
                        AccessMatrixTest.ADDRESSES.values().stream(),
                        Stream.of(ManyJobs.JOBS + "?state=NO_INSTANCE", ManyJobs.JOBS + "/unknown"))
                .forEach(address ->
                        assertThat(few.ask(address).join().status()).as(address).isIn(200, 302, 404));

        assertThat(few.ensemble.render()).isEqualTo(before);
    }

    private static String tag(ConsoleResponse response) {
        return response.headers().getOrDefault("ETag", "");
    }

    private static String text(CompletableFuture<ConsoleResponse> answer) {
        ConsoleResponse response = answer.join();
        assertThat(response.status()).isEqualTo(200);
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
