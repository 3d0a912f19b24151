package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.samples.quickstart.QuickstartProcess.Line;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process of the quickstart that is killed while it works, and another one that goes on with it. */
class FailoverIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    /**
     * From the kill to the other's first line. The servers end a session at the first tick that comes a timeout after they
     * have last heard of it. The rest is room for a busy machine; {@code KilledInstancesIT} measures the take-over alone.
     */
    private static final Duration RECOVERY = SESSION_TIMEOUT.multipliedBy(2);

    private static final String[] LONG_RUNS_WITH_FAILOVER = {
        "--quickstart.work-takes=60s",
        "--elasticjob.jobs.orders.failover=true",
        "--elasticjob.registry.session-timeout=" + SESSION_TIMEOUT.toMillis() + "ms",
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
    void workOfAKilledProcessIsBegunAgainWithinTwoSessionTimeouts() {
        QuickstartProcess killed = start("killed");
        executions.await("all items in one process", lines -> lines.size() == 3);
        QuickstartProcess survivor = start("survivor");
        survivor.await("a share of the items", line -> line.contains("of 3 items at epoch"));

        long kill = System.nanoTime();
        killed.kill();
        // On a machine that stood still, its session may have ended before: then these are not the first attempts.
        Collection<Line> interrupted = latest(executions.all());
        executions.await(
                "a further attempt of each",
                lines -> latest(lines).stream().allMatch(line -> line.process().equals(survivor.name())));
        Duration recovery = Duration.ofNanos(System.nanoTime() - kill);

        System.out.println("From the kill to the last further attempt: " + recovery.toMillis() + " ms");
        assertThat(interrupted).extracting(Line::process).containsOnly(killed.name());
        assertThat(latest(executions.all()))
                .extracting(Line::item, Line::scheduledAt, Line::attempt)
                .containsExactlyInAnyOrderElementsOf(interrupted.stream()
                        .map(line -> tuple(line.item(), line.scheduledAt(), line.attempt() + 1))
                        .toList());
        assertThat(recovery).isLessThanOrEqualTo(RECOVERY);
    }

    private QuickstartProcess start(String name) {
        QuickstartProcess process =
                QuickstartProcess.join(name, server.connectString(), executions, LONG_RUNS_WITH_FAILOVER);
        processes.add(process);
        return process;
    }

    /** The attempt of each item that was begun last. */
    private static Collection<Line> latest(List<Line> lines) {
        return lines.stream()
                .filter(line -> line.what().equals("started"))
                .collect(Collectors.toMap(Line::item, line -> line, (earlier, later) -> later))
                .values();
    }
}
