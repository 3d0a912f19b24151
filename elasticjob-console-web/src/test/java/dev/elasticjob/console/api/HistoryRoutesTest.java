package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.FailingHistory;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.history.Operations;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The firings of the past, and what is said where there are none to show. */
class HistoryRoutesTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final String REGISTRY = "/api/v1/registries/default";
    private static final String JOB = ManyJobs.JOBS + "/orders";

    private final ManyJobs console = ManyJobs.forEveryUser();

    @Test
    void firingsAreShownWithTheirItems() {
        console.remember(new Remembered());

        ConsoleResponse answer = console.ask(JOB + "/firings?before=x").join();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer))
                .contains(
                        "\"runId\":\"orders@x\"",
                        "\"first\":3,\"outcomes\":\"F\",\"again\":{\"3\":2}",
                        "\"letters\":{\"C\":\"COMPLETED\"",
                        "\"next\":\"y\"");
    }

    @Test
    void howTheLatestFiringsOfTheJobsOfAPageEnded() {
        console.remember(new Remembered());

        ConsoleResponse answer =
                console.ask(REGISTRY + "/latest?jobs=orders&firings=7").join();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer))
                .contains(
                        "{\"jobs\":{\"orders\":[{\"runId\":\"r7\"",
                        "\"outcome\":\"FAILED\",\"items\":12,\"completed\":11");
        assertThat(console.ask(REGISTRY + "/latest?jobs=orders&firings=51")
                        .join()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aFiringIsShownWithAllItsExecutionsByItemAndAttempt() {
        console.remember(new Remembered());

        assertThat(text(console.ask(JOB + "/firings/" + segment("orders@x")).join()))
                .isEqualTo("{\"runId\":\"orders@x\",\"scheduledAt\":\"%1$s\",\"executions\":[".formatted(AT)
                        + "{\"id\":\"e0\",\"item\":3,\"outcome\":\"INTERRUPTED\",\"attempt\":1,\"instance\":\"a\",\"startedAt\":\"%1$s\",\"endedAt\":\"%1$s\",\"failure\":\"all of it\"},"
                                .formatted(AT)
                        + "{\"id\":\"e1\",\"item\":3,\"outcome\":\"FAILED\",\"attempt\":2,\"instance\":\"a\",\"startedAt\":\"%1$s\",\"endedAt\":\"%1$s\",\"failure\":\"all of it\"}"
                                .formatted(AT)
                        + "],\"complete\":true}");
        assertThat(text(console.ask(JOB + "/firings/many").join())).contains("\"complete\":false");
        assertThat(console.ask(JOB + "/firings/unknown").join().status()).isEqualTo(404);
    }

    private static String segment(String name) {
        return "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anExecutionIsShownWithItsWholeFailure() {
        console.remember(new Remembered());

        assertThat(text(console.ask("/api/v1/registries/default/executions/e1").join()))
                .contains("\"failure\":\"all of it\\n\\tat a line\"", "\"attempt\":2");
        assertThat(console.ask("/api/v1/registries/default/executions/e2")
                        .join()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theLoadOfTheLastHourIsAnsweredFromAllPagesOfTheHistory() {
        console.remember(new Remembered());

        String load = text(console.ask(REGISTRY + "/load?job=endless&until=2026-11-23T03:30:00Z")
                .join());

        // Twenty pages of a thousand, and then it is enough.
        assertThat(load).contains("\"complete\":false", "\"began\":20000,\"failed\":20000");
        assertThat(text(console.ask(REGISTRY + "/load?until=2026-11-23T03:30:00Z")
                        .join()))
                .contains("\"complete\":true", "\"instances\":[{\"instance\":\"a\",\"began\":1");
    }

    @Test
    void aSpanThatEndsBeforeItBeginsIsRefused() {
        console.remember(new Remembered());

        ConsoleResponse answer = console.ask(REGISTRY + "/load?from=2026-11-23T04:00:00Z&until=2026-11-23T03:00:00Z")
                .join();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(answer)).contains("\"field\":\"from\"", "2026-11-23T03:00:00Z");
        assertThat(console.ask(REGISTRY + "/load?from=-500000000-01-01T00:00:00Z")
                        .join()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void withoutATraceItIsSaidHowToSwitchItOn() {
        ConsoleResponse answer = console.ask(JOB + "/firings").join();

        assertThat(answer.status()).isEqualTo(404);
        assertThat(text(answer)).contains("elasticjob.tracing.enabled=true");
    }

    @Test
    void aDatabaseThatIsAwayIsNoRegistryThatIsAway() {
        console.remember(away());
        console.write("orders");

        ConsoleResponse answer = console.ask(JOB + "/firings").join();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(text(answer)).contains("\"code\":\"HISTORY_AWAY\"", "no answer within 5 s");
        assertThat(console.ask(JOB).join().status()).isEqualTo(200);
    }

    @Test
    void aSlowDatabaseIsSaidToBeSoWithinFiveSecondsAlsoToThoseWhoOnlyQueueForIt() {
        List<Runnable> queue = new ArrayList<>();
        console.remember(new Remembered(), queue::add);
        console.write("orders");
        var first = console.ask(JOB + "/firings?before=x");
        var second = console.ask("/api/v1/registries/default/executions/e1");

        console.time.advance(Duration.ofMillis(4_900));
        assertThat(first).isNotDone();
        console.time.advance(Duration.ofMillis(100));

        assertThat(text(first.join())).contains("\"code\":\"HISTORY_AWAY\"", "did not answer within 5 s");
        assertThat(second.join().status()).isEqualTo(503);
        assertThat(console.ask(JOB).join().status()).isEqualTo(200);
    }

    @Test
    void aQuestionThatNobodyWaitsForAnyMoreIsNotAsked() {
        List<Runnable> queue = new ArrayList<>();
        console.remember(neverAsked(), queue::add);
        var late = console.ask(JOB + "/firings");
        console.time.advance(Duration.ofSeconds(5));

        queue.forEach(Runnable::run);

        assertThat(late.join().status()).isEqualTo(503);
    }

    @Test
    void aHundredViewersAreOneQueryInThreeSeconds() {
        Counting database = new Counting();
        console.remember(database);

        for (int viewer = 0; viewer < 100; viewer++) {
            assertThat(console.ask(JOB + "/firings?x=" + viewer).join().status())
                    .isEqualTo(200);
        }
        assertThat(database.queries).isEqualTo(1);
        console.time.advance(Duration.ofMillis(2_900));
        assertThat(console.ask(JOB + "/firings").join().headers())
                .containsEntry("Age", "2")
                .containsEntry("ElasticJob-Read-At", "2026-11-23T03:00:00Z");
        assertThat(database.queries).isEqualTo(1);

        console.time.advance(Duration.ofMillis(100));
        console.ask(JOB + "/firings").join();
        console.ask(JOB + "/firings?before=x").join();
        assertThat(database.queries).isEqualTo(3);
    }

    @Test
    void whoKnowsTheAnswerWaitsForAnotherOneAndNobodyAsksForWhoHasLeft() {
        Counting database = new Counting();
        console.remember(database);
        String tag = console.ask(JOB + "/firings").join().headers().get("ETag");

        var same = held(tag, 1);
        assertThat(same).isNotDone();
        console.time.advance(Duration.ofSeconds(3));
        assertThat(same.join().status()).isEqualTo(304);
        assertThat(same.join().headers()).containsEntry("Age", "0");

        var changed = held(tag, 20);
        database.run = "later";
        console.time.advance(Duration.ofSeconds(3));
        assertThat(text(changed.join())).contains("\"runId\":\"later\"");
        int queries = database.queries;
        console.time.advance(Duration.ofMinutes(10));
        assertThat(database.queries).isEqualTo(queries);
        assertThat(console.time.nextTask()).isEmpty();
    }

    private CompletableFuture<ConsoleResponse> held(String tag, int seconds) {
        return console.ask(
                "GET", JOB + "/firings", Map.of("if-none-match", tag, "prefer", "wait=" + seconds), ManyJobs.VIEWER);
    }

    @Test
    void allWhoWaitAreToldThatTheDatabaseHasStopped() {
        Counting database = new Counting();
        console.remember(database);
        String tag = console.ask(JOB + "/firings").join().headers().get("ETag");
        var both = List.of(held(tag, 20), held(tag, 20));

        database.away = true;
        console.time.advance(Duration.ofSeconds(3));

        assertThat(both).allSatisfy(one -> assertThat(text(one.join())).contains("\"code\":\"HISTORY_AWAY\""));
        assertThat(console.ask(JOB + "/firings").join().status()).isEqualTo(503);
        assertThat(database.queries).isEqualTo(2);
        database.away = false;
        console.time.advance(Duration.ofSeconds(1));
        assertThat(console.ask(JOB + "/firings").join().status()).isEqualTo(200);
    }

    @Test
    void aRegistryThatDoesNotAnswerDelaysNoHistory() {
        console.remember(new Remembered());
        console.write("orders");
        List<Runnable> never = new ArrayList<>();
        console.answers = never::add;

        assertThat(console.ask(JOB)).isNotDone();
        assertThat(console.ask(JOB + "/firings?before=x").join().status()).isEqualTo(200);
    }

    @Test
    void operationsAreShownAsTheFilterWants() {
        console.remember(new Remembered());

        assertThat(text(console.ask(REGISTRY + "/operations?job=orders&actor=mei&refused=true&before=x")
                        .join()))
                .contains("\"command\":\"pause\"", "\"actor\":\"mei\"", "\"succeeded\":false", "\"next\":\"50 x\"");
        assertThat(console.ask(REGISTRY + "/operations?refused=perhaps").join().status())
                .isEqualTo(400);
        assertThat(console.ask(REGISTRY + "/operations?format=xls").join().status())
                .isEqualTo(400);
    }

    @Test
    void aTableIsAFileInWhichNoCellIsAFormula() {
        console.remember(new Remembered());

        ConsoleResponse answer =
                console.ask(REGISTRY + "/operations?format=csv&before=x").join();

        assertThat(answer.headers())
                .containsEntry("Content-Type", "text/csv;charset=UTF-8")
                .containsEntry("Content-Disposition", "attachment; filename=\"operations.csv\"");
        assertThat(text(answer))
                .isEqualTo(
                        "\uFEFF\"at\",\"actor\",\"job\",\"command\",\"reason\",\"before\",\"succeeded\",\"outcome\"\r\n"
                                + "\"2026-11-23T03:00:00Z\",\"mei\",\"*\",\"pause\",\"'=1+1\",\"was \"\"running\"\"\",\"false\",\"refused\"\r\n");
    }

    @Test
    void executionsOfAllJobsAreShownAsTheFilterWants() {
        console.remember(new Remembered());
        String executions = REGISTRY + "/executions";

        assertThat(text(console.ask(
                                executions
                                        + "?job=orders&item=3&outcome=FAILED&from=2026-11-23T03:00:00Z&until=2026-11-23T04:00:00Z")
                        .join()))
                .contains("\"id\":\"e1\"", "\"next\":\"orders 3 FAILED 2026-11-23T03:00:00Z 2026-11-23T04:00:00Z 50\"");
        assertThat(text(console.ask(executions + "?format=csv").join()))
                .contains("\"orders\",\"3\",\"2026-11-23T03:00:00Z\",\"FAILED\"");
        assertThat(text(console.ask(executions + "/e1/steps").join()))
                .contains("\"state\":\"TASK_ERROR\"", "\"message\":\"it failed\"");
        assertThat(console.ask(executions + "?from=yesterday").join().status()).isEqualTo(400);
        assertThat(console.ask(executions + "?item=-2").join().status()).isEqualTo(400);
    }

    @Test
    void withTheDatabaseAwayOperationsAndExecutionsSaySo() {
        console.remember(away());

        for (String list : List.of("/operations", "/executions", "/executions/e1/steps")) {
            assertThat(console.ask(REGISTRY + list).join().status()).as(list).isEqualTo(503);
        }
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private record Remembered() implements ConsoleHistory {
        @Override
        public Firings firings(String job, Optional<String> before) {
            var cell = new Firings.Cell("e1", "FAILED", 2, Optional.of("a"), Optional.of(AT), Optional.of(AT));
            return new Firings(
                    List.of(new Firings.Firing(job + "@" + before.orElseThrow(), AT, Map.of(3, cell))),
                    Optional.of("y"));
        }

        @Override
        public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
            var end = new Firings.End("r" + most, AT, "FAILED", 12, 11, Optional.of(AT), Optional.of(AT));
            return new TreeMap<>(Map.of(jobs.first(), List.of(end)));
        }

        @Override
        public Optional<Entry> entry(String id) {
            return Optional.of(entry("e1", 2, "FAILED"))
                    .filter(entry -> entry.id().equals(id));
        }

        private static Entry entry(String id, int attempt, String outcome) {
            return new Entry(
                    id,
                    "orders",
                    3,
                    "orders@x",
                    AT,
                    outcome,
                    attempt,
                    0,
                    0,
                    Optional.empty(),
                    Optional.of("a"),
                    Optional.of(AT),
                    Optional.of(AT),
                    Optional.of("all of it\n\tat a line"));
        }

        @Override
        public Executions executions(Executions.Filter filter) {
            if (filter.run().isPresent()) {
                return new Executions(
                        filter.run().get().equals("unknown")
                                ? List.of()
                                : List.of(entry("e1", 2, "FAILED"), entry("e0", 1, "INTERRUPTED")),
                        filter.run().filter("many"::equals));
            }
            if (filter.item().isEmpty()) {
                boolean endless = filter.job().filter("endless"::equals).isPresent();
                return new Executions(
                        Collections.nCopies(endless ? filter.limit() : 1, entry("e1", 2, "FAILED")),
                        endless ? Optional.of("more") : Optional.empty());
            }
            return new Executions(
                    List.of(entry("e1", 2, "FAILED")),
                    filter.job()
                            .map(job -> "%s %d %s %s %s %d"
                                    .formatted(
                                            job,
                                            filter.item().orElseThrow(),
                                            filter.outcome().orElseThrow(),
                                            filter.from().orElseThrow(),
                                            filter.until().orElseThrow(),
                                            filter.limit())));
        }

        @Override
        public List<Executions.Step> steps(String id) {
            return List.of(new Executions.Step(AT, "TASK_ERROR", "it failed"));
        }

        @Override
        public Operations operations(Operations.Filter filter) {
            return new Operations(
                    List.of(new Operations.Operation(
                            AT,
                            filter.job().orElse("*"),
                            filter.actor().orElse("mei"),
                            "pause",
                            Optional.of("=1+1"),
                            "was \"running\"",
                            !filter.refusedOnly() && filter.actor().isPresent(),
                            "refused")),
                    filter.before().map(before -> filter.limit() + " " + before));
        }
    }

    /** A database whose queries are counted, and that stops and returns. */
    private static final class Counting implements ConsoleHistory {
        private final ConsoleHistory remembered = new Remembered();
        private int queries;
        private boolean away;
        private String run = "earlier";

        @Override
        public Firings firings(String job, Optional<String> before) {
            queries++;
            if (away) {
                throw new HistoryAwayException("no connection");
            }
            return new Firings(List.of(new Firings.Firing(run, AT, Map.of())), Optional.empty());
        }

        @Override
        public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
            return remembered.latest(jobs, most);
        }

        @Override
        public Executions executions(Executions.Filter filter) {
            return remembered.executions(filter);
        }

        @Override
        public List<Executions.Step> steps(String id) {
            return remembered.steps(id);
        }

        @Override
        public Operations operations(Operations.Filter filter) {
            return remembered.operations(filter);
        }

        @Override
        public Optional<Entry> entry(String id) {
            return remembered.entry(id);
        }
    }

    private static ConsoleHistory neverAsked() {
        return new FailingHistory(() -> {
            throw new AssertionError("Nobody waits for the answer");
        });
    }

    private static ConsoleHistory away() {
        return new FailingHistory(() -> {
            throw new HistoryAwayException("The database gave no answer within 5 s", new IllegalStateException());
        });
    }
}
