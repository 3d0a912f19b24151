package dev.elasticjob.simulation;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Each execution of an item goes on from what was stored when it was claimed; nobody whom another one has succeeded
 * changes that; and an end that is recorded comes with the last word of its execution. Words are "token:number".
 */
final class CheckpointChain extends Chain {
    private final Map<Integer, Start> starts = new HashMap<>();
    private final Map<Long, Map<Integer, String>> lastWords = new HashMap<>();

    CheckpointChain(Oracle oracle, Quorum quorum) {
        super(oracle, quorum);
    }

    /** The last claim of an item, what was stored then, and the claim before it. */
    private record Start(long token, Optional<String> stored, Optional<Start> before) {}

    void begins(Execution execution, Optional<String> goesOnFrom) {
        Start start = starts.get(execution.item());
        boolean known = start != null && start.token() == execution.token();
        if (known && !start.stored().equals(goesOnFrom)) {
            oracle.violated("checkpoint: %s goes on from %s, but %s was stored when it was claimed"
                    .formatted(execution, goesOnFrom, start.stored()));
        }
    }

    /** The next word of an execution. */
    String says(Execution execution, int number) {
        String word = execution.token() + ":" + number;
        lastWords.computeIfAbsent(execution.token(), any -> new HashMap<>()).put(execution.item(), word);
        oracle.trace().note(execution.process().name(), () -> "SAYS " + word + " for item " + execution.item());
        return word;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            item(change.path()).ifPresent(item -> {
                if (change.path().equals(tree.checkpoint(item)) && change.kind() != Kind.DELETED) {
                    written(item, change);
                } else if (change.path().equals(tree.running(item)) && change.kind() == Kind.CREATED) {
                    change.after().filter(RegistryNode::isEphemeral).ifPresent(lock -> claimed(item, lock));
                } else if (change.path().equals(tree.item(item)) && change.kind() == Kind.SET) {
                    ended(
                            item,
                            Recorded.of(change.before().orElseThrow()),
                            Recorded.of(change.after().orElseThrow()));
                }
            });
        }
    }

    private OptionalInt item(String path) {
        String parent = tree.sharding() + "/";
        return path.startsWith(parent)
                ? JobTree.itemNumber(path.substring(parent.length()).split("/")[0])
                : OptionalInt.empty();
    }

    private void claimed(int item, RegistryNode lock) {
        Optional<String> said = stored(item).filter(text -> !text.isEmpty());
        starts.put(item, new Start(lock.czxid(), said, Optional.ofNullable(starts.get(item))));
    }

    private Optional<String> stored(int item) {
        return node(tree.checkpoint(item)).map(RegistryNode::text);
    }

    private void written(int item, Change change) {
        String word = change.after().orElseThrow().text();
        String before = change.before().map(RegistryNode::text).orElse("");
        long writer = token(word);
        Start last = starts.get(item);
        if (last != null && writer != last.token()) {
            oracle.violated("checkpoint: that of item %d is %s, and %s is written by one that %d has succeeded"
                    .formatted(item, before, word, last.token()));
        }
        if (!before.isEmpty() && token(before) == writer && number(before) > number(word)) {
            oracle.violated("checkpoint: that of item %d goes back from %s to %s".formatted(item, before, word));
        }
    }

    private void ended(int item, Recorded before, Recorded after) {
        if (isUnclaimed(before, after)) {
            // The execution that was interrupted before it is the last one again.
            starts.computeIfPresent(item, (any, start) -> start.before().orElse(null));
            return;
        }
        boolean released = after.is("INTERRUPTED") && after.crashes() == before.crashes();
        boolean byItself = after.crashes() == before.crashes();
        boolean ends = after.is("COMPLETED") || (after.is("FAILED") && byItself) || released;
        boolean open = before.is("RUNNING") || before.is("INTERRUPTED");
        boolean told = !Objects.equals(before.finishedAt(), after.finishedAt());
        Start start = starts.get(item);
        if (!open || !ends || !told || !before.isSameExecution(after) || start == null) {
            return;
        }
        String word = lastWords.getOrDefault(start.token(), Map.of()).get(item);
        if (word != null && !stored(item).equals(Optional.of(word))) {
            oracle.violated("checkpoint: item %d has ended after saying %s, but %s is stored"
                    .formatted(item, word, stored(item)));
        }
    }

    /** Its process may give a claim back in its next session, when others have recorded it as interrupted. */
    private static boolean isUnclaimed(Recorded before, Recorded after) {
        boolean differ = !before.isSameExecution(after) && !after.is("RUNNING");
        return differ && (before.is("RUNNING") || (before.is("INTERRUPTED") && isEarlier(after, before)));
    }

    private static boolean isEarlier(Recorded one, Recorded other) {
        return one.scheduledAt() != null
                && other.scheduledAt() != null
                && (one.scheduledAt().isBefore(other.scheduledAt())
                        || (one.scheduledAt().equals(other.scheduledAt()) && one.attempt() < other.attempt()));
    }

    private static long token(String word) {
        return Long.parseLong(word.substring(0, word.indexOf(':')));
    }

    private static int number(String word) {
        return Integer.parseInt(word.substring(word.indexOf(':') + 1));
    }
}
