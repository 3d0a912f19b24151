package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes, with ZooKeeper's rules. Not thread-safe: guarded by the ensemble. */
final class MemoryTree {
    static final String ROOT = "/";
    private static final byte[] NO_DATA = {};
    private static final int ANY_VERSION = -1;

    private final Clock clock;
    private final Map<String, RegistryNode> nodes = new HashMap<>();
    /** By parent; parents without children have no entry. */
    private final Map<String, TreeSet<String>> children = new HashMap<>();
    /** By parent: how many children were created so far. */
    private final Map<String, Integer> creations = new HashMap<>();

    private long zxid;

    MemoryTree(Clock clock) {
        this.clock = clock;
        nodes.put(ROOT, new RegistryNode(NO_DATA, 0, 0, 0, Instant.EPOCH, Instant.EPOCH, 0));
    }

    /** A node that was created, set or deleted, in the order of the steps. */
    record Change(String path, Kind kind) {}

    enum Kind {
        CREATED,
        SET,
        DELETED
    }

    /** The outcome, and the changes; none after a refusal. */
    record Applied(CommitOutcome outcome, List<Change> changes) {}

    Optional<RegistryNode> node(String path) {
        return Optional.ofNullable(nodes.get(path)).map(node -> node.withChildChanges(childChanges(path)));
    }

    /** As ZooKeeper counts them: what was created, and what isn't there any more. */
    private int childChanges(String path) {
        return 2 * creations.getOrDefault(path, 0) - childrenOf(path).size();
    }

    /** The names of a node's children; empty if the node doesn't exist. */
    Optional<List<String>> children(String path) {
        return nodes.containsKey(path) ? Optional.of(List.copyOf(childrenOf(path))) : Optional.empty();
    }

    /**
     * Carries out all steps or none.
     *
     * @throws IllegalArgumentException for a child of an ephemeral node; then no step is carried out
     */
    Applied apply(long session, RegistryCommit commit) {
        var transaction = new Transaction(session);
        try {
            for (Operation operation : commit.operations()) {
                Optional<Reason> refusal = transaction.apply(operation);
                if (refusal.isPresent()) {
                    transaction.rollBack();
                    return new Applied(new Refused(refusal.get(), operation.path()), List.of());
                }
            }
        } catch (IllegalArgumentException e) {
            transaction.rollBack();
            throw e;
        }
        return new Applied(transaction.committed(), transaction.changes);
    }

    /** Deletes the session's nodes. */
    List<Change> deleteEphemerals(long session) {
        var transaction = new Transaction(session);
        List<String> ephemerals = nodes.entrySet().stream()
                .filter(entry -> entry.getValue().ephemeralOwner() == session)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        ephemerals.forEach(path -> transaction.apply(new Operation.Delete(path, ANY_VERSION)));
        return transaction.changes;
    }

    /** The nodes as they are now, without those of sessions. */
    Copy copy() {
        Map<String, RegistryNode> persistent = new HashMap<>(nodes);
        persistent.values().removeIf(RegistryNode::isEphemeral);
        return new Copy(Map.copyOf(persistent), Map.copyOf(creations), zxid);
    }

    /** The nodes become those of a copy, and the next transaction gets the number after this one. */
    void restore(Copy copy, long number) {
        nodes.clear();
        children.clear();
        creations.clear();
        creations.putAll(copy.creations());
        copy.nodes().forEach((path, node) -> {
            if (path.equals(ROOT)) {
                nodes.put(path, node);
            } else {
                put(path, node);
            }
        });
        zxid = number;
    }

    long number() {
        return zxid;
    }

    /** @param number of the last transaction */
    record Copy(Map<String, RegistryNode> nodes, Map<String, Integer> creations, long number) {
        static Copy empty() {
            return new Copy(
                    Map.of(ROOT, new RegistryNode(NO_DATA, 0, 0, 0, Instant.EPOCH, Instant.EPOCH, 0)), Map.of(), 0);
        }
    }

    /** One line for each node, indented below its parent, with its data, version and owner. */
    String render() {
        var text = new StringBuilder();
        render(ROOT, "", text);
        return text.toString();
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? ROOT : path.substring(0, slash);
    }

    private void render(String path, String indent, StringBuilder text) {
        RegistryNode node = nodes.get(path);
        if (node == null) {
            return;
        }
        text.append(indent).append(path.substring(path.lastIndexOf('/')));
        if (!path.equals(ROOT)) {
            text.append(" v").append(node.version());
        }
        if (node.isEphemeral()) {
            text.append(" session ").append(node.ephemeralOwner());
        }
        if (node.data().length > 0) {
            text.append(" = ").append(node.text());
        }
        text.append('\n');
        childrenOf(path)
                .forEach(name -> render(path.equals(ROOT) ? ROOT + name : path + "/" + name, indent + "  ", text));
    }

    private SortedSet<String> childrenOf(String path) {
        return children.getOrDefault(path, new TreeSet<>());
    }

    private void put(String path, RegistryNode node) {
        nodes.put(path, node);
        children.computeIfAbsent(parent(path), any -> new TreeSet<>()).add(name(path));
    }

    private void remove(String path) {
        nodes.remove(path);
        TreeSet<String> siblings = children.get(parent(path));
        if (siblings != null && siblings.remove(name(path)) && siblings.isEmpty()) {
            children.remove(parent(path));
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** One transaction. It gets a number even if it is refused, and can undo its changes. */
    private final class Transaction {
        private final long session;
        private final long number = ++zxid;
        private final Instant time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        private final List<Change> changes = new ArrayList<>();
        private final Deque<Runnable> undo = new ArrayDeque<>();
        private boolean stamped;

        Transaction(long session) {
            this.session = session;
        }

        Committed committed() {
            return stamped
                    ? new Committed(OptionalLong.of(number), Optional.of(time))
                    : new Committed(OptionalLong.empty(), Optional.empty());
        }

        void rollBack() {
            undo.forEach(Runnable::run);
        }

        Optional<Reason> apply(Operation operation) {
            String path = operation.path();
            RegistryNode node = nodes.get(path);
            if (operation instanceof Operation.Create create) {
                return create(create, node);
            }
            if (node == null) {
                return Optional.of(Reason.ABSENT);
            }
            if (operation instanceof Operation.Check check) {
                return mismatch(node, check.version());
            }
            if (operation instanceof Operation.Set set) {
                Optional<Reason> mismatch = mismatch(node, set.version());
                if (mismatch.isEmpty()) {
                    set(set, node);
                }
                return mismatch;
            }
            return delete(path, node, ((Operation.Delete) operation).version());
        }

        private Optional<Reason> create(Operation.Create create, @Nullable RegistryNode there) {
            String path = create.path();
            RegistryNode parent = nodes.get(parent(path));
            if (parent == null) {
                return Optional.of(Reason.ABSENT);
            }
            if (there != null) {
                return Optional.of(Reason.EXISTS);
            }
            if (parent.isEphemeral()) {
                throw new IllegalArgumentException(
                        "\"%s\" can't be created below an ephemeral node: create it below a persistent one"
                                .formatted(path));
            }
            long owner = create.ephemeral() ? session : 0;
            put(path, new RegistryNode(create.data().clone(), 0, number, number, time, time, owner));
            int former = creations.getOrDefault(path, 0);
            creations.put(path, 0);
            creations.merge(parent(path), 1, Integer::sum);
            undo.push(() -> {
                remove(path);
                creations.put(path, former);
                creations.merge(parent(path), -1, Integer::sum);
            });
            changed(path, Kind.CREATED);
            stamped = true;
            return Optional.empty();
        }

        private void set(Operation.Set set, RegistryNode node) {
            String path = set.path();
            nodes.put(
                    path,
                    new RegistryNode(
                            set.data().clone(),
                            node.version() + 1,
                            node.czxid(),
                            number,
                            node.created(),
                            time,
                            node.ephemeralOwner()));
            undo.push(() -> nodes.put(path, node));
            changed(path, Kind.SET);
            stamped = true;
        }

        private Optional<Reason> delete(String path, RegistryNode node, int version) {
            Optional<Reason> mismatch = mismatch(node, version);
            if (mismatch.isPresent()) {
                return mismatch;
            }
            if (!childrenOf(path).isEmpty()) {
                return Optional.of(Reason.HAS_CHILDREN);
            }
            remove(path);
            undo.push(() -> put(path, node));
            changed(path, Kind.DELETED);
            return Optional.empty();
        }

        private void changed(String path, Kind kind) {
            changes.add(new Change(path, kind));
        }

        private static Optional<Reason> mismatch(RegistryNode node, int expected) {
            return expected == ANY_VERSION || expected == node.version()
                    ? Optional.empty()
                    : Optional.of(Reason.WRONG_VERSION);
        }
    }
}
