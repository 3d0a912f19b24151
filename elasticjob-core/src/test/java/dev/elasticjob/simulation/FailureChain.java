package dev.elasticjob.simulation;

import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A job with {@code pauseAfterFailures} never starts an item once more after so many failures, unless its pause has changed
 * since; and it pauses itself for nothing else.
 */
final class FailureChain extends Chain {
    private final Map<Integer, Item> items = new HashMap<>();

    FailureChain(Oracle oracle, Quorum quorum) {
        super(oracle, quorum);
    }

    /**
     * A start of an item.
     *
     * @param pause the transaction that had last changed the job's pause
     * @param planned whether the plan in force was made after that: then whoever starts the item knows of the change
     */
    private record Start(long pause, boolean planned) {}

    private static final class Item {
        private @Nullable Start present;
        /** What comes back if the present one is undone. */
        private @Nullable Start before;

        private final List<Start> failed = new ArrayList<>();

        long count(Predicate<Start> which) {
            return failed.stream().filter(which).count();
        }

        void begins(Start start) {
            before = present;
            present = start;
        }

        void ends(Recorded after) {
            if (after.is("COMPLETED")) {
                failed.clear();
            } else if (after.is("FAILED") && !after.isCancelled() && present != null) {
                failed.add(present);
            }
        }
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            List<Change> later = changes.subList(i, changes.size());
            change.item(tree).ifPresent(item -> {
                if (change.kind() == Kind.DELETED) {
                    items.remove(item);
                } else if (change.kind() == Kind.SET) {
                    recorded(
                            item,
                            Recorded.of(change.before().orElseThrow()),
                            Recorded.of(change.after().orElseThrow()),
                            later);
                }
            });
            if (change.path().equals(tree.paused()) && pausesItself(change)) {
                long pause = change.before().map(RegistryNode::mzxid).orElse(0L);
                boolean rightly = most() > 0
                        && items.values().stream()
                                .anyMatch(item -> item.count(start -> start.pause() == pause) >= most());
                if (!rightly) {
                    oracle.violated("pause after failures: the job is paused, though no item has failed so often: "
                            + change.after().orElseThrow().text());
                }
            }
        }
    }

    private static boolean pausesItself(Change change) {
        return change.after()
                .map(PauseSwitch::of)
                .flatMap(PauseSwitch::failures)
                .isPresent();
    }

    private void recorded(int number, Recorded before, Recorded after, List<Change> later) {
        Item item = items.computeIfAbsent(number, any -> new Item());
        boolean refused = after.isRefused() && !before.isSameRunAs(after) && !before.is("RUNNING");
        if (refused || (after.is("RUNNING") && !before.is("RUNNING"))) {
            starts(number, item, later);
            if (refused) {
                item.ends(after);
            }
        } else if (before.is("RUNNING") || before.is("INTERRUPTED")) {
            if (before.isSameExecution(after)) {
                item.ends(after);
            } else if (before.is("RUNNING")) {
                item.present = item.before;
            }
        }
    }

    private void starts(int number, Item item, List<Change> later) {
        long pause = changed(tree.paused(), later);
        Start start = new Start(pause, changed(tree.sharding(), later) > pause);
        long failed = item.count(one -> one.pause() == pause && one.planned());
        if (most() > 0 && failed >= most()) {
            oracle.violated("pause after failures: item %d has failed %d times, and is started again"
                    .formatted(number, failed));
        }
        item.begins(start);
    }

    /** The transaction that had last changed the node, at the step that is looked at; 0 if there was none. */
    private long changed(String path, List<Change> later) {
        Optional<RegistryNode> node = later.stream()
                .filter(change -> change.path().equals(path))
                .findFirst()
                .map(Change::before)
                .orElseGet(() -> node(path));
        return node.map(RegistryNode::mzxid).orElse(0L);
    }

    private int most() {
        return InForce.isDefined(quorum.tree(), tree) ? definition().pauseAfterFailures() : 0;
    }
}
