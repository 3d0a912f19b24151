package dev.elasticjob.registry.curator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits for the absence of which node: the last one to give up takes the server's watch off, which one client has
 * once for all of them. Safe for use by any thread.
 */
final class DeletionWatches {
    private static final Logger log = LoggerFactory.getLogger(DeletionWatches.class);

    /** By session and path; guarded by its monitor. */
    private final Map<Key, Set<DeletionWatch>> waiting = new HashMap<>();

    private record Key(long session, String path) {}

    CompletableFuture<Void> await(ZooKeeper zooKeeper, String path) {
        var watch = new DeletionWatch(zooKeeper, path);
        var key = new Key(zooKeeper.getSessionId(), path);
        CompletableFuture<Void> absent;
        synchronized (waiting) {
            waiting.computeIfAbsent(key, any -> new HashSet<>()).add(watch);
            try {
                absent = watch.begin();
            } catch (Throwable e) {
                absent = CompletableFuture.failedFuture(ZooKeeperCodes.failed(e));
            }
        }
        CompletableFuture<Void> awaited = absent;
        awaited.whenComplete((done, failure) -> over(zooKeeper, key, watch, awaited.isCancelled()));
        return awaited;
    }

    private void over(ZooKeeper zooKeeper, Key key, DeletionWatch watch, boolean cancelled) {
        synchronized (waiting) {
            Set<DeletionWatch> others = waiting.getOrDefault(key, new HashSet<>());
            others.remove(watch);
            if (others.isEmpty()) {
                waiting.remove(key);
            }
            if (cancelled) {
                takeOff(zooKeeper, key.path(), watch, others.isEmpty());
            }
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
