package dev.elasticjob.registry.curator;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the deletion of nodes. A client has one watch on the server for all waits for the same node; the last wait
 * that ends removes it. Thread-safe.
 *
 * <p>No lock is held while the client is called: at the end of a session, the client runs callbacks while it holds the
 * monitor that every request needs. So a wait may start just before the watch is removed for the previous last one. The
 * client then reports the removal to the new wait's watcher, which reads the node once more.
 */
final class DeletionWatches {
    private static final Logger log = LoggerFactory.getLogger(DeletionWatches.class);

    /** The number of waits, by session and path. */
    private final Map<Key, Integer> waiting = new ConcurrentHashMap<>();

    private record Key(long session, String path) {}

    CompletableFuture<Void> await(ZooKeeper zooKeeper, String path) {
        var wait = new Wait(zooKeeper, path);
        var key = new Key(zooKeeper.getSessionId(), path);
        waiting.merge(key, 1, Integer::sum);
        wait.begin();
        wait.absent.whenComplete((done, failure) -> {
            boolean last = waiting.computeIfPresent(key, (any, number) -> number == 1 ? null : number - 1) == null;
            if (wait.absent.isCancelled()) {
                wait.end(last);
            }
        });
        return wait.absent;
    }

    /**
     * One wait, with a one-shot watch that the server keeps only while the node exists. The client renews it when it
     * reconnects within the session, and then reports a deletion that it missed.
     */
    private record Wait(ZooKeeper zooKeeper, String path, CompletableFuture<Void> absent) implements Watcher {
        Wait(ZooKeeper zooKeeper, String path) {
            this(zooKeeper, path, new CompletableFuture<>());
        }

        void begin() {
            try {
                look();
            } catch (Throwable e) {
                absent.completeExceptionally(ZooKeeperCodes.failed(e));
            }
        }

        /** Reads the data instead of checking for existence, which would leave a watch if the node doesn't exist. */
        private void look() {
            zooKeeper.getData(
                    path,
                    this,
                    (code, node, context, data, stat) -> {
                        if (code == Code.NONODE.intValue()) {
                            absent.complete(null);
                        } else if (code != Code.OK.intValue()) {
                            absent.completeExceptionally(ZooKeeperCodes.failedRead(ZooKeeperCodes.of(code), path));
                        }
                    },
                    null);
        }

        @Override
        public void process(WatchedEvent event) {
            if (absent.isDone()) {
                return;
            }
            switch (event.getType()) {
                case NodeDeleted -> absent.complete(null);
                case None -> {
                    switch (event.getState()) {
                        case Expired, Closed, AuthFailed ->
                            absent.completeExceptionally(ZooKeeperCodes.failedRead(Code.SESSIONEXPIRED, path));
                        default -> {}
                    }
                }
                // The node has changed, or the watch was removed for another wait, so it is set again.
                default -> look();
            }
        }

        /** Removing a single watcher would leave the server's watch in place, which other waits still need. */
        void end(boolean last) {
            VoidCallback answered = (code, node, context) -> log.debug(
                    "Removed {} of the deletion watches on \"{}\": {}", last ? "the last" : "one", path, code);
            if (last) {
                zooKeeper.removeAllWatches(path, WatcherType.Data, true, answered, null);
            } else {
                zooKeeper.removeWatches(path, this, WatcherType.Data, true, answered, null);
            }
        }
    }
}
