package dev.elasticjob.simulation;

import dev.elasticjob.coordination.view.Pause;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What operators hold back: once they were told that a pause or a drain is in force, nothing is claimed until it is undone;
 * and what came due in a pause is never claimed by a plan that was made after it.
 */
final class Holds extends Chain {
    private final Clock clock;
    /** By path: whether it was paused, from which moment on. */
    private final Map<String, NavigableMap<Instant, Boolean>> switched = new HashMap<>();
    /** The nodes that operators were told to be in force, by path, with their creation. */
    private final Map<String, Long> inForce = new HashMap<>();
    /** The nodes of drains that may be undone, by their creation: their own answers may come later. */
    private final Map<String, Long> ending = new HashMap<>();

    Holds(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
        switched.put(tree.paused(), new TreeMap<>(Map.of(Instant.MIN, false)));
        switched.put(JobTree.namespacePaused(), new TreeMap<>(Map.of(Instant.MIN, false)));
    }

    /** A drain that is undone, or may be: by a command that may be lost on its way, or because a process has just started. */
    void mayEnd(String drain) {
        inForce.remove(drain);
        node(drain).ifPresent(node -> ending.put(drain, node.czxid()));
    }

    /** An operator was told so; if it is still there, it holds. */
    void inForce(String path) {
        quorum.tree()
                .node(path)
                .filter(node -> isSwitch(path) ? isPaused(path) : !Objects.equals(ending.get(path), node.czxid()))
                .ifPresent(node -> inForce.put(path, node.mzxid()));
    }

    private boolean isSwitch(String path) {
        return switched.containsKey(path);
    }

    private boolean isPaused(String path) {
        return quorum.tree()
                .node(path)
                .map(PauseSwitch::of)
                .filter(PauseSwitch::paused)
                .isPresent();
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (isSwitch(change.path())) {
                NavigableMap<Instant, Boolean> times = switched.get(change.path());
                boolean paused = change.after()
                        .map(PauseSwitch::of)
                        .filter(PauseSwitch::paused)
                        .isPresent();
                times.put(clock.instant(), paused);
            }
        }
        inForce.entrySet().removeIf(told -> isOver(told.getKey(), told.getValue()));
        changes.stream()
                .filter(change -> change.kind() == Kind.SET && Mutation.isRecord(change.path(), tree))
                .filter(change -> Mutation.creates(changes, change.path() + "/running"))
                .filter(change ->
                        Recorded.of(change.after().orElseThrow()).state().equals("RUNNING"))
                .forEach(change -> claimed(Recorded.of(change.after().orElseThrow()), change));
    }

    /**
     * A pause ends with the next change of its node. A drain may only go while no instance has its id: of one that lives,
     * it goes with its process, or by command.
     */
    private boolean isOver(String path, long written) {
        Optional<RegistryNode> now = node(path);
        if (isSwitch(path)) {
            return now.filter(node -> node.mzxid() == written).isEmpty();
        }
        String id = path.substring(path.lastIndexOf('/') + 1);
        return now.isEmpty() && node(tree.instance(id)).isEmpty();
    }

    private void claimed(Recorded after, Change change) {
        for (String path : inForce.keySet()) {
            if (isSwitch(path) || path.equals(tree.drain(String.valueOf(after.instance())))) {
                oracle.violated("an operator's word: %s is in force, and %s is claimed: %s"
                        .formatted(path, change.path(), after));
            }
        }
        boolean first = after.attempt() == 1 && after.runId() == null && after.scheduledAt() != null;
        Optional<Instant> planned = node(tree.sharding()).map(RegistryNode::modified);
        boolean pardoned = (first && quorum.pardons(after.scheduledAt()))
                || planned.filter(clock.instant()::isBefore).isPresent();
        if (first && planned.isPresent() && !pardoned) {
            // What ended while the registry's clock was ahead counts once that is corrected.
            boolean corrects = quorum.isPardoned();
            pauses().filter(pause -> !corrects || !quorum.hasBeenAheadBy(pause.until()))
                    .filter(pause -> pause.until() != null
                            && pause.until().isBefore(planned.get())
                            && pause.from().isBefore(after.scheduledAt())
                            && !pause.until().isBefore(after.scheduledAt()))
                    .findFirst()
                    .ifPresent(pause ->
                            oracle.violated("an operator's word: what fell due in a pause is claimed after it: %s, %s"
                                    .formatted(after, pause)));
        }
    }

    private java.util.stream.Stream<Pause> pauses() {
        return switched.values().stream().flatMap(times -> {
            Map<Instant, Instant> pauses = new TreeMap<>();
            times.forEach((time, paused) -> {
                Map.Entry<Instant, Boolean> before = times.lowerEntry(time);
                if (!paused && before != null && before.getValue()) {
                    pauses.put(before.getKey(), time);
                }
            });
            return pauses.entrySet().stream().map(pause -> new Pause(pause.getKey(), pause.getValue()));
        });
    }

    /** A pause that begins or ends with a firing has met it. */
    boolean wasPausedAt(Instant firing) {
        return switched.values().stream()
                .anyMatch(times -> times.floorEntry(firing).getValue()
                        || times.lowerEntry(firing).getValue());
    }

    /** A pause had begun before the firing, and lasted until after it. */
    boolean wasInPause(Instant firing) {
        return switched.values().stream()
                .anyMatch(times -> times.floorEntry(firing).getValue()
                        && times.lowerEntry(firing).getValue());
    }
}
