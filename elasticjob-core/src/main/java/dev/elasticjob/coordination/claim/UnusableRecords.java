package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owned items with unusable records. Each is reported once and doesn't start; other items are not affected. No
 * instance of this library writes such a record, so no other event would follow its correction. It is watched until it
 * is corrected or the item moves.
 *
 * <p>Confined to the coordination executor.
 */
final class UnusableRecords {
    private static final Logger log = LoggerFactory.getLogger(UnusableRecords.class);

    private final JobScope scope;
    private final IntConsumer lookAgain;
    private final Map<Integer, Unusable> unusable = new TreeMap<>();

    /** @param lookAgain receives an item whose record has changed, or may have changed before the watch was set */
    UnusableRecords(JobScope scope, IntConsumer lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    private record Unusable(String problem, Subscription watch) {}

    void look(NavigableSet<Integer> owned, Collection<ItemView> items) {
        for (ItemView item : items) {
            if (item.isReadable()) {
                mended(item.item());
            } else if (owned.contains(item.item())) {
                found(item.item(), item.problem().orElseThrow());
            }
        }
    }

    private void found(int item, String problem) {
        Unusable known = unusable.get(item);
        if (known != null && known.problem().equals(problem)) {
            return;
        }
        Subscription watch = known == null ? watch(item) : known.watch();
        unusable.put(item, new Unusable(problem, watch));
        log.error(
                "Job \"{}\": item {} is not started until its record is corrected; other items are not affected. {}",
                scope.jobName(),
                item,
                problem);
        if (known == null) {
            lookAgain.accept(item);
        }
    }

    private Subscription watch(int item) {
        return scope.registry().watch(scope.tree().item(item), WatchScope.DATA, () -> changed(item));
    }

    private void changed(int item) {
        if (unusable.containsKey(item)) {
            lookAgain.accept(item);
        }
    }

    private void mended(int item) {
        Unusable known = unusable.remove(item);
        if (known != null) {
            known.watch().close();
            log.info("Job \"{}\": the record of item {} is usable again", scope.jobName(), item);
        }
    }

    void retain(Collection<Integer> owned) {
        unusable.forEach((item, known) -> {
            if (!owned.contains(item)) {
                known.watch().close();
            }
        });
        unusable.keySet().retainAll(owned);
    }
}
