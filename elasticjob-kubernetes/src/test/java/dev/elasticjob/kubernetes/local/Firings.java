package dev.elasticjob.kubernetes.local;

import dev.elasticjob.admin.JobAdmin;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Run after run of ten items, each from no pod at all. The property {@code kubernetes.firings} says how many, 20 by default.
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
