package dev.elasticjob.registry.curator;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * Waits for a node to be gone, with a one-shot watch that the server keeps only while the node is there. The client
 * renews it when it reconnects within the session, and is told then of a deletion it missed.
 */
final class DeletionWatch implements Watcher {
    private final ZooKeeper zooKeeper;
    private final String path;
    private final CompletableFuture<Void> absent = new CompletableFuture<>();

    DeletionWatch(ZooKeeper zooKeeper, String path) {
        this.zooKeeper = zooKeeper;
        this.path = path;
    }

    CompletableFuture<Void> begin() {
        look();
        return absent;
    }

    /** Reads the data, not whether the node exists: that would leave a watch behind where it doesn't. */
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
            // The node has changed, or the watch was taken off for another wait: it is needed again.
            default -> look();
        }
    }
}
