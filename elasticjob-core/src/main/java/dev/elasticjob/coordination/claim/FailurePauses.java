package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Has the job paused because of items that have failed too often, one after the other. Nobody relies on it: such an item
 * isn't claimed before.
 *
 * <p>Confined to the coordination executor.
 */
final class FailurePauses {
    private final JobScope scope;
    private final PauseRule rule;
    private final Runnable outOfDate;
    private final ReconcileLoop loop;
    private final Set<Integer> wanted = new TreeSet<>();

    /** @param outOfDate called when a pause may have begun, or this instance may have known an earlier one */
    FailurePauses(JobScope scope, PauseRule rule, Runnable outOfDate) {
        this.scope = scope;
        this.rule = rule;
        this.outOfDate = outOfDate;
        this.loop = scope.loop("pause after failures", this::round);
    }

    /** This item seems to have failed too often. */
    void look(int item) {
        wanted.add(item);
        loop.again();
    }

    /** There is a connection again, perhaps. */
    void follow() {
        if (!wanted.isEmpty()) {
            loop.again();
        }
    }

    private CompletionStage<Next> round() {
        Iterator<Integer> next = wanted.iterator();
        if (!next.hasNext() || scope.connection().session().isEmpty()) {
            return Next.WAIT.stage();
        }
        int item = next.next();
        return rule.look(item).thenApply(done -> {
            wanted.remove(item);
            outOfDate.run();
            return Next.againIf(!wanted.isEmpty());
        });
    }

    void stop() {
        loop.stop();
    }
}
