package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Has a rule of the job carried out that writes something besides claims, for one item after the other, until it has
 * succeeded. Nobody relies on it.
 *
 * <p>Confined to the coordination executor.
 */
final class RuleRounds {
    private final JobScope scope;
    private final Runnable done;
    private final ReconcileLoop loop;
    private final Map<Integer, Supplier<CompletionStage<Void>>> wanted = new TreeMap<>();

    /** @param done called when a rule was carried out for an item */
    RuleRounds(JobScope scope, String name, Runnable done) {
        this.scope = scope;
        this.done = done;
        this.loop = scope.loop(name, this::round);
    }

    /** The rule seems to concern this item. */
    void look(int item, Supplier<CompletionStage<Void>> rule) {
        wanted.put(item, rule);
        loop.again();
    }

    /** There is a connection again, perhaps. */
    void follow() {
        if (!wanted.isEmpty()) {
            loop.again();
        }
    }

    private CompletionStage<Next> round() {
        Iterator<Map.Entry<Integer, Supplier<CompletionStage<Void>>>> next =
                wanted.entrySet().iterator();
        if (!next.hasNext() || scope.connection().session().isEmpty()) {
            return Next.WAIT.stage();
        }
        Map.Entry<Integer, Supplier<CompletionStage<Void>>> first = next.next();
        int item = first.getKey();
        Supplier<CompletionStage<Void>> rule = first.getValue();
        return rule.get().thenApply(carriedOut -> {
            wanted.remove(item, rule);
            done.run();
            return Next.againIf(!wanted.isEmpty());
        });
    }

    void stop() {
        loop.stop();
    }
}
