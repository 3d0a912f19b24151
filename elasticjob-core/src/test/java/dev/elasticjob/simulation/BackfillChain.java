package dev.elasticjob.simulation;

import dev.elasticjob.coordination.run.Backfill;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the backfills of a job: its times are asked for one after the other, each by the transaction that moves the cursor,
 * never more of them at once than allowed, and none is forgotten before all items have ended it.
 */
final class BackfillChain extends Chain {
    private static final Pattern RUN = Pattern.compile("backfill-([0-9a-f]{8})-(-?[0-9]+)");

    private final Clock clock;

    BackfillChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.path().equals(tree.backfill())) {
                step(change.before().flatMap(Backfill::read), change.after().flatMap(Backfill::read), owned(changes));
            } else if (change.path().startsWith(tree.sharding() + "/")
                    && change.path().endsWith("/trigger")) {
                asked(change, changes);
            }
        }
    }

    /** An unclaim, which changes the record too, only brings back what was asked for before. */
    private void asked(Change change, List<Change> changes) {
        String item = change.path().substring(0, change.path().length() - "/trigger".length());
        String before = change.before().map(RegistryNode::text).orElse("");
        Matcher runs = RUN.matcher(change.after().map(RegistryNode::text).orElse(""));
        boolean restores = changes.stream().anyMatch(other -> other.path().equals(item));
        while (runs.find()) {
            Instant time = Instant.ofEpochMilli(Long.parseLong(runs.group(2)));
            Optional<Backfill> now = node(tree.backfill()).flatMap(Backfill::read);
            boolean known = now.filter(backfill -> backfill.id().equals(runs.group(1)))
                    .filter(backfill -> backfill.open().contains(time))
                    .isPresent();
            require(
                    restores || before.contains(runs.group()) || known,
                    "a time is asked for by the backfill that has it open: %s of %s, but there is %s",
                    runs.group(),
                    item,
                    now);
        }
    }

    /** The items that have owners. If the same transaction takes all of them away, those that had. */
    private Set<Integer> owned(List<Change> changes) {
        Set<Integer> now = owned(node(tree.sharding()));
        return !now.isEmpty()
                ? now
                : changes.stream()
                        .filter(change -> change.path().equals(tree.sharding()))
                        .findFirst()
                        .map(change -> owned(change.before()))
                        .orElse(now);
    }

    private static Set<Integer> owned(Optional<RegistryNode> sharding) {
        return InForce.of(sharding).map(plan -> plan.owners().keySet()).orElse(Set.of());
    }

    private void step(Optional<Backfill> before, Optional<Backfill> after, Set<Integer> owned) {
        after.ifPresent(now -> require(
                now.open().size() <= now.atOnce(), "no more times of a backfill than allowed at once: %s", now));
        if (before.isEmpty() || after.isEmpty()) {
            return;
        }
        Backfill from = before.get();
        Backfill to = after.get();
        require(from.id().equals(to.id()), "a backfill is not replaced by another: %s by %s", from, to);
        if (!from.next().equals(to.next())) {
            boolean asked = from.next().filter(to.open()::contains).isPresent();
            // As it was decided: the transaction may arrive later, as long as its session lasts.
            Instant decided = clock.instant().minus(quorum.sessionTimeout());
            boolean stillToCome = from.next().filter(decided::isBefore).isPresent();
            require(asked || stillToCome, "no time of a backfill is left out: %s becomes %s", from, to);
        }
        int failed = to.failures().count() - from.failures().count();
        require(
                failed >= 0 && failed <= from.open().size(),
                "only times that were open fail, and none is forgotten: %s becomes %s",
                from,
                to);
        from.open().stream()
                .filter(time -> !to.open().contains(time))
                .forEach(time -> forgets(from.runIdOf(time), owned));
    }

    /** An item that has lost its owner, because the count was lowered, isn't waited for. */
    private void forgets(String runId, Set<Integer> owned) {
        boolean failover = definition().failover();
        require(!owned.isEmpty(), "no time of a backfill is forgotten while no item has an owner: %s", runId);
        for (int item : owned) {
            Recorded record = node(tree.item(item)).map(Recorded::of).orElse(Recorded.NEW);
            boolean executes = record.isOf(runId) && (record.is("RUNNING") || (record.is("INTERRUPTED") && failover));
            require(
                    !executes && !RunChain.isAsked(quorum.tree(), tree, item, runId),
                    "a time of a backfill is over when all items have ended it: %s, but item %s has %s",
                    runId,
                    item,
                    record);
        }
    }

    /** Once all is well, it comes to its end. */
    void isOver() {
        node(tree.backfill())
                .flatMap(Backfill::read)
                .ifPresent(left -> oracle.violated("P4, progress: a backfill stands still: " + left));
    }
}
