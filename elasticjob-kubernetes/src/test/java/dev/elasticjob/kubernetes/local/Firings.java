package dev.elasticjob.kubernetes.local;

import dev.elasticjob.admin.JobAdmin;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What tests of firings, each of ten items and from no pod at all, ask of a {@link LocalShop}. The property {@code
 * kubernetes.firings} says how many there are, 20 by default.
 */
final class Firings {
    static final int COUNT = Integer.getInteger("kubernetes.firings", 20);
    static final List<String> ITEMS =
            IntStream.range(0, 10).mapToObj("item %d"::formatted).toList();

    private final LocalShop shop;

    Firings(LocalShop shop) {
        this.shop = shop;
    }

    /** The job is known, and no pod is there. */
    JobAdmin introduced(String sessionTimeout) {
        shop.cluster.server.put("shop", LocalShop.spec("shop:1.4", "1s", sessionTimeout));
        shop.await("the job", all -> shop.condition("Ready").equals("True Ready"));
        awaitZero();
        return shop.admin();
    }

    void awaitZero() {
        shop.await(
                "no pod",
                all -> shop.cluster.running().isEmpty() && shop.unfinished().isEmpty());
    }

    List<String> started() {
        return items("started");
    }

    List<String> ended() {
        return items("ended");
    }

    private List<String> items(String end) {
        return shop.lines(end).stream()
                .map(line -> line.substring(0, line.length() - end.length() - 1))
                .toList();
    }
}
