package dev.elasticjob.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one of several controllers lead, by a Lease. It saves work, and nothing depends on it: two that lead at once start each
 * worker once. Thread-safe.
 */
final class Election implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Election.class);
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final LeaseLock lock;
    private final String identity;
    private final AppLoop loop;
    private boolean closed;
    private @Nullable CompletableFuture<?> candidacy;

    /**
     * @param lock the lease, with this controller's identity
     * @param identity of this controller, which no other has
     */
    Election(KubernetesClient client, LeaseLock lock, String identity, AppLoop loop) {
        this.client = client;
        this.lock = lock;
        this.identity = identity;
        this.loop = loop;
    }

    /** Becomes a candidate, and again when the lead is lost. Doesn't wait. */
    synchronized void start() {
        if (closed) {
            return;
        }
        var config = new LeaderElectionConfig(
                lock, LEASE, RENEW, RETRY, new LeaderCallbacks(this::lead, this::follow, leader -> {}), true, identity);
        candidacy = client.leaderElector().withConfig(config).build().start();
        candidacy.whenComplete((done, failure) -> start());
    }

    private void lead() {
        log.info("This controller, \"{}\", leads now", identity);
        loop.start();
    }

    private void follow() {
        log.info("This controller, \"{}\", doesn't lead any more", identity);
        loop.stop();
    }

    /** Gives up the lease. */
    @Override
    public void close() {
        CompletableFuture<?> ended;
        synchronized (this) {
            closed = true;
            ended = candidacy;
        }
        if (ended != null) {
            ended.cancel(true);
        }
        loop.stop();
    }
}
