package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.samples.quickstart.QuickstartProcess.Line;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three processes of the quickstart, one of which ends and one of which is new, judged by what they printed. */
@Tag("proof")
class ThreeProcessesIT {
    private static final String[] EVERY_SECOND = {
        "--elasticjob.jobs.orders.cron=* * * * * ?",
        "--elasticjob.registry.session-timeout=6s",
        "--elasticjob.registry.server-tick=" + TestZooKeeper.TICK.toMillis() + "ms"
    };
    private static final int FIRINGS_EACH = 4;

    private final TestZooKeeper server = TestZooKeeper.start();
    private final List<QuickstartProcess> processes = new ArrayList<>();
    private final Heard<Line> executions = new Heard<>();

    @AfterEach
    void endAll() {
        processes.forEach(QuickstartProcess::close);
        server.close();
    }

    @Test
    void everyFiringRunsEveryItemExactlyOnceThoughAProcessLeavesAndAnotherJoins() {
        List<QuickstartProcess> three = threeThatShare();
        QuickstartProcess leaving = three.get(1);

        leaving.terminate();
        awaitFirings(FIRINGS_EACH, line -> !line.process().equals(leaving.name()));
        QuickstartProcess joining = start("fourth");
        awaitFirings(FIRINGS_EACH, line -> line.process().equals(joining.name()));
        Instant end = lastFiring();
        processes.forEach(QuickstartProcess::terminate);

        NavigableMap<Instant, List<Line>> firings = startsUntil(end);
        assertThat(firings).hasSizeGreaterThanOrEqualTo(3 * FIRINGS_EACH);
        assertThat(firings.keySet()).as("no firing is missing").containsExactlyElementsOf(everySecondOf(firings));
        assertThat(firings)
                .allSatisfy((firing, lines) -> assertThat(items(lines))
                        .as("the items of the firing %s: %s", firing, lines)
                        .containsExactly(0, 1, 2));
        assertThat(lines("started")).hasSameSizeAs(lines("ended"));
        assertThat(lines("started"))
                .allSatisfy(line -> assertThat(line.attempt()).isEqualTo(1));
    }

    @Test
    void whenAProcessIsKilledTheOthersMissNothingAndItsItemsRunAgain() {
        List<QuickstartProcess> three = threeThatShare();
        QuickstartProcess killed = three.get(1);
        int itsItem = itemOf(killed);

        killed.kill();
        Instant death = lastFiring();
        awaitFirings(FIRINGS_EACH, line -> !line.process().equals(killed.name()) && line.item() == itsItem);
        Instant end = lastFiring();
        processes.forEach(QuickstartProcess::terminate);

        NavigableMap<Instant, List<Line>> firings = startsUntil(end);
        assertThat(firings.keySet()).containsExactlyElementsOf(everySecondOf(firings));
        assertThat(firings)
                .allSatisfy((firing, lines) -> assertThat(items(lines))
                        .as("the items of the firing %s: %s", firing, lines)
                        .doesNotHaveDuplicates()
                        .containsAll(others(itsItem)));
        assertThat(firings.tailMap(death, false).values().stream()
                        .filter(lines -> items(lines).contains(itsItem)))
                .as("firings with the item of the killed process")
                .hasSizeGreaterThanOrEqualTo(FIRINGS_EACH - 1);
    }

    // ------------------------------------------------------------------ sentences

    private List<QuickstartProcess> threeThatShare() {
        List<QuickstartProcess> three = List.of(start("first"), start("second"), start("third"));
        three.forEach(process -> process.await("one of three items", line -> line.contains("owns 1 of 3 items")));
        three.forEach(
                process -> awaitFirings(FIRINGS_EACH, line -> line.process().equals(process.name())));
        return three;
    }

    private QuickstartProcess start(String name) {
        QuickstartProcess process = QuickstartProcess.join(name, server.connectString(), executions, EVERY_SECOND);
        processes.add(process);
        return process;
    }

    /** Waits for so many firings from now on with an execution that is wanted. */
    private void awaitFirings(int count, Predicate<Line> wanted) {
        Instant after = lastFiring();
        executions.await(
                count + " firings after " + after,
                lines -> lines.stream()
                                .filter(line -> line.scheduledAt().isAfter(after))
                                .filter(wanted)
                                .map(Line::scheduledAt)
                                .distinct()
                                .count()
                        >= count);
    }

    private List<Line> lines(String what) {
        return executions.all().stream()
                .filter(line -> line.what().equals(what))
                .toList();
    }

    private Instant lastFiring() {
        return lines("started").stream()
                .map(Line::scheduledAt)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /** Without the last firing, which the end of the test may have cut. */
    private NavigableMap<Instant, List<Line>> startsUntil(Instant end) {
        TreeMap<Instant, List<Line>> firings = lines("started").stream()
                .collect(Collectors.groupingBy(Line::scheduledAt, TreeMap::new, Collectors.toList()));
        return firings.headMap(end, false);
    }

    private static List<Instant> everySecondOf(NavigableMap<Instant, List<Line>> firings) {
        return Stream.iterate(
                        firings.firstKey(),
                        firing -> !firing.isAfter(firings.lastKey()),
                        firing -> firing.plusSeconds(1))
                .toList();
    }

    private static List<Integer> items(List<Line> lines) {
        return lines.stream().map(Line::item).sorted().toList();
    }

    /** What it executed last. */
    private int itemOf(QuickstartProcess process) {
        return lines("started").stream()
                .filter(line -> line.process().equals(process.name()))
                .reduce((before, last) -> last)
                .orElseThrow()
                .item();
    }

    private static List<Integer> others(int item) {
        return Stream.of(0, 1, 2).filter(other -> other != item).toList();
    }
}
