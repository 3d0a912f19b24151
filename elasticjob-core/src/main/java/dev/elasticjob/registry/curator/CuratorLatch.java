package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Curator's latch recipe for one turn: it ends with the session, whereas Curator's own latch would queue again in the
 * next one.
 */
final class CuratorLatch implements Latch, LeaderLatchListener {
    private static final Logger log = LoggerFactory.getLogger(CuratorLatch.class);

    private final String path;
    private final LeaderLatch latch;
    private final CompletableFuture<Void> acquired = new CompletableFuture<>();
    /** Completes when the latch is released, or can't be acquired. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    CuratorLatch(CuratorFramework client, String path, String id) {
        this.path = path;
        this.latch = new LeaderLatch(client, path, id);
    }

    /** @param subscribe subscribes to connection states, which report the end of the session */
    void enter(Function<Consumer<ConnectionState>, Subscription> subscribe) {
        Subscription states = subscribe.apply(state -> {
            if (state == ConnectionState.LOST) {
                end(new RegistryUnavailableException(cannot("the session was lost")));
            }
        });
        ended.thenRun(states::close);
        latch.addListener(this);
        try {
            latch.start();
        } catch (Throwable e) {
            end(new RegistryUnavailableException(cannot("Curator could not start it"), false, e));
        }
    }

    /** Runs the action when the latch is released, for whatever reason, or at once if it has been. */
    void onEnd(Runnable action) {
        ended.thenRun(action);
    }

    @Override
    public CompletionStage<Void> acquired() {
        return acquired.minimalCompletionStage();
    }

    @Override
    public void isLeader() {
        acquired.complete(null);
    }

    @Override
    public void notLeader() {
        // The holder is also notified of the connection state.
    }

    @Override
    public void close() {
        end(new RegistryUnavailableException(cannot("it was closed")));
    }

    /** @param reason the reason why the latch can't be acquired any more */
    void end(RegistryUnavailableException reason) {
        if (!ended.complete(null)) {
            return;
        }
        acquired.completeExceptionally(reason);
        try {
            // Deletes its node in the background, until this succeeds.
            latch.close();
        } catch (IOException | RuntimeException e) {
            log.debug("Latch \"{}\" is already closed, or its node is deleted when the session ends", path, e);
        }
    }

    private String cannot(String reason) {
        return "Can't acquire the latch \"%s\": %s".formatted(path, reason);
    }
}
