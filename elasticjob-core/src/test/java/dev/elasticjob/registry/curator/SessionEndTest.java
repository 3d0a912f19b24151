package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.Registry.WatchScope;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * At the end of a session, ZooKeeper's client runs callbacks while it holds the monitor that every request needs. A
 * thread that sends a request at that moment must not wait for such a callback, nor the callback for that thread.
 */
class SessionEndTest {
    private final CuratorWatches watches = new CuratorWatches();
    private final DeletionWatches deletions = new DeletionWatches();
    private DyingClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = DyingClient.make();
        watches.renewOn(client);
    }

    @Test
    void aWatchIsLostWhileAnotherIsPut() {
        watches.watch("/lost", WatchScope.NODE, () -> {});

        client.endDuring(() -> watches.watch("/put", WatchScope.NODE, () -> {}));
    }

    @Test
    void aWatchIsLostWhileAnotherIsRenewed() {
        watches.watch("/renewed", WatchScope.NODE, () -> {});
        client.loseAnswers();
        watches.watch("/lost", WatchScope.NODE, () -> {});

        client.endDuring(() -> watches.renewOn(client));
    }

    @Test
    void aWatchThatIsLostWhileItIsPutIsPutAgainWithTheNextConnection() {
        client.endDuring(() -> watches.watch("/lost", WatchScope.NODE, () -> {}));

        watches.renewOn(client);

        assertThat(client.requests()).containsExactly("watch /lost", "watch /lost");
    }

    @Test
    void aWatchIsLostWhileAnotherIsPutAgainAfterAnEvent() {
        watches.watch("/changed", WatchScope.DATA, () -> {});
        var changed = client.watchers().get(0);
        watches.watch("/lost", WatchScope.NODE, () -> {});

        client.endDuring(() ->
                changed.process(new WatchedEvent(EventType.NodeDataChanged, KeeperState.SyncConnected, "/changed")));
    }

    @Test
    void aWatchIsLostWhileAnotherIsTakenOff() {
        watches.watch("/lost", WatchScope.NODE, () -> {});
        var subscription = watches.watch("/takenOff", WatchScope.NODE, () -> {});

        client.endDuring(subscription::close);
    }

    @Test
    void aWaitFailsWhileAnotherBegins() {
        var failed = deletions.await(client, "/failed");

        client.endDuring(() -> deletions.await(client, "/begun"));

        assertThat(failed).isCompletedExceptionally();
    }

    @Test
    void aWaitFailsWhileAnotherIsCancelled() {
        var failed = deletions.await(client, "/failed");
        var cancelled = deletions.await(client, "/cancelled");

        client.endDuring(() -> cancelled.cancel(false));

        assertThat(failed).isCompletedExceptionally();
    }
}
