package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

class DeletionWatchesIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final DeletionWatches deletions = new DeletionWatches();

    @Test
    void aWaitThatBeginsBeforeTheSharedWatchIsTakenOffIsTold() throws Exception {
        try (var server = TestZooKeeper.start();
                var client = new BusyClient(server.connectString())) {
            client.create("/a", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            var last = deletions.await(client, "/a");
            var begun = new CompletableFuture<Void>();
            client.beforeRemoval = () -> deletions.await(client, "/a").thenAccept(begun::complete);

            last.cancel(false);
            client.delete("/a", -1);

            assertThat(begun).succeedsWithin(LIMIT);
        }
    }

    /** Does something else just before it takes a watch off, as another thread may. */
    private static final class BusyClient extends ZooKeeper {
        private volatile Runnable beforeRemoval = () -> {};

        BusyClient(String server) throws IOException {
            super(server, (int) LIMIT.toMillis(), event -> {});
        }

        @Override
        public void removeAllWatches(
                String path, WatcherType kind, boolean local, VoidCallback answered, Object context) {
            beforeRemoval.run();
            super.removeAllWatches(path, kind, local, answered, context);
        }
    }
}
