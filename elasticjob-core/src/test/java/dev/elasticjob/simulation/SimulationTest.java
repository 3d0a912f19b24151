package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The promises of {@code docs/internals/protocol.md}, for many {@linkplain Seeds seeds}. A failure names its seed. */
@ExtendWith(Quiet.class)
class SimulationTest {
    private static final Pattern BACKFILL_ID = Pattern.compile("create /[^/]+/backfill \\{\"id\":\"([0-9a-f]{8})\"");

    @Test
    @Tag(Seeds.IN_BOTH_BUILDS)
    void promisesAreKeptWhateverGoesWrong() {
        List<Run> broken = Seeds.oneIn(1)
                .parallel()
                .mapToObj(seed -> Run.of(Scenario.of(seed, Run.ALL_FAULTS), Flaw.NONE))
                .filter(run -> run.violation().isPresent())
                .limit(20)
                .toList();

        assertThat(broken)
                .as(() -> "broken seeds; one again with -Dsimulation.seed=...; the first one:\n"
                        + Run.traced(broken.get(0).scenario(), Flaw.NONE).describe())
                .extracting(run -> "seed %d: %s"
                        .formatted(run.scenario().seed(), run.violation().orElseThrow()))
                .isEmpty();
    }

    @Test
    void aSeedReplaysExactly() {
        Seeds.few().forEach(seed -> {
            Run once = Run.traced(Scenario.of(seed, Run.ALL_FAULTS), Flaw.NONE);
            Run again = Run.traced(Scenario.of(seed, Run.ALL_FAULTS), Flaw.NONE);

            assertThat(named(again)).as("seed %d", seed).isEqualTo(named(once));
        });
    }

    /** The trace and the tree, with names for what is drawn beside the seed: the ids of backfills. */
    private static List<String> named(Run run) {
        String text = String.join("\n", run.trace()) + "\n" + run.tree();
        List<String> ids = BACKFILL_ID
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
        for (String id : ids) {
            text = text.replace(id, "backfill-" + ids.indexOf(id));
        }
        return text.lines().toList();
    }
}
