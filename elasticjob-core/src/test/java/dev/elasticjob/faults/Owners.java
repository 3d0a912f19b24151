package dev.elasticjob.faults;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.JobPicture;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which instance the registry has named as the owner of each item, and since when. The processes themselves can't tell:
 * a leader may give items to one that is dead and not yet known to be. Safe for use by any thread.
 */
final class Owners implements AutoCloseable {
    private final Registry registry;
    private final JobTree tree;
    private final Subscription subscription;
    private final NavigableMap<Instant, Map<Integer, String>> seen = new TreeMap<>();

    /** Watches from now on; closes the registry in the end. */
    Owners(Registry registry, String job) {
        this.registry = registry;
        this.tree = new JobTree(job);
        this.subscription = registry.watch(tree.sharding(), WatchScope.DATA, this::look);
        look();
    }

    private void look() {
        registry.read(JobPicture.reads(tree))
                .thenAccept(answer -> JobPicture.of(tree, answer)
                        .assignment()
                        .map(Assignment::owners)
                        .ifPresent(this::note));
    }

    private synchronized void note(Map<Integer, String> owners) {
        seen.put(Instant.now(), owners);
    }

    /** Who owned the item at some time between these two. */
    synchronized Set<String> of(int item, Instant from, Instant until) {
        return Stream.concat(
                        Optional.ofNullable(seen.floorEntry(from)).map(Map.Entry::getValue).stream(),
                        seen.subMap(from, false, until, true).values().stream())
                .flatMap(owners -> Optional.ofNullable(owners.get(item)).stream())
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        subscription.close();
        registry.close();
    }
}
