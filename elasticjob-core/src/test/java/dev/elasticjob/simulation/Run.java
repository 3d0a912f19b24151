package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One life of a world and what came of it; short of a trace until somebody asks. */
record Run(Scenario scenario, Optional<String> violation, List<String> trace, String tree, long steps) {
    static final EnumSet<Fault> ALL_FAULTS = EnumSet.allOf(Fault.class);

    static Run of(Scenario scenario, UnaryOperator<Registry> mutation) {
        return live(scenario, mutation, false);
    }

    static Run traced(Scenario scenario, UnaryOperator<Registry> mutation) {
        return live(scenario, mutation, true);
    }

    private static Run live(Scenario scenario, UnaryOperator<Registry> mutation, boolean traced) {
        try (World world = new World(scenario, mutation, traced)) {
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
