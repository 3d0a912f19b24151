package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Has the rules of the job carried out that write something besides claims, for one item after the other, until each has
 * succeeded. Nobody relies on them.
 *
 * <p>Confined to the coordination executor.
 */
final class RuleRounds {
    private final JobScope scope;
    private final ItemClaims.Rules rules;
    private final IntPredicate waitsForThread;
    private final Rounds pauses;
    private final Rounds overlaps;

    /**
     * @param waitsForThread whether an item was claimed here and has had no thread
     * @param outOfDate called when a pause may have begun, or this instance may have known an earlier one
     */
    RuleRounds(JobScope scope, ItemClaims.Rules rules, IntPredicate waitsForThread, Runnable outOfDate) {
        this.scope = scope;
        this.rules = rules;
        this.waitsForThread = waitsForThread;
        this.pauses = new Rounds("pause after failures", outOfDate);
        this.overlaps = new Rounds("overlap", () -> {});
    }

    /** Executions of this item seem to have failed too often. */
    void failedTooOften(int item) {
        pauses.want(item, () -> rules.pause().look(item));
    }

    /** The firing cancels what this item executes. What waits for a thread isn't cancelled: the next would wait behind it. */
    void overlaps(int item, Instant firing) {
        if (!waitsForThread.test(item)) {
            overlaps.want(item, () -> rules.overlap().cancel(item, firing));
        }
    }

    /** There is a connection again, perhaps. */
    void follow() {
        pauses.follow();
        overlaps.follow();
    }

    void stop() {
        pauses.loop.stop();
        overlaps.loop.stop();
    }

    /** The items that one rule seems to concern. */
    private final class Rounds {
        private final Runnable done;
        private final ReconcileLoop loop;
        private final Map<Integer, Supplier<CompletionStage<Void>>> wanted = new TreeMap<>();

        /** @param done called when the rule was carried out for an item */
        Rounds(String name, Runnable done) {
            this.done = done;
            this.loop = scope.loop(name, this::round);
        }

        void want(int item, Supplier<CompletionStage<Void>> step) {
            wanted.put(item, step);
            loop.again();
        }

        void follow() {
            if (!wanted.isEmpty()) {
                loop.again();
            }
        }

        private CompletionStage<Next> round() {
            if (wanted.isEmpty() || scope.connection().session().isEmpty()) {
                return Next.WAIT.stage();
            }
            Map.Entry<Integer, Supplier<CompletionStage<Void>>> first =
                    wanted.entrySet().iterator().next();
            int item = first.getKey();
            Supplier<CompletionStage<Void>> step = first.getValue();
            return step.get().thenApply(carriedOut -> {
                wanted.remove(item, step);
                done.run();
                return Next.againIf(!wanted.isEmpty());
            });
        }
    }
}
