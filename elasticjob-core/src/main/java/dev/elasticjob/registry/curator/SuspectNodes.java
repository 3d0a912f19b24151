package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The nodes of an answer that was too large for the client, which then closed the connection. One of them must be
 * larger than ZooKeeper allows by default, which is possible if the servers' {@code jute.maxbuffer} was raised. Before
 * these nodes are read again, their lengths are requested, and one that is too large isn't read, so that the connection
 * survives for all other requests. Thread-safe.
 */
final class SuspectNodes {
    private final CuratorNamespace namespace;
    /** The paths without the root. */
    private final Set<String> suspects = ConcurrentHashMap.newKeySet();

    SuspectNodes(CuratorNamespace namespace) {
        this.namespace = namespace;
    }

    /** The client could not accept the answer to a request for these nodes. */
    void suspect(List<RegistryRead> reads) {
        nodes(reads).forEach(suspects::add);
    }

    List<String> among(List<RegistryRead> reads) {
        return suspects.isEmpty()
                ? List.of()
                : nodes(reads).filter(suspects::contains).distinct().toList();
    }

    private static Stream<String> nodes(List<RegistryRead> reads) {
        return reads.stream().filter(RegistryRead.Data.class::isInstance).map(RegistryRead::path);
    }

    /**
     * Requests the lengths, all at once.
     *
     * @return fails with {@link IllegalArgumentException} if a node is too large
     */
    CompletableFuture<Void> clear(ZooKeeper zooKeeper, List<String> paths) {
        return CompletableFuture.allOf(
                paths.stream().map(path -> clear(zooKeeper, path)).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> clear(ZooKeeper zooKeeper, String path) {
        CompletableFuture<Void> cleared = new CompletableFuture<>();
        zooKeeper.exists(
                namespace.node(path),
                false,
                (number, asked, context, stat) -> {
                    Code code = ZooKeeperCodes.of(number);
                    if (code != Code.OK && code != Code.NONODE) {
                        cleared.completeExceptionally(ZooKeeperCodes.failedRead(code, namespace.node(path)));
                    } else if (code == Code.OK && stat.getDataLength() > RegistryCommit.MAX_BYTES) {
                        cleared.completeExceptionally(tooLarge(path, stat));
                    } else {
                        suspects.remove(path);
                        cleared.complete(null);
                    }
                },
                null);
        return cleared;
    }

    private IllegalArgumentException tooLarge(String path, Stat stat) {
        return new IllegalArgumentException(
                ("The node \"%s\" was expected to have at most %d bytes, but has %d. It was not read, because the"
                                + " ZooKeeper client would close the connection. Store less in it, or delete it")
                        .formatted(namespace.node(path), RegistryCommit.MAX_BYTES, stat.getDataLength()));
    }
}
