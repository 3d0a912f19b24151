package dev.elasticjob.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Everything that can happen next, and a seed that chooses. */
final class Steps {
    private final Random random;
    private final List<Source> sources = new ArrayList<>();

    Steps(Random random) {
        this.random = random;
    }

    /** Something that can go on by itself: a queue of tasks, a server that lags behind. */
    interface Source {
        boolean isReady();

        void step();

        /** How readily it is chosen. */
        default double weight() {
            return 1;
        }
    }

    void add(Source source) {
        sources.add(source);
    }

    void remove(Source source) {
        sources.remove(source);
    }

    /** Lets one of the sources that are ready go a step; false when there is none. */
    boolean one() {
        Source chosen = null;
        double total = 0;
        for (Source source : sources) {
            if (source.isReady()) {
                total += source.weight();
                if (random.nextDouble() * total < source.weight()) {
                    chosen = source;
                }
            }
        }
        if (chosen == null) {
            return false;
        }
        chosen.step();
        return true;
    }
}
