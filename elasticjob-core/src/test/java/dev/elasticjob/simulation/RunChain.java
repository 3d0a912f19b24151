package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows each manual run from transaction to transaction: it waits or is recorded until it has ended or was dropped, it
 * never comes back after that, each of its executions has its parameter, and who awaits it hears what became of it.
 */
final class RunChain extends Chain {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Map<String, String> parameters = new HashMap<>();
    private final Map<Integer, Set<String>> open = new HashMap<>();
    /** Those that wait and have met a disabled item: who has seen both may drop them, however late his request arrives. */
    private final Map<Integer, Set<String>> droppable = new HashMap<>();
    /** What became of a run for an item, in all its lives. */
    private final Map<String, Set<String>> fates = new HashMap<>();

    /** What items had waiting when they were removed. */
    private final Set<String> removed = new HashSet<>();

    private final List<Awaited> awaited = new ArrayList<>();

    private record Awaited(SimulatedProcess process, String runId, CompletableFuture<RunOutcome> outcome) {}

    RunChain(Oracle oracle, Quorum quorum) {
        super(oracle, quorum);
    }

    // ------------------------------------------------------------------ who asks

    void asks(String runId, String parameter) {
        parameters.put(runId, parameter);
    }

    /** Somebody waits for its end. */
    void awaits(SimulatedProcess process, String runId, CompletableFuture<RunOutcome> outcome) {
        awaited.add(new Awaited(process, runId, outcome));
        outcome.whenComplete((told, error) -> {
            if (told != null && process.isAlive()) {
                told.items().forEach((item, end) -> judge(runId, item, end.end().name()));
            }
        });
    }

    private void judge(String runId, int item, String told) {
        boolean so = told.equals("OVERTAKEN")
                ? !openFor(item).contains(runId)
                : fates.getOrDefault(key(item, runId), Set.of()).contains(told);
        if (!so) {
            oracle.violated("who awaits run %s hears that item %d is %s, which it is not".formatted(runId, item, told));
        }
    }

    /** Nobody waits for what has ended. */
    void everyWaitIsOver() {
        for (Awaited each : awaited) {
            if (each.process().isAlive()
                    && !each.process().isLeaving()
                    && !each.outcome().isDone()) {
                oracle.violated("P4, progress: %s still awaits run %s"
                        .formatted(each.process().name(), each.runId()));
            }
        }
    }

    void begins(Execution execution, ShardingContext context) {
        String parameter = context.getRunParameter();
        for (String runId : execution.cause().split(",")) {
            String asked = parameters.get(runId);
            if (asked != null && !asked.equals(parameter)) {
                oracle.violated("a manual run has another parameter: \"%s\" instead of \"%s\" begins %s"
                        .formatted(parameter, asked, execution));
            }
            if (asked != null && context.getRequester().isEmpty()) {
                oracle.violated("a manual run has forgotten who requested it: " + execution);
            }
        }
    }

    // ------------------------------------------------------------------ transactions

    @Override
    public void changed(long session, List<Change> changes) {
        Set<Integer> touched = new TreeSet<>();
        for (Change change : changes) {
            item(change.path()).ifPresent(item -> {
                touched.add(item);
                if (change.path().equals(tree.item(item))) {
                    change.after().ifPresent(node -> records(item, Recorded.of(node)));
                }
            });
        }
        touched.forEach(this::step);
    }

    /** Of a record, of what waits for it or of what disables it. */
    private Optional<Integer> item(String path) {
        String parent = tree.sharding() + "/";
        if (!path.startsWith(parent)) {
            return Optional.empty();
        }
        String name = path.substring(parent.length());
        boolean child = name.endsWith("/trigger") || name.endsWith("/disabled");
        String number = child ? name.substring(0, name.indexOf('/')) : name;
        return JobTree.itemNumber(number).isPresent() ? Optional.of(Integer.parseInt(number)) : Optional.empty();
    }

    private void records(int item, Recorded recorded) {
        if (recorded.runId() != null && !recorded.is("RUNNING")) {
            for (String runId : recorded.runId().split(",")) {
                fate(item, runId, recorded.state());
            }
        }
    }

    private void step(int item) {
        Replica now = quorum.tree();
        Set<String> waiting = new HashSet<>();
        now.node(tree.trigger(item)).ifPresent(node -> waiting.addAll(waiting(node)));
        Set<String> next = new HashSet<>(waiting);
        Optional<RegistryNode> record = now.node(tree.item(item));
        record.map(Recorded::of)
                .filter(recorded -> recorded.runId() != null)
                .filter(recorded -> recorded.is("RUNNING") || recorded.is("INTERRUPTED"))
                .ifPresent(recorded -> next.addAll(List.of(recorded.runId().split(","))));
        Set<String> before = openFor(item);
        open.put(item, next);
        for (String runId : next) {
            boolean over = fates.getOrDefault(key(item, runId), Set.of()).stream()
                    .anyMatch(fate -> !fate.equals("INTERRUPTED"));
            // An item that was removed and comes back during a request is asked like any other.
            boolean anew =
                    removed.contains(key(item, runId)) && oracle.firings().isAsking(runId);
            if (over && !anew && !before.contains(runId) && record.isPresent()) {
                oracle.violated(
                        "P2, once per firing: run %s of item %d is over, and waits again".formatted(runId, item));
            }
        }
        before.stream().filter(runId -> !next.contains(runId)).forEach(runId -> leaves(item, runId));
        Set<String> mayGo = droppable.computeIfAbsent(item, any -> new HashSet<>());
        mayGo.retainAll(waiting);
        now.node(tree.trigger(item)).ifPresent(node -> mayGo.addAll(inVain(node)));
        if (now.node(tree.disabled(item)).isPresent()) {
            mayGo.addAll(waiting);
        }
    }

    private void leaves(int item, String runId) {
        Replica now = quorum.tree();
        boolean mayGo = droppable.getOrDefault(item, Set.of()).contains(runId);
        if (now.node(tree.item(item)).isEmpty()) {
            removed.add(key(item, runId));
        }
        if (mayGo || now.node(tree.item(item)).isEmpty()) {
            fate(item, runId, "DROPPED");
        } else if (fates.getOrDefault(key(item, runId), Set.of()).isEmpty()) {
            oracle.violated("P3, no run lost: run %s of item %d is gone, and nobody has run it".formatted(runId, item));
        }
    }

    /** Whether an item has still to run it. */
    static boolean isAsked(Replica now, JobTree tree, int item, String runId) {
        return now.node(tree.trigger(item))
                .filter(node -> waiting(node).contains(runId))
                .isPresent();
    }

    /** Whether what waits of it was cancelled. */
    static boolean isDropped(RegistryNode trigger, String runId) {
        List<JsonNode> runs = new ArrayList<>();
        if (trigger.data().length > 0) {
            JsonNode json = MAPPER.readTree(trigger.data());
            runs.add(json);
            json.path("behind").forEach(runs::add);
        }
        List<JsonNode> named = runs.stream()
                .filter(run ->
                        List.of(run.path("runId").asString("").split(",")).contains(runId))
                .toList();
        return !named.isEmpty()
                && named.stream().allMatch(run -> run.path("dropped").isObject());
    }

    static List<String> waiting(RegistryNode trigger) {
        List<String> runIds = new ArrayList<>();
        JsonNode json = MAPPER.readTree(trigger.data());
        runIds.addAll(List.of(json.path("runId").asString("").split(",")));
        json.path("behind")
                .forEach(behind ->
                        runIds.addAll(List.of(behind.path("runId").asString("").split(","))));
        return runIds;
    }

    /** Runs that were cancelled, and those that repeat what the item may not show any more. */
    private static List<String> inVain(RegistryNode trigger) {
        List<String> runIds = new ArrayList<>();
        if (trigger.data().length > 0) {
            JsonNode json = MAPPER.readTree(trigger.data());
            inVain(json, runIds);
            json.path("behind").forEach(behind -> inVain(behind, runIds));
        }
        return runIds;
    }

    private static void inVain(JsonNode run, List<String> runIds) {
        if (run.path("dropped").isObject()
                || run.path("repeats").path("attempt").asInt(0) > 1) {
            runIds.addAll(List.of(run.path("runId").asString("").split(",")));
        }
    }

    private Set<String> openFor(int item) {
        return open.getOrDefault(item, Set.of());
    }

    private void fate(int item, String runId, String fate) {
        fates.computeIfAbsent(key(item, runId), any -> new HashSet<>()).add(fate);
    }

    private static String key(int item, String runId) {
        return item + "|" + runId;
    }
}
