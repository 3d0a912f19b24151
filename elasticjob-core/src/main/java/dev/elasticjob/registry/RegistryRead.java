package dev.elasticjob.registry;

/** One part of a multi-read. */
public sealed interface RegistryRead {
    /** Absolute within the namespace: {@code /orders/config}. */
    String path();

    /** Asks for a node's data and versions. */
    record Data(String path) implements RegistryRead {}

    /** Asks for the names of a node's children. */
    record Children(String path) implements RegistryRead {}

    static RegistryRead data(String path) {
        return new Data(path);
    }

    static RegistryRead children(String path) {
        return new Children(path);
    }
}
