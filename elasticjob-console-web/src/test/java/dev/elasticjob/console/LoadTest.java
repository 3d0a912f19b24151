package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
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
    void whenNobodyLooksNothingIsRead() {
        text(console.ask(ManyJobs.JOBS));
        console.ask("GET", ManyJobs.JOBS + "/job-00001", WAITING, ManyJobs.VIEWER);
        console.time.advance(Duration.ofSeconds(20));

        long requests = console.requestsOf(() -> console.time.advance(Duration.ofHours(1)));

        assertThat(requests).isZero();
        assertThat(console.time.nextTask()).isEmpty();
    }

    @Test
    void aSearchByStateReadsEachPageOnceInThirtySeconds() {
        String search = ManyJobs.JOBS + "?state=READY";

        long first =
                console.requestsOf(() -> assertThat(text(console.ask(search))).contains("\"jobs\":[]"));
        long again = console.requestsOf(() -> text(console.ask(search)));

        assertThat(first).isEqualTo(1 + JOBS / 50);
        assertThat(again).isZero();
    }

    @Test
    void whatElseIsInTheQueryIsNoOtherQuestion() {
        String search = ManyJobs.JOBS + "?search=job-00001";
        text(console.ask(search));

        assertThat(console.requestsOf(() -> text(console.ask(search + "&x=1")))).isZero();
        assertThat(console.requestsOf(() -> text(console.ask(ManyJobs.JOBS + "?search=job-00002"))))
                .isPositive();
    }

    @Test
    void lookingLeavesTheTreeByteForByteAsItWas() {
        String before = console.ensemble.render();
        String job = ManyJobs.JOBS + "/job-00001";

        for (String address : List.of(
                "/",
                "/api/v1/session",
                ManyJobs.JOBS,
                ManyJobs.JOBS + "?state=NO_INSTANCE",
                job,
                job + "/items",
                job + "/items/0/explanation",
                job + "/next",
                job + "/definition",
                job + "/tree",
                ManyJobs.JOBS + "/unknown")) {
            assertThat(console.ask(address).join().status()).as(address).isIn(200, 404);
        }

        assertThat(console.ensemble.render()).isEqualTo(before);
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
