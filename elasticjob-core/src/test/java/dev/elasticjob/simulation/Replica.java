package dev.elasticjob.simulation;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One server's copy of the tree, as of some transaction. */
final class Replica {
    static final String ROOT = "/";

    private final Map<String, RegistryNode> nodes = new HashMap<>();
    private final Map<String, TreeSet<String>> children = new HashMap<>();
    /** By parent: how many children were created so far. */
    private final Map<String, Integer> creations = new HashMap<>();

    Replica() {
        nodes.put(ROOT, new RegistryNode(new byte[0], 0, 0, 0, Instant.EPOCH, Instant.EPOCH, 0));
    }

    /** A node that was created, set or deleted by a transaction. */
    record Change(String path, Kind kind, Optional<RegistryNode> before, Optional<RegistryNode> after) {
        /** The item whose record it is. */
        OptionalInt item(JobTree tree) {
            String parent = tree.sharding() + "/";
            return path.startsWith(parent) ? JobTree.itemNumber(path.substring(parent.length())) : OptionalInt.empty();
        }
    }

    enum Kind {
        CREATED,
        SET,
        DELETED
    }

    Optional<RegistryNode> node(String path) {
        return Optional.ofNullable(nodes.get(path))
                .map(node -> node.withChildChanges(
                        2 * creations.getOrDefault(path, 0) - names(path).size()));
    }

    /** Empty where there is no such node. */
    Optional<List<String>> children(String path) {
        return nodes.containsKey(path) ? Optional.of(List.copyOf(names(path))) : Optional.empty();
    }

    /** The nodes that live with a session, children first. */
    List<String> ephemerals(long session) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue().ephemeralOwner() == session)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void apply(Change change) {
        String path = change.path();
        if (change.after().isPresent()) {
            nodes.put(path, change.after().get());
            if (change.kind() == Kind.CREATED) {
                creations.put(path, 0);
                creations.merge(parent(path), 1, Integer::sum);
            }
            children.computeIfAbsent(parent(path), any -> new TreeSet<>()).add(name(path));
        } else {
            nodes.remove(path);
            names(parent(path)).remove(name(path));
        }
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? ROOT : path.substring(0, slash);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private SortedSet<String> names(String path) {
        TreeSet<String> names = children.get(path);
        return names == null ? new TreeSet<>() : names;
    }

    /** One line for each node that holds something. */
    String render() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(nodes).forEach((path, node) -> {
            if (node.data().length > 0 || node.isEphemeral()) {
                text.append(path)
                        .append(" v")
                        .append(node.version())
                        .append(node.isEphemeral() ? " session " + node.ephemeralOwner() : "")
                        .append(" = ")
                        .append(node.text())
                        .append('\n');
            }
        });
        return text.toString();
    }
}
