package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.engine.SpoiltCluster.Minute;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody writes valid JSON that means nothing into a node of a running cluster, and corrects it a minute later. */
class SpoiltNodesTest {
    /** What depends on a job, besides itself. */
    private static final Map<String, String> FOLLOWERS = Map.of("orders", "report", "imports", "audit");

    private static final int MOST_LINES = 12;
    private static final String SINCE = "\"2026-03-01T00:00:30Z\"";

    /** Nodes that hold something at moments only, or until an operator does something. */
    private static final Map<String, String> EXAMPLES = Map.of(
            "/orders/firings",
            "{\"newest\":%1$s,\"open\":[{\"at\":%1$s,\"items\":\"0-2\",\"phase\":\"AFTER\",\"instance\":\"a@-@1\",\"attempt\":1,\"since\":%1$s}]}"
                    .formatted(SINCE),
            "/imports/firings",
            "{\"newest\":%1$s,\"open\":[{\"runId\":\"r1\",\"items\":\"0-1\",\"phase\":\"ASKING\",\"since\":%1$s,\"request\":{\"parameter\":\"p\"}}]}"
                    .formatted(SINCE),
            "/orders/sharding/1/trigger",
            "{\"runId\":\"r1\",\"parameter\":\"p\",\"behind\":[{\"runId\":\"r2\",\"parameter\":\"q\"}]}",
            "/orders/backfill",
            "{\"id\":\"b1\",\"cron\":\"0/10 * * * * ?\",\"timeZone\":\"UTC\",\"next\":%1$s,\"until\":%1$s,\"atOnce\":1,\"open\":[%1$s]}"
                    .formatted(SINCE),
            "/orders/watchdog",
            "{\"items\":{\"0\":{\"token\":7,\"by\":\"a@-@1\"}},\"overdue\":{\"firing\":%s,\"by\":\"a@-@1\"}}"
                    .formatted(SINCE),
            "/imports/paused",
            "{\"paused\":false,\"from\":%1$s,\"actor\":\"a\",\"reason\":\"\",\"earlier\":[{\"from\":%1$s,\"until\":%1$s}]}"
                    .formatted(SINCE),
            "/report/after/1772323230000",
            "{\"after\":[{\"job\":\"orders\",\"runId\":\"orders@1\",\"at\":%s,\"success\":true,\"ends\":\"\"}]}"
                    .formatted(SINCE),
            "/imports/drain/b@-@1",
            "{\"actor\":\"a\",\"reason\":\"r\"}",
            "/orders/commands",
            "[{\"at\":%s,\"actor\":\"a\",\"command\":\"pause\"}]".formatted(SINCE));

    private final SpoiltCluster cluster = new SpoiltCluster();

    static Stream<Arguments> spoilt() {
        return Stream.of(
                Arguments.of("/orders/sharding", "\"followers\":{\"report\":0}", "firings.followers.report"),
                Arguments.of("/imports/sharding", "\"followers\":{\"audit\":null}", "firings.followers.audit"));
    }

    @Test
    void unspoiltEverythingRuns() {
        Minute minute = cluster.minute();

        SpoiltCluster.ITEMS.forEach(
                (job, items) -> assertThat(minute.runsOf(job)).as(job).isEqualTo(items * SpoiltCluster.FIRINGS));
        assertThat(minute.problems()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("spoilt")
    void aPlanStopsItsOwnJobAndSaysWhichKey(String path, String value, String key) {
        String before = text(path);
        Minute healthy = cluster.minute();
        Minute spoilt = cluster.minuteWith(path, before.replaceFirst("\"followers\":\\{[^}]*}", value));

        assertOnlyItsJobStops(path, spoilt, healthy, key);
        assertGoesOn(path, before, healthy);
    }

    @Test
    void theOpenFiringsOfAJobStopOnlyIt() {
        Minute healthy = cluster.minute();
        for (String job : List.of("orders", "imports")) {
            String path = "/" + job + "/firings";
            String before = text(path);
            Minute spoilt = cluster.minuteWith(
                    path,
                    "{\"open\":[{\"runId\":\"a/b\",\"items\":\"0-1\",\"phase\":\"BEFORE\",\"since\":\"2026-03-01T00:00:00Z\"}]}");

            assertOnlyItsJobStops(path, spoilt, healthy, "open[0].runId");
            assertGoesOn(path, before, healthy);
        }
    }

    @Test
    void aDefinitionThatNoLongerSaysThatItIsWholeIsNoRemoval() {
        Minute healthy = cluster.minute();
        for (String job : List.of("once", "report")) {
            for (String whole : List.of("5", "false", "null", "\"yes\"")) {
                String path = "/" + job + "/extension";
                String before = text(path);
                Minute spoilt = cluster.minuteWith(path, before.replace("\"whole\":true", "\"whole\":" + whole));

                assertOnlyItsJobStops(path, spoilt, healthy, "whole");
                assertGoesOn(path, before, healthy);
                assertThat(cluster.cluster().engine("a@-@1").state(job))
                        .as(whole)
                        .hasToString("ACTIVE");
            }
        }
    }

    /** Draws from all nodes that have data. More: {@code -Dspoilt.seeds=500}, or one: {@code -Dspoilt.seed=17}. */
    @Test
    void whateverIsWrittenIntoANodeConcernsItsJobOnly() {
        int first = Integer.getInteger("spoilt.seed", 0);
        int last = first + (first > 0 ? 1 : Integer.getInteger("spoilt.seeds", 25));
        Minute healthy = cluster.minute();
        List<String> faults = new ArrayList<>();
        for (int seed = first; seed < last; seed++) {
            faults.addAll(faultsOf(seed, healthy));
        }

        assertThat(faults).isEmpty();
    }

    private static List<String> faultsOf(int seed, Minute healthy) {
        Random random = new Random(seed);
        SpoiltCluster spoilt = new SpoiltCluster();
        spoilt.cluster().pass(Duration.ofMillis(random.nextInt(10_000)));
        Map<String, String> nodes = spoilt.nodes();
        Map<String, String> examples = new TreeMap<>(nodes);
        examples.putAll(EXAMPLES);
        // Kinds of nodes are drawn, not nodes: items and instances have several.
        Map<String, List<String>> kinds = examples.keySet().stream()
                .collect(Collectors.groupingBy(
                        path -> path.replaceAll("/\\d+|[ab]@-@1", "#"), TreeMap::new, Collectors.toList()));
        List<List<String>> all = List.copyOf(kinds.values());
        List<String> kind = all.get(random.nextInt(all.size()));
        String path = kind.get(random.nextInt(kind.size()));
        Optional<String> before = Optional.ofNullable(nodes.get(path));
        String text = new SpoiltValue(random).of(examples.getOrDefault(path, ""));
        List<String> faults = new ArrayList<>();
        try {
            check("while it was there", path, spoilt.minuteWith(path, text), healthy, faults);
            if (spoilt.read(path).map(RegistryNode::text).filter(text::equals).isPresent()) {
                before.ifPresentOrElse(known -> spoilt.write(path, known), () -> spoilt.delete(path));
            }
            spoilt.minute();
            Minute after = spoilt.minute();
            SpoiltCluster.ITEMS.forEach((job, items) -> {
                if (after.runsOf(job) < items * (SpoiltCluster.FIRINGS - 1)) {
                    faults.add("after the correction, %s ran %d times".formatted(job, after.runsOf(job)));
                }
            });
        } catch (RuntimeException | AssertionError e) {
            faults.add("left a task: " + e);
        }
        return faults.stream()
                .map(fault ->
                        "%d: %s = %s, before %s: %s".formatted(seed, path, cut(text), cut(before.orElse("")), fault))
                .toList();
    }

    private static String cut(String text) {
        return text.length() > 400 ? text.substring(0, 400) + "…" : text;
    }

    private static void check(String when, String path, Minute spoilt, Minute healthy, List<String> faults) {
        String job = jobOf(path);
        List<String> concerned = List.of(job, FOLLOWERS.getOrDefault(job, job));
        SpoiltCluster.ITEMS.keySet().stream()
                .filter(other -> !concerned.contains(other) && spoilt.runsOf(other) != healthy.runsOf(other))
                .forEach(other -> faults.add("%s, %s ran %d times".formatted(when, other, spoilt.runsOf(other))));
        if (spoilt.requests() > healthy.requests() * 3 / 2) {
            faults.add("%s, %d requests instead of %d".formatted(when, spoilt.requests(), healthy.requests()));
        }
        if (spoilt.problems().size() > MOST_LINES) {
            faults.add("%s, %d lines: %s".formatted(when, spoilt.problems().size(), spoilt.problems()));
        }
        spoilt.problems().stream()
                .filter(line ->
                        line.contains("step failed") || line.contains("Report this") || line.contains("not handled"))
                .forEach(line -> faults.add(when + ", " + line));
    }

    private String text(String path) {
        return cluster.read(path).map(RegistryNode::text).orElseThrow();
    }

    private static String jobOf(String path) {
        return path.startsWith(GroupCluster.ROOT) ? "" : path.split("/")[1];
    }

    private void assertOnlyItsJobStops(String path, Minute spoilt, Minute healthy, String key) {
        List<String> concerned = List.of(jobOf(path), FOLLOWERS.getOrDefault(jobOf(path), ""));
        SpoiltCluster.ITEMS.keySet().stream()
                .filter(job -> !concerned.contains(job))
                .forEach(job -> assertThat(spoilt.runsOf(job)).as(job).isEqualTo(healthy.runsOf(job)));
        assertThat(spoilt.requests()).isLessThanOrEqualTo(healthy.requests() * 11 / 10);
        assertThat(spoilt.problems())
                .hasSizeLessThanOrEqualTo(4)
                .anySatisfy(line -> assertThat(line).contains("\"" + path + "\"", "\"" + jobOf(path) + "\"", key));
        assertThat(spoilt.problems()).noneMatch(line -> line.contains("a coordination step failed"));
    }

    /** The minute of the correction has what was late; the one after it is like any other. */
    private void assertGoesOn(String path, String corrected, Minute healthy) {
        cluster.write(path, corrected);
        cluster.minute();

        Minute after = cluster.minute();

        assertThat(after.runs()).as("after %s was corrected", path).isEqualTo(healthy.runs());
        assertThat(after.requests()).isLessThanOrEqualTo(healthy.requests() * 11 / 10);
        assertThat(after.problems()).isEmpty();
    }
}
