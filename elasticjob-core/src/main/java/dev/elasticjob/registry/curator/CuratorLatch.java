package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Curator's latch recipe, for one turn: it ends with the session, whereas Curator's own would queue again in the next
 * one.
 */
final class CuratorLatch implements Latch, LeaderLatchListener {
    private static final Logger log = LoggerFactory.getLogger(CuratorLatch.class);

    private final String path;
    private final LeaderLatch latch;
    private final CompletableFuture<Void> acquired = new CompletableFuture<>();
    private final CompletableFuture<Subscription> states = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    CuratorLatch(CuratorFramework client, String path, String id) {
        this.path = path;
        this.latch = new LeaderLatch(client, path, id);
    }

    /**
     * Queues.
     *
     * @param subscribe to connection states, which tell the end of the session
     */
    CuratorLatch enter(Function<Consumer<ConnectionState>, Subscription> subscribe) {
        states.complete(subscribe.apply(state -> {
            if (state == ConnectionState.LOST) {
                giveUp("the session was lost");
            }
        }));
        latch.addListener(this);
        try {
            latch.start();
        } catch (Throwable e) {
            failed("Curator could not start it", e);
        }
        return this;
    }

    /** Runs when the latch is given back, for whatever reason, or at once where it has been. */
    CuratorLatch onEnd(Runnable action) {
        ended.thenRun(action);
        return this;
    }

    /** A latch that fails at once, for a registry without connection. */
    CuratorLatch refuse(RegistryUnavailableException reason) {
        closed.set(true);
        ended.complete(null);
        acquired.completeExceptionally(reason);
        return this;
    }

    @Override
    public CompletionStage<Void> acquired() {
        return acquired;
    }

    @Override
    public void isLeader() {
        acquired.complete(null);
    }

    @Override
    public void notLeader() {
        // Told by the connection state to whoever holds it.
    }

    @Override
    public void close() {
        giveUp("it was closed");
    }

    private void giveUp(String reason) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        states.thenAccept(Subscription::close);
        ended.complete(null);
        acquired.completeExceptionally(
                new RegistryUnavailableException("Can't acquire the latch \"%s\": %s".formatted(path, reason)));
        try {
            // Deletes its node in the background, until that succeeds.
            latch.close();
        } catch (IOException | IllegalStateException e) {
            log.debug("Latch \"{}\" is already closed, or its node is deleted when the session ends", path, e);
        }
    }

    private void failed(String reason, Throwable cause) {
        closed.set(true);
        states.thenAccept(Subscription::close);
        ended.complete(null);
        acquired.completeExceptionally(new RegistryUnavailableException(
                "Can't acquire the latch \"%s\": %s".formatted(path, reason), false, cause));
    }
}
