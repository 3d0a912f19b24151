package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.samples.quickstart.QuickstartProcess.Line;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process of the quickstart that is killed while it works, and another one that goes on with it. */
class FailoverIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
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
        List<Line> interrupted = executions.all();

        long kill = System.nanoTime();
        killed.kill();
        executions.await(
                "a second attempt of each", lines -> secondAttempts(lines).size() == interrupted.size());
        Duration recovery = Duration.ofNanos(System.nanoTime() - kill);

        System.out.println("From the kill to the last second attempt: " + recovery.toMillis() + " ms");
        assertThat(secondAttempts(executions.all()))
                .extracting(Line::process, Line::item, Line::scheduledAt)
                .containsExactlyInAnyOrderElementsOf(interrupted.stream()
                        .map(line -> tuple(survivor.name(), line.item(), line.scheduledAt()))
                        .toList());
        assertThat(recovery).isLessThanOrEqualTo(RECOVERY);
    }

    private QuickstartProcess start(String name) {
        QuickstartProcess process =
                QuickstartProcess.join(name, server.connectString(), executions, LONG_RUNS_WITH_FAILOVER);
        processes.add(process);
        return process;
    }

    private static List<Line> secondAttempts(List<Line> lines) {
        return lines.stream()
                .filter(line -> line.attempt() == 2 && line.what().equals("started"))
                .toList();
    }
}
