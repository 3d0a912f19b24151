package dev.elasticjob.registry;

import java.util.Collection;
import java.util.List;

/** One part of a multi-read. */
public sealed interface RegistryRead {
    /** The path within the namespace, for example {@code /orders/config}; with two slashes, outside of it. */
    String path();

    /** Asks for a node's data and versions. */
    record Data(String path) implements RegistryRead {}

    /** Asks for the names of a node's children. */
    record Children(String path) implements RegistryRead {}

    static RegistryRead data(String path) {
        return new Data(path);
    }

    /** Asks for the data of several nodes. */
    static List<RegistryRead> allData(String... paths) {
        return allData(List.of(paths));
    }

    static List<RegistryRead> allData(Collection<String> paths) {
        return paths.stream().map(RegistryRead::data).toList();
    }

    static RegistryRead children(String path) {
        return new Children(path);
    }
}
