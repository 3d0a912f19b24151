package dev.elasticjob.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** One life of a world and what came of it; short of a trace until somebody asks. */
record Run(Scenario scenario, Optional<String> violation, List<String> trace, String tree, long steps) {
    static final EnumSet<Fault> ALL_FAULTS = EnumSet.allOf(Fault.class);

    static Run of(Scenario scenario, Flaw flaw) {
        return live(scenario, flaw, false);
    }

    static Run traced(Scenario scenario, Flaw flaw) {
        return live(scenario, flaw, true);
    }

    private static Run live(Scenario scenario, Flaw flaw, boolean traced) {
        try (World world = new World(scenario, flaw, traced)) {
            Optional<String> violation = world.live();
            return new Run(
                    scenario,
                    violation,
                    List.copyOf(world.trace().lines()),
                    world.quorum().tree().render(),
                    world.stepsTaken());
        }
    }

    /** For whoever has to find out: the seed, who did what, and what the tree looked like in the end. */
    String describe() {
        return "seed %d: %s%n%s%n%n%s%n%s"
                .formatted(
                        scenario.seed(),
                        violation.orElse("every promise was kept"),
                        scenario,
                        String.join("\n", trace),
                        tree);
    }
}
