package dev.elasticjob.registry.curator;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the absence of nodes. One client has one watch on the server for all waits for the same node: the last one
 * that is given up takes it off. Safe for use by any thread.
 *
 * <p>No lock is held while the client is called: at the end of a session the client runs callbacks while it holds the
 * monitor that every request needs. So a wait may begin just before the watch is taken off for the last one that was there
 * before: the client then reports the removal to its {@link DeletionWatch}, which reads the node once more.
 */
final class DeletionWatches {
    private static final Logger log = LoggerFactory.getLogger(DeletionWatches.class);

    /** The number of waits, by session and path. */
    private final Map<Key, Integer> waiting = new ConcurrentHashMap<>();

    private record Key(long session, String path) {}

    CompletableFuture<Void> await(ZooKeeper zooKeeper, String path) {
        var watch = new DeletionWatch(zooKeeper, path);
        var key = new Key(zooKeeper.getSessionId(), path);
        waiting.merge(key, 1, Integer::sum);
        CompletableFuture<Void> absent = begin(watch);
        absent.whenComplete((done, failure) -> {
            boolean last = waiting.computeIfPresent(key, (any, number) -> number == 1 ? null : number - 1) == null;
            if (absent.isCancelled()) {
                takeOff(zooKeeper, path, watch, last);
            }
        });
        return absent;
    }

    private static CompletableFuture<Void> begin(DeletionWatch watch) {
        try {
            return watch.begin();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(ZooKeeperCodes.failed(e));
        }
    }

    /** To remove a single watcher leaves the server's watch in place: the others still need it. */
    private static void takeOff(ZooKeeper zooKeeper, String path, DeletionWatch watch, boolean last) {
        if (last) {
            zooKeeper.removeAllWatches(
                    path,
                    WatcherType.Data,
                    true,
                    (code, node, context) -> log.debug("Removed the last deletion watch on \"{}\": {}", path, code),
                    null);
        } else {
            zooKeeper.removeWatches(
                    path,
                    watch,
                    WatcherType.Data,
                    true,
                    (code, node, context) -> log.debug("Removed one of the deletion watches on \"{}\": {}", path, code),
                    null);
        }
    }
}
