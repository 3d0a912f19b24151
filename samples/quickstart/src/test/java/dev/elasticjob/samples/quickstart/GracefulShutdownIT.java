package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.samples.quickstart.QuickstartProcess.Line;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process of the quickstart that is asked to end, twice, while it works. */
class GracefulShutdownIT {
    private static final int ENDED_BY_SIGTERM = 128 + 15;
    private static final String[] LONG_RUNS = {
        "--quickstart.work-takes=4s",
        "--elasticjob.jobs.orders.cron=* * * * * ?",
        "--elasticjob.registry.session-timeout=6s",
        "--elasticjob.registry.server-tick=" + TestZooKeeper.TICK.toMillis() + "ms"
    };

    private final TestZooKeeper server = TestZooKeeper.start();
    private final List<QuickstartProcess> processes = new ArrayList<>();
    private final Heard<Line> executions = new Heard<>();

    @AfterEach
    void endAll() {
        processes.forEach(QuickstartProcess::close);
        server.close();
    }

    @Test
    void whatRunsEndsThoughItsItemsAreGivenAwayAtOnceAndASecondSignalChangesNothing() throws Exception {
        QuickstartProcess leaving = start("leaving");
        awaitStart(leaving, 0);
        QuickstartProcess staying = start("staying");
        awaitStart(staying, 0);
        Line last = awaitStart(leaving, executions.all().size());

        leaving.askToEnd();
        leaving.await("what it still does", line -> line.contains("Job \"orders\": draining"));
        staying.await("all items", line -> line.contains("owns 3 of 3 items"));
        leaving.askToEnd();
        int readiness = readiness(leaving);
        int exitCode = leaving.awaitExit();
        executions.await(
                "the ends of all that was started",
                lines -> of(leaving, "ended", lines).size()
                        == of(leaving, "started", lines).size());
        Line next = awaitStart(staying, executions.all().indexOf(last), List.of(last.item()));

        assertThat(readiness).as("its readiness while it drains").isEqualTo(503);
        assertThat(exitCode).isEqualTo(ENDED_BY_SIGTERM);
        assertThat(leaving.printed()).noneMatch(line -> line.contains("interrupted"));
        assertThat(next.scheduledAt()).isAfter(last.scheduledAt());
        assertThat(next.attempt()).as("a firing of its own").isEqualTo(1);
    }

    // ------------------------------------------------------------------ sentences

    private QuickstartProcess start(String name) {
        QuickstartProcess process = QuickstartProcess.join(name, server.connectString(), executions, LONG_RUNS);
        processes.add(process);
        return process;
    }

    /** Waits for a start in that process among the lines after the first so many. */
    private Line awaitStart(QuickstartProcess process, int after) {
        return awaitStart(process, after, List.of(0, 1, 2));
    }

    private Line awaitStart(QuickstartProcess process, int after, List<Integer> items) {
        Predicate<Line> wanted = line -> items.contains(line.item());
        executions.await(
                "a start of one of " + items + " in " + process.name(),
                lines -> starts(process, after, lines).anyMatch(wanted));
        return starts(process, after, executions.all())
                .filter(wanted)
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Line> starts(QuickstartProcess process, int after, List<Line> lines) {
        return of(process, "started", lines.subList(after, lines.size())).stream();
    }

    private static List<Line> of(QuickstartProcess process, String what, List<Line> lines) {
        return lines.stream()
                .filter(line ->
                        line.process().equals(process.name()) && line.what().equals(what))
                .toList();
    }

    private static int readiness(QuickstartProcess process) throws Exception {
        URI uri = URI.create("http://localhost:" + process.webPort() + "/actuator/health/readiness");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
