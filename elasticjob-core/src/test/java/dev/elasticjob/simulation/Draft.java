package dev.elasticjob.simulation;

import static dev.elasticjob.registry.RegistryCommit.ANY_VERSION;

import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A transaction being worked out against a tree, which stays as it is until all steps have held. */
final class Draft {
    private final Replica base;
    private final long session;
    private final long zxid;
    private final Instant time;
    private final Map<String, Optional<RegistryNode>> drafted = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();

    Draft(Replica base, long session, long zxid, Instant time) {
        this.base = base;
        this.session = session;
        this.zxid = zxid;
        this.time = time;
    }

    List<Change> changes() {
        return changes;
    }

    /** Whether a node was created or set: only then does an answer carry a time. */
    boolean isStamped() {
        return changes.stream().anyMatch(change -> change.kind() != Kind.DELETED);
    }

    /** Carries out one step; the reason why it can't, else nothing. */
    Optional<Reason> step(Operation operation) {
        String path = operation.path();
        Optional<RegistryNode> there = node(path);
        if (operation instanceof Operation.Create create) {
            return create(create, there);
        }
        if (there.isEmpty()) {
            return Optional.of(Reason.ABSENT);
        }
        RegistryNode node = there.get();
        if (operation instanceof Operation.Check check) {
            return mismatch(node, check.version());
        }
        if (operation instanceof Operation.Set set) {
            return mismatch(node, set.version()).or(() -> {
                RegistryNode next = new RegistryNode(
                        set.data(),
                        node.version() + 1,
                        node.czxid(),
                        zxid,
                        node.created(),
                        time,
                        node.ephemeralOwner());
                change(path, Kind.SET, Optional.of(next));
                return Optional.empty();
            });
        }
        return mismatch(node, ((Operation.Delete) operation).version()).or(() -> delete(path));
    }

    private Optional<Reason> create(Operation.Create create, Optional<RegistryNode> there) {
        Optional<RegistryNode> parent = node(Replica.parent(create.path()));
        if (parent.isEmpty()) {
            return Optional.of(Reason.ABSENT);
        }
        if (there.isPresent()) {
            return Optional.of(Reason.EXISTS);
        }
        if (parent.get().isEphemeral()) {
            throw new IllegalArgumentException(
                    "\"%s\" can't be created below an ephemeral node".formatted(create.path()));
        }
        long owner = create.ephemeral() ? session : 0;
        change(
                create.path(),
                Kind.CREATED,
                Optional.of(new RegistryNode(create.data(), 0, zxid, zxid, time, time, owner)));
        return Optional.empty();
    }

    private Optional<Reason> delete(String path) {
        if (hasChildren(path)) {
            return Optional.of(Reason.HAS_CHILDREN);
        }
        change(path, Kind.DELETED, Optional.empty());
        return Optional.empty();
    }

    private boolean hasChildren(String path) {
        Set<String> left = new HashSet<>();
        base.children(path).ifPresent(names -> names.forEach(name -> left.add(path + "/" + name)));
        drafted.forEach((other, node) -> {
            if (Replica.parent(other).equals(path) && node.isPresent()) {
                left.add(other);
            } else {
                left.remove(other);
            }
        });
        return !left.isEmpty();
    }

    private void change(String path, Kind kind, Optional<RegistryNode> after) {
        changes.add(new Change(path, kind, node(path), after));
        drafted.put(path, after);
    }

    private Optional<RegistryNode> node(String path) {
        Optional<RegistryNode> node = drafted.get(path);
        return node == null ? base.node(path) : node;
    }

    private static Optional<Reason> mismatch(RegistryNode node, int expected) {
        return expected == ANY_VERSION || expected == node.version()
                ? Optional.empty()
                : Optional.of(Reason.WRONG_VERSION);
    }
}
