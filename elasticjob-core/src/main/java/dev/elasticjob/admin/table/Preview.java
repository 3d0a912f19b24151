package dev.elasticjob.admin.table;

import dev.elasticjob.admin.table.Effect.Code;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command would do, as far as the registry showed it a moment ago. Immutable.
 *
 * @param outcome what would come of it
 * @param effects in the order in which people want to know them
 */
public record Preview(Outcome outcome, List<Effect> effects) implements DryRun {
    /** What would come of a command. */
    public enum Outcome {
        CHANGES,
        /** It is so already. */
        NOTHING,
        REFUSED
    }

    public Preview {
        effects = List.copyOf(effects);
    }

    static Preview refused(Code because) {
        return refused(because, 0);
    }

    /** @param count how many it concerns */
    static Preview refused(Code because, int count) {
        return new Preview(Outcome.REFUSED, List.of(new Effect(because, count)));
    }

    static Preview nothing(Code because) {
        return new Preview(Outcome.NOTHING, List.of(Effect.of(because)));
    }

    static Preview of(Code... codes) {
        Draft draft = new Draft();
        for (Code code : codes) {
            draft.says(code);
        }
        return draft.end();
    }

    /** Collects effects. Used by one thread. */
    static final class Draft {
        private final List<Effect> effects = new ArrayList<>();

        Draft says(Code code) {
            effects.add(Effect.of(code));
            return this;
        }

        /** Nothing is said about none. */
        Draft counts(Code code, long count) {
            if (count > 0) {
                effects.add(new Effect(code, Math.toIntExact(count)));
            }
            return this;
        }

        Draft saysIf(boolean holds, Code code) {
            return holds ? says(code) : this;
        }

        Preview end() {
            return new Preview(Outcome.CHANGES, effects);
        }
    }
}
