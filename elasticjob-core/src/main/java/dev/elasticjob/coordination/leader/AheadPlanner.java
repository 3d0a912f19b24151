package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds times in a job's nodes that are ahead of the registry's clock, and what these nodes should hold instead. Pure.
 * The rules are those of "Times from the future" in {@code docs/internals/protocol.md}.
 */
record AheadPlanner(JobView view, RegistryMoment present) {
    /**
     * A node with a time that is ahead.
     *
     * @param ahead the latest of its times
     * @param data what it should hold, guarded by the version that was read
     */
    record Correction(String path, Instant ahead, byte[] data, int version) {}

    /** The nodes to correct. The plan is the last one: what a pause says has to be right before it. */
    List<Correction> corrections() {
        List<Correction> all = new ArrayList<>();
        view.pauseNodes()
                .forEach((path, node) -> PauseSwitch.corrected(node, present)
                        .ifPresent(data -> all.add(new Correction(
                                path,
                                Assignment.later(PauseSwitch.of(node).latestTime(), node.modified()),
                                data,
                                node.version()))));
        view.delay().flatMap(this::lastFiring).ifPresent(all::add);
        view.assignment().flatMap(this::plan).ifPresent(all::add);
        return all;
    }

    /** The next firing follows from the end of the last one. */
    private Optional<Correction> lastFiring(RegistryNode node) {
        return DelayedFiring.read(node)
                .filter(last -> last.ended().filter(present::isAhead).isPresent())
                .map(last -> new Correction(
                        view.tree().delay(),
                        last.ended().orElseThrow(),
                        last.corrected(present).write(),
                        node.version()));
    }

    private Optional<Correction> plan(Assignment inForce) {
        Assignment next = inForce.corrected(present);
        return next.equals(inForce) && !present.isAhead(view.planned())
                ? Optional.empty()
                : Optional.of(new Correction(
                        view.tree().sharding(),
                        Assignment.later(inForce.latestTime(), view.planned()),
                        NodeCodec.write(next),
                        view.epoch()));
    }
}
