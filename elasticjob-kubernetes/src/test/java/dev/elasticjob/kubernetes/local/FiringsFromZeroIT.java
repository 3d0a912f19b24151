package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link Firings} while no pod is killed; {@code target/firings-from-zero.txt} has what was measured. */
@Tag("proof")
class FiringsFromZeroIT {
    /** As {@code docs/guarantees.md} promises. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    @RegisterExtension
    final LocalShop shop = new LocalShop();

    private final Firings firings = new Firings(shop);

    @Test
    void eachItemOfEachFiringRunsOnceAndNoPodIsLeft() throws IOException {
        shop.controller("lease");
        shop.controller("lease");
        JobAdmin admin = firings.introduced("30s");
        List<Duration> untilAsked = new ArrayList<>();
        List<Duration> untilBegun = new ArrayList<>();

        for (int firing = 0; firing < Firings.COUNT; firing++) {
            Set<String> before = shop.jobs();
            shop.cluster.happened.clear();
            long begin = System.nanoTime();
            admin.trigger("orders").toCompletableFuture().join();
            shop.await("a worker", all -> !before.containsAll(shop.jobs()));
            long asked = System.nanoTime();
            shop.await("an item", all -> !shop.lines("started").isEmpty());
            untilAsked.add(Duration.ofNanos(asked - begin));
            untilBegun.add(Duration.ofNanos(System.nanoTime() - asked));
            shop.await("all items", all -> firings.ended().size() == Firings.ITEMS.size());
            firings.awaitZero();

            assertThat(firings.started()).containsExactlyInAnyOrderElementsOf(Firings.ITEMS);
            assertThat(firings.ended()).containsExactlyInAnyOrderElementsOf(Firings.ITEMS);
        }

        assertThat(median(untilAsked)).as("what is open waits for its worker").isLessThan(LONGEST_WAIT);
        Files.writeString(
                Path.of("target", "firings-from-zero.txt"),
                measured("until a worker was asked for", untilAsked)
                        + measured("from then until an item began", untilBegun));
        assertThat(median(untilAsked))
                .as("the controller takes less time than a pod")
                .isLessThan(median(untilBegun));
    }

    // ------------------------------------------------------------------ what was measured

    private static Duration median(List<Duration> all) {
        return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
    }

    private static String measured(String what, List<Duration> all) {
        return "%s: median %d ms, at most %d ms, of %d firings\n"
                .formatted(
                        what,
                        median(all).toMillis(),
                        all.stream()
                                .max(Comparator.naturalOrder())
                                .orElseThrow()
                                .toMillis(),
                        all.size());
    }
}
