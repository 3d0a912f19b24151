package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows what operators cancel and run again: a cancellation reaches only what was meant, what it has reached fails and isn't
 * repeated, and what the operator is told is so.
 */
final class CancelChain extends Chain {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** What operators have asked to end; a cause, or an item and a cause. */
    private final Set<String> meant = new HashSet<>();
    /** Items and causes that a cancellation has reached. */
    private final Set<String> reached = new HashSet<>();
    /** Items and causes that may not begin any more. */
    private final Map<String, Result> barred = new HashMap<>();

    CancelChain(Oracle oracle, Quorum quorum) {
        super(oracle, quorum);
    }

    // ------------------------------------------------------------------ what operators do

    /** @param item empty for all items */
    void asks(Optional<Integer> item, String cause) {
        meant.add(item.map(one -> key(one, cause)).orElse(cause));
    }

    /** Whatever the item executes is meant, for as long as the command takes. */
    void asksForAnything(int item) {
        meant.add(anything(item));
    }

    void answered(CancelAnswer answer) {
        String cause = cause(answer.runId());
        answer.items().forEach((item, result) -> {
            String key = key(item, cause);
            if (result == Result.ASKED || result == Result.CANCELLED) {
                require(reached.contains(key), "who cancels %s hears %s, which it is not", key, result);
            } else if (result == Result.SKIPPED || result == Result.DROPPED) {
                Recorded now = node(tree.item(item)).map(Recorded::of).orElse(null);
                boolean runs = now != null && now.is("RUNNING") && now.isFor(cause);
                require(!runs, "who cancels %s hears %s, but it runs", key, result);
                barred.put(key, result);
            }
        });
    }

    private String cause(String runId) {
        String prefix = tree.jobName() + "@";
        return runId.startsWith(prefix) ? runId.substring(prefix.length()) : runId;
    }

    /** Without records, nothing is promised: a clock that is behind may come to the firing afterwards. */
    void begins(Execution execution) {
        if (execution.token() == 0) {
            return;
        }
        for (String cause : execution.cause().split(",")) {
            Result result = barred.get(key(execution.item(), cause));
            require(result == null, "what was cancelled before it began stays so: %s (%s) begins", execution, result);
        }
    }

    // ------------------------------------------------------------------ transactions

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.kind() == Kind.SET) {
                RegistryNode before = change.before().orElseThrow();
                RegistryNode after = change.after().orElseThrow();
                item(change.path(), "").ifPresent(item -> record(item, Recorded.of(before), Recorded.of(after)));
            }
            change.after().ifPresent(node -> item(change.path(), "/trigger").ifPresent(item -> drops(item, node)));
        }
    }

    private Optional<Integer> item(String path, String child) {
        String parent = tree.sharding() + "/";
        if (!path.startsWith(parent) || !path.endsWith(child)) {
            return Optional.empty();
        }
        String name = path.substring(parent.length(), path.length() - child.length());
        return JobTree.itemNumber(name).isPresent() ? Optional.of(Integer.parseInt(name)) : Optional.empty();
    }

    /** An unclaim may bring back what was cancelled before: that the record goes back is not judged here. */
    private void record(int item, Recorded before, Recorded after) {
        if (before.is("RUNNING") && before.isCancelled()) {
            boolean failed = after.is("FAILED") && after.isCancelled() && after.isSameExecution(before);
            require(
                    failed,
                    "what was cancelled fails, whatever becomes of it: item %s goes from %s to %s",
                    item,
                    before,
                    after);
        } else if (after.isCancelled() && !before.isCancelled() && before.isSameExecution(after)) {
            boolean open = before.is("RUNNING") || before.is("INTERRUPTED");
            require(
                    open && (OverlapChain.isByFiring(after) || isMeant(item, after)),
                    "a wish reaches only what was meant: item %s goes from %s to %s",
                    item,
                    before,
                    after);
            for (String cause : after.cause().split(",")) {
                reached.add(key(item, cause));
            }
            if (after.runId() != null) {
                reached.add(key(item, after.runId()));
            }
            if (after.repeated() != null) {
                reached.add(key(item, after.repeated()));
            }
        }
    }

    boolean hasReached(Execution execution) {
        return reached.contains(key(execution.item(), execution.cause()));
    }

    private boolean isMeant(int item, Recorded execution) {
        return meant.contains(anything(item))
                || meant.stream()
                        .anyMatch(cause -> cause.startsWith(item + "|")
                                ? execution.isFor(cause.substring(cause.indexOf('|') + 1))
                                : execution.isFor(cause));
    }

    private void drops(int item, RegistryNode trigger) {
        JsonNode json = MAPPER.readTree(trigger.data().length == 0 ? "{}".getBytes() : trigger.data());
        bar(item, json);
        json.path("behind").forEach(behind -> bar(item, behind));
    }

    private void bar(int item, JsonNode run) {
        if (run.path("dropped").isObject()) {
            barred.put(key(item, run.path("runId").asString("")), Result.DROPPED);
        }
    }

    private static String key(int item, String cause) {
        return item + "|" + cause;
    }

    private static String anything(int item) {
        return item + "|*";
    }
}
