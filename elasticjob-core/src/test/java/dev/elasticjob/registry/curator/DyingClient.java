package dev.elasticjob.registry.curator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * A client without a server. It keeps the requests that it gets until {@link #endDuring}. From then on it is ZooKeeper's
 * own client after the end of a session: it runs callbacks on the thread that sends the request or ends the connection,
 * and holds the monitor of its queue meanwhile.
 */
final class DyingClient extends ZooKeeper {
    private static final long LIMIT_SECONDS = 30;
    private static final int LOST = Code.CONNECTIONLOSS.intValue();

    private final Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> queueIsHeld = new CompletableFuture<>();
    private final CompletableFuture<Void> askedMeanwhile = new CompletableFuture<>();
    private volatile boolean ended;

    private DyingClient() throws IOException {
        super("127.0.0.1:1", 1_000, event -> {});
    }

    /** Its threads have ended. */
    static DyingClient make() throws InterruptedException {
        try {
            DyingClient client = new DyingClient();
            if (!client.close((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))) {
                throw new AssertionError("The client's threads were expected to end");
            }
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it was asked, in order. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** Those of the requests, in order. */
    List<Watcher> watchers() {
        return List.copyOf(watchers);
    }

    void loseAnswers() {
        for (Runnable lose = unanswered.poll(); lose != null; lose = unanswered.poll()) {
            lose.run();
        }
    }

    /**
     * Ends the session: the callbacks of all requests so far run under the monitor of the client's queue, as soon as the
     * call, on another thread, is about to send a request.
     */
    void endDuring(Runnable call) {
        ended = true;
        ExecutorService threads = Executors.newCachedThreadPool(DyingClient::daemon);
        try {
            var ending = CompletableFuture.runAsync(this::loseAnswersHoldingTheQueue, threads);
            var calling = queueIsHeld.thenRunAsync(call, threads);
            CompletableFuture.allOf(ending, calling)
                    .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    private void loseAnswersHoldingTheQueue() {
        super.exists(
                "/any",
                null,
                (code, path, context, stat) -> {
                    queueIsHeld.complete(null);
                    askedMeanwhile.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
                    loseAnswers();
                },
                null);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "dying-client");
        thread.setDaemon(true);
        return thread;
    }

    private void ask(String request, Runnable send, Runnable lose) {
        requests.add(request);
        if (ended) {
            askedMeanwhile.complete(null);
            send.run();
        } else {
            unanswered.add(lose);
        }
    }

    @Override
    public void addWatch(String path, Watcher watcher, AddWatchMode mode, VoidCallback answered, Object context) {
        watchers.add(watcher);
        ask(
                "watch " + path,
                () -> super.addWatch(path, watcher, mode, answered, context),
                () -> answered.processResult(LOST, path, context));
    }

    @Override
    public void exists(String path, Watcher watcher, StatCallback answered, Object context) {
        watchers.add(watcher);
        ask(
                "exists " + path,
                () -> super.exists(path, watcher, answered, context),
                () -> answered.processResult(LOST, path, context, null));
    }

    @Override
    public void getData(String path, Watcher watcher, DataCallback answered, Object context) {
        watchers.add(watcher);
        ask(
                "data " + path,
                () -> super.getData(path, watcher, answered, context),
                () -> answered.processResult(LOST, path, context, null, null));
    }

    @Override
    public void removeAllWatches(
            String path, Watcher.WatcherType kind, boolean local, VoidCallback answered, Object context) {
        ask(
                "unwatch " + path,
                () -> super.removeAllWatches(path, kind, local, answered, context),
                () -> answered.processResult(LOST, path, context));
    }
}
