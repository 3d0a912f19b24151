package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFiring.Request;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OpenFiringsCodecTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    @Test
    void openFiringsAreReadAsTheyWereWritten() {
        OpenFiring plain = OpenFiring.scheduled(NOON, new TreeSet<>(List.of(0, 1, 2, 7)), Phase.ITEMS, Hook.NONE, NOON);
        OpenFiring called = OpenFiring.manual("mine", new TreeSet<>(List.of(3)), Phase.BEFORE, NOON)
                .with(new Hook("10.0.0.1@-@42", 2, 1));
        OpenFiring refused = plain.refused("no table", NOON);
        OpenFiring asking = OpenFiring.asking(
                "several",
                new TreeSet<>(List.of(0, 1)),
                new Request("p", new RepeatedRun(NOON, null, 1), new RequestedBy("a", "b")),
                NOON);
        OpenFirings firings = OpenFirings.NONE
                .with(plain)
                .with(called)
                .with(asking)
                .with(OpenFiring.asking("again", new TreeSet<>(List.of(1)), null, NOON))
                .changed(plain.id(), any -> refused);

        byte[] stored = NodeCodec.write(firings);

        assertThat(NodeCodec.readFirings(node(stored), "/job/firings")).isEqualTo(firings);
        assertThat(NodeCodec.readFirings(node(new byte[0]), "/job/firings")).isEqualTo(OpenFirings.NONE);
    }

    @Test
    void thePlanSaysWhyFiringsAreOpened() {
        for (FiringPlan plan : List.of(
                new FiringPlan(true, NOON, new TreeMap<>()),
                new FiringPlan(false, NOON, new TreeMap<>(Map.of("report", NOON.plusSeconds(1)))))) {
            Assignment assignment = assignment().withFirings(plan);

            Assignment read = NodeCodec.readAssignment("/job/sharding", NodeCodec.write(assignment));

            assertThat(read).isEqualTo(assignment);
        }
    }

    @Test
    void planOfAJobWhoseFiringsAreNotOpenedHasNotAByteOfThem() {
        assertThat(new String(NodeCodec.write(assignment()), StandardCharsets.UTF_8))
                .doesNotContain("firings");
    }

    private static Assignment assignment() {
        return new Assignment(
                Schedule.of("0 0 12 * * ?", ZoneOffset.UTC),
                NOON,
                List.of(),
                null,
                true,
                null,
                "x",
                new TreeMap<>(Map.of(0, "10.0.0.1@-@42")));
    }

    private static RegistryNode node(byte[] data) {
        return new RegistryNode(data, 0, 1, 1, NOON, NOON, 0);
    }
}
