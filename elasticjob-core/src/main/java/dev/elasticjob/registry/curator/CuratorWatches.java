package dev.elasticjob.registry.curator;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Permanent watches, one on the server for all subscriptions to the same path and scope. ZooKeeper's persistent watches
 * report children too; where that isn't wanted, a one-shot watch is set again with each event. The client itself renews
 * watches when it reconnects within a session. {@link #renewOn} sets them on the handle of the next session, and sets
 * those again whose answer was lost.
 */
final class CuratorWatches {
    private static final Logger log = LoggerFactory.getLogger(CuratorWatches.class);

    /**
     * Keeps requests for one path in order, and is held while they are sent. The callback of a failed request must not
     * take it: at the end of a session, the client runs such callbacks while it holds the monitor that sending needs.
     */
    private final Object lock = new Object();
    /** Guarded by the lock. */
    private final Map<Key, Shared> watches = new HashMap<>();
    /** Guarded by the lock; null before the first connection. */
    private @Nullable ZooKeeper handle;

    private record Key(String path, WatchScope scope) {}

    Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        PathUtils.validatePath(path);
        var key = new Key(path, scope);
        // Each subscription is a separate object, even if callers pass the same callback twice.
        Runnable subscriber = () -> lookAgain.run();
        synchronized (lock) {
            Shared watch = watches.computeIfAbsent(key, Shared::new);
            watch.subscribers.add(subscriber);
            try {
                if (handle != null) {
                    watch.putOn(handle);
                }
            } catch (Throwable e) {
                unsubscribe(key, subscriber);
                throw e;
            }
        }
        return () -> unsubscribe(key, subscriber);
    }

    /** Sends every watch that isn't on this handle yet, so that later requests on it find the watches in place. */
    void renewOn(ZooKeeper zooKeeper) {
        synchronized (lock) {
            handle = zooKeeper;
            watches.values().forEach(watch -> watch.tryToPutOn(zooKeeper));
        }
    }

    void close() {
        synchronized (lock) {
            watches.values().forEach(watch -> watch.subscribers.clear());
            watches.clear();
            handle = null;
        }
    }

    private void unsubscribe(Key key, Runnable subscriber) {
        synchronized (lock) {
            Shared watch = watches.get(key);
            if (watch != null && watch.subscribers.remove(subscriber) && watch.subscribers.isEmpty()) {
                watches.remove(key);
                watch.takeOff();
            }
        }
    }

    /** One watch on the server, and its subscribers. */
    private final class Shared implements Watcher {
        private final Key key;
        private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();
        /**
         * The handle on which the watch is set or being set. Written under the lock; a failed answer clears it without
         * the lock.
         */
        private final AtomicReference<@Nullable ZooKeeper> placedOn = new AtomicReference<>();

        Shared(Key key) {
            this.key = key;
        }

        void putOn(ZooKeeper zooKeeper) {
            // Written before the request is sent, because the answer may arrive at once.
            if (placedOn.getAndSet(zooKeeper) == zooKeeper) {
                return;
            }
            try {
                send(zooKeeper);
            } catch (Throwable e) {
                notOn(zooKeeper);
                throw e;
            }
        }

        private void notOn(ZooKeeper zooKeeper) {
            placedOn.compareAndSet(zooKeeper, null);
        }

        /** A failure must not prevent other watches from being set, nor the connection from being reported. */
        void tryToPutOn(ZooKeeper zooKeeper) {
            try {
                putOn(zooKeeper);
            } catch (Throwable e) {
                log.error(
                        "The watch on \"{}\" can't be set again before the next connection; until then, changes go"
                                + " unnoticed",
                        key.path(),
                        Failures.printable(e));
            }
        }

        private void send(ZooKeeper zooKeeper) {
            String path = key.path();
            VoidCallback answered = (code, same, context) -> answered(zooKeeper, ZooKeeperCodes.of(code));
            switch (key.scope()) {
                case DATA ->
                    zooKeeper.exists(
                            path,
                            this,
                            (code, same, context, stat) -> answered.processResult(
                                    code == Code.NONODE.intValue() ? Code.OK.intValue() : code, same, context),
                            null);
                case NODE -> zooKeeper.addWatch(path, this, AddWatchMode.PERSISTENT, answered, null);
                case SUBTREE -> zooKeeper.addWatch(path, this, AddWatchMode.PERSISTENT_RECURSIVE, answered, null);
            }
        }

        /** Called before the subscribers, so that the watch is in place for what they read. */
        private void putAgain() {
            synchronized (lock) {
                ZooKeeper zooKeeper = placedOn.get();
                if (zooKeeper != null && watches.get(key) == this) {
                    notOn(zooKeeper);
                    tryToPutOn(zooKeeper);
                }
            }
        }

        /**
         * Removes all watches of this kind from the path, because removing a single watcher would leave the server's
         * watch in place. This watch is the only one of its kind.
         */
        void takeOff() {
            ZooKeeper zooKeeper = placedOn.get();
            if (zooKeeper == null) {
                return;
            }
            WatcherType kind = switch (key.scope()) {
                case DATA -> WatcherType.Data;
                case NODE -> WatcherType.Persistent;
                case SUBTREE -> WatcherType.PersistentRecursive;
            };
            zooKeeper.removeAllWatches(
                    key.path(),
                    kind,
                    true,
                    (code, path, context) ->
                            log.debug("Watch on \"{}\" removed: {}", key.path(), ZooKeeperCodes.of(code)),
                    null);
        }

        private void answered(ZooKeeper zooKeeper, Code code) {
            if (code == Code.OK) {
                return;
            }
            notOn(zooKeeper);
            log.debug(
                    "The watch on \"{}\" is not set ({}); it is set again with the next connection", key.path(), code);
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() == Event.EventType.None) {
                return;
            }
            if (key.scope() == WatchScope.DATA) {
                putAgain();
            }
            for (Runnable subscriber : subscribers) {
                try {
                    subscriber.run();
                } catch (Throwable e) {
                    log.error(
                            "A listener of the watch on \"{}\" failed; the change is not handled",
                            key.path(),
                            Failures.printable(e));
                }
            }
        }
    }
}
