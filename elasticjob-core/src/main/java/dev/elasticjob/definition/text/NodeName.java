package dev.elasticjob.definition.text;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Checks names that become a node in the registry: of jobs, and of groups. */
public final class NodeName {
    /** The node with the pause of all jobs of a namespace. No job has this name. */
    public static final String PAUSED = ".paused";

    /** The node that tells the registry's data from that of another one. No job has this name. */
    public static final String REGISTRY = ".registry";

    /** The node below which applications of Kubernetes are shown. No job has this name. */
    public static final String APPS = ".apps";

    /** The node that makes plans serial which are made from what instances have of other jobs. No job has this name. */
    public static final String LOADS = ".loads";

    /** What the node of a name that no job can have is for. */
    private static final Map<String, String> RESERVED = Map.of(
            PAUSED, "pauses all jobs of the namespace",
            REGISTRY, "tells the registry's data from that of another one",
            APPS, "shows applications of Kubernetes",
            LOADS, "counts plans of all jobs of the namespace");

    /** The name is in the path of each node. */
    private static final int MAX_BYTES = 255;

    private NodeName() {}

    /** What was expected of the name, and what to do; empty if it can be used. */
    public static Optional<String> problem(String name) {
        if (name.equals(".") || name.equals("..") || name.equals("zookeeper")) {
            return Optional.of("ZooKeeper reserves this name; choose another one");
        }
        if (RESERVED.containsKey(name)) {
            return Optional.of("the node of this name %s; choose another name".formatted(RESERVED.get(name)));
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return Optional.of("expected at most %d bytes of UTF-8".formatted(MAX_BYTES));
        }
        if (name.indexOf('/') >= 0) {
            return Optional.of("the name becomes a node in ZooKeeper, so it must not contain '/'");
        }
        return name.chars()
                .filter(NodeName::isRefusedByZooKeeper)
                .boxed()
                .findFirst()
                .map("ZooKeeper doesn't allow the character U+%04X in a name; remove it"::formatted);
    }

    /** Whether a name that was read somewhere can be the last part of a path. Each record has one, so this is quick. */
    public static boolean isUsable(String name) {
        return isPlain(name) || (!name.isEmpty() && problem(name).isEmpty());
    }

    /** Whether it is short, of printable ASCII characters, and certainly none that is reserved. */
    private static boolean isPlain(String name) {
        if (name.isEmpty() || name.length() > MAX_BYTES || name.charAt(0) == '.' || name.charAt(0) == 'z') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '/') {
                return false;
            }
        }
        return true;
    }

    /** The ranges of ZooKeeper's own path check, and NUL. */
    private static boolean isRefusedByZooKeeper(int c) {
        return c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0xd800 && c <= 0xf8ff) || c >= 0xfff0;
    }
}
