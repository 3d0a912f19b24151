package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When a registry of the console is connected. */
class RegistryOnDemandTest {
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final long LIMIT = 60;

    private final ManualTime time = new ManualTime(Instant.parse("2026-11-23T03:00:00Z"));
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final List<InMemoryRegistry> connected = new ArrayList<>();

    @Test
    void nothingIsConnectedBeforeSomebodyLooks() {
        RegistryOnDemand registry = onDemand(this::connect);

        assertThat(registry.connectionState()).isEqualTo(ConnectionState.LATENT);
        time.advance(Duration.ofHours(1));
        assertThat(connected).isEmpty();

        read(registry).join();

        assertThat(connected).hasSize(1);
        assertThat(registry.connectionState().isConnected()).isTrue();
    }

    @Test
    void theConnectionIsKeptWhileSomebodyLooksAndClosedFiveMinutesLater() {
        RegistryOnDemand registry = onDemand(this::connect);
        for (int minute = 0; minute < 20; minute += 4) {
            read(registry).join();
            time.advance(Duration.ofMinutes(4));
        }
        assertThat(connected).hasSize(1);
        assertThat(connected.get(0).session()).isPresent();

        time.advance(Duration.ofMinutes(2));

        assertThat(connected.get(0).session()).isEmpty();
        assertThat(registry.connectionState()).isEqualTo(ConnectionState.LATENT);
        read(registry).join();
        assertThat(connected).hasSize(2);
    }

    @Test
    void aConnectionOnWhichSomethingWaitsIsKept() {
        RegistryOnDemand registry = onDemand(this::connect);
        Subscription watch = registry.watch("/orders", Registry.WatchScope.NODE, () -> {});

        time.advance(Duration.ofHours(1));
        assertThat(connected.get(0).session()).isPresent();

        watch.close();
        watch.close();
        time.advance(Duration.ofMinutes(11));
        assertThat(connected.get(0).session()).isEmpty();
    }

    @Test
    void anErrorWhileConnectingEndsOnlyThatAttempt() {
        var attempts = new ArrayList<Supplier<Registry>>(List.of(
                () -> {
                    throw new NoClassDefFoundError("io/netty/Missing");
                },
                this::connect));
        RegistryOnDemand registry = onDemand(() -> attempts.remove(0).get());

        assertThat(read(registry)).failsWithin(LIMIT, TimeUnit.SECONDS);

        read(registry).join();
        assertThat(connected).hasSize(1);
    }

    @Test
    void afterAFailureTheNextRequestTriesAgain() {
        var attempts = new ArrayList<Supplier<Registry>>(List.of(
                () -> {
                    throw new RegistryUnavailableException("not there yet");
                },
                this::connect));
        RegistryOnDemand registry = onDemand(() -> attempts.remove(0).get());

        assertThat(read(registry))
                .failsWithin(LIMIT, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .withMessage("not there yet");
        assertThat(registry.session()).isPresent();
        read(registry).join();
        assertThat(attempts).isEmpty();
    }

    @Test
    void requestsThatComeWhileItConnectsWaitForTheSameAttempt() {
        var begun = new CountDownLatch(1);
        var fails = new CompletableFuture<Registry>();
        RegistryOnDemand registry = onDemand(() -> {
            begun.countDown();
            return fails.orTimeout(LIMIT, TimeUnit.SECONDS).join();
        });
        CompletableFuture<?> first =
                CompletableFuture.supplyAsync(() -> read(registry)).thenCompose(answer -> answer);
        await(begun);
        CompletableFuture<?> second =
                CompletableFuture.supplyAsync(() -> read(registry)).thenCompose(answer -> answer);

        fails.complete(connect());

        assertThat(first).succeedsWithin(LIMIT, TimeUnit.SECONDS);
        assertThat(second).succeedsWithin(LIMIT, TimeUnit.SECONDS);
        assertThat(connected).hasSize(1);
    }

    @Test
    void aClosedOneConnectsNoMore() {
        RegistryOnDemand registry = onDemand(this::connect);
        read(registry).join();

        registry.close();

        assertThat(connected.get(0).session()).isEmpty();
        assertThat(read(registry)).failsWithin(LIMIT, TimeUnit.SECONDS);
        assertThat(connected).hasSize(1);
    }

    private RegistryOnDemand onDemand(Supplier<? extends Registry> connecting) {
        return new RegistryOnDemand("north", connecting, time, IDLE);
    }

    private InMemoryRegistry connect() {
        var registry = new InMemoryRegistry(ensemble, Runnable::run);
        connected.add(registry);
        return registry;
    }

    private static CompletableFuture<?> read(Registry registry) {
        return registry.read(List.of(RegistryRead.data("/"))).toCompletableFuture();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
