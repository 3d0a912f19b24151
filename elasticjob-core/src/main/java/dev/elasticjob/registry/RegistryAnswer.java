package dev.elasticjob.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a multi-read. Callers may only ask for paths that were part of the request. */
public final class RegistryAnswer {
    private final Map<String, Optional<RegistryNode>> nodes;
    private final Map<String, Optional<List<String>>> children;

    public RegistryAnswer(Map<String, Optional<RegistryNode>> nodes, Map<String, Optional<List<String>>> children) {
        this.nodes = Map.copyOf(nodes);
        this.children = Map.copyOf(children);
    }

    /** Merges several answers. If more than one of them contains a node, the last one applies. */
    public static RegistryAnswer of(List<RegistryAnswer> parts) {
        Map<String, Optional<RegistryNode>> allNodes = new HashMap<>();
        Map<String, Optional<List<String>>> allChildren = new HashMap<>();
        for (RegistryAnswer part : parts) {
            allNodes.putAll(part.nodes);
            allChildren.putAll(part.children);
        }
        return new RegistryAnswer(allNodes, allChildren);
    }

    /** The node; empty if it doesn't exist. */
    public Optional<RegistryNode> node(String path) {
        return asked(nodes.get(path), path);
    }

    /** The names of the node's children; empty if the node doesn't exist. */
    public List<String> children(String path) {
        return asked(children.get(path), path).orElse(List.of());
    }

    public boolean covers(String path) {
        return nodes.containsKey(path);
    }

    /** Merges two answers. If both contain a node, the other one's applies. */
    public RegistryAnswer plus(RegistryAnswer other) {
        return of(List.of(this, other));
    }

    private static <T> T asked(@Nullable T answer, String path) {
        if (answer == null) {
            throw new IllegalArgumentException("\"" + path + "\" was not part of this read");
        }
        return answer;
    }
}
