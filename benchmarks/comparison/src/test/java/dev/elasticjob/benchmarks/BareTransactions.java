package dev.elasticjob.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The same transactions by hand, on a plain client: what any coordination through ZooKeeper costs at least. For one
 * thread.
 */
final class BareTransactions implements AutoCloseable {
    private static final byte[] RECORD =
            "{\"scheduledAt\":\"2026-03-01T00:00:00Z\",\"state\":\"RUNNING\",\"instance\":\"10.0.0.1@-@1\",\"attempt\":1}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final int ANY = -1;
    /** Of one transaction: under half a megabyte, as ours. */
    private static final int ITEMS = 2_000;

    private final ZooKeeper client;
    private final String root;

    /** @param root below which it has its nodes */
    BareTransactions(String connectString, String root) {
        this.root = root;
        CompletableFuture<Boolean> connected = new CompletableFuture<>();
        try {
            client = new ZooKeeper(connectString, 20_000, event -> connect(event, connected));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connected.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static void connect(WatchedEvent event, CompletableFuture<Boolean> connected) {
        if (event.getState() == KeeperState.SyncConnected) {
            connected.complete(true);
        }
    }

    /** Makes nodes for so many items. */
    void prepare(int items) {
        List<Op> nodes = new ArrayList<>(List.of(create(root, CreateMode.PERSISTENT)));
        for (int item = 0; item < items; item++) {
            nodes.add(create(root + "/" + item, CreateMode.PERSISTENT));
        }
        carryOut(nodes);
    }

    /** Claims all and completes all: the records set, a lock each created, and deleted. */
    void fire(int items) {
        List<Op> claim = new ArrayList<>();
        List<Op> complete = new ArrayList<>();
        for (int item = 0; item < items; item++) {
            claim.add(Op.setData(root + "/" + item, RECORD, ANY));
            claim.add(create(root + "/" + item + "/running", CreateMode.EPHEMERAL));
            complete.add(Op.setData(root + "/" + item, RECORD, ANY));
            complete.add(Op.delete(root + "/" + item + "/running", ANY));
        }
        carryOut(claim);
        carryOut(complete);
    }

    /** Sets the data of all these nodes: what a new plan shows to operators. */
    void show(int items) {
        List<Op> shown = new ArrayList<>();
        for (int item = 0; item < items; item++) {
            shown.add(Op.setData(root + "/" + item, RECORD, ANY));
        }
        carryOut(shown);
    }

    private void carryOut(List<Op> operations) {
        try {
            for (int from = 0; from < operations.size(); from += 2 * ITEMS) {
                client.multi(operations.subList(from, Math.min(operations.size(), from + 2 * ITEMS)));
            }
        } catch (KeeperException e) {
            throw new IllegalStateException("Nobody else is there, so it was expected to be carried out", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Op create(String path, CreateMode mode) {
        return Op.create(path, RECORD, Ids.OPEN_ACL_UNSAFE, mode);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
