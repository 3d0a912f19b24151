package dev.elasticjob.admin.app;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An application as its controller shows it: the value of a node, with what is missing there as an empty text, list or 0.
 * Immutable.
 *
 * @param name of the resource
 * @param namespace of the cluster
 * @param suspend whether the resource itself says that nothing is to be started
 * @param pools in the order of the resource
 * @param conditions those of the resource's status
 */
@JsonInclude(Include.NON_EMPTY)
public record PublishedApp(
        String name, String namespace, boolean suspend, List<Pool> pools, List<Condition> conditions) {
    /** In a text, what follows is from the log of a worker. */
    public static final String LAST_LINES = ", last lines: ";

    public PublishedApp {
        name = orEmpty(name);
        namespace = orEmpty(namespace);
        pools = orEmpty(pools);
        conditions = orEmpty(conditions);
    }

    /**
     * Workers that are alike. Of a resource that can't be used, only the figures of the last decision are known.
     *
     * @param capacity what items may weigh together that a worker claims; 0 if it isn't known
     * @param baseWorkers how many are always there
     * @param maxWorkers how many there are at most; 0 if it isn't known
     * @param open how many items are due and not claimed
     * @param running how many items execute
     * @param need how many workers that asks for
     * @param registered how many of its own workers are registered; instances elsewhere may do the rest
     * @param nextFiring absent if nothing is planned, or nothing could be decided
     * @param jobs their names, sorted
     * @param workers those that are there, or have failed; the ones that need a look first
     * @param leftOut how many more there are than are shown
     */
    @JsonInclude(Include.NON_EMPTY)
    public record Pool(
            String name,
            int capacity,
            int baseWorkers,
            int maxWorkers,
            int open,
            int running,
            int need,
            int registered,
            @Nullable Instant nextFiring,
            List<String> jobs,
            List<Worker> workers,
            int leftOut) {
        public Pool {
            name = orEmpty(name);
            jobs = orEmpty(jobs);
            workers = orEmpty(workers);
        }

        Pool without(int more) {
            return new Pool(
                    name,
                    capacity,
                    baseWorkers,
                    maxWorkers,
                    open,
                    running,
                    need,
                    registered,
                    nextFiring,
                    jobs,
                    workers.subList(0, workers.size() - more),
                    leftOut + more);
        }
    }

    /**
     * A worker, as the cluster shows it.
     *
     * @param phase {@code FAILED}, {@code PENDING} or {@code RUNNING}
     * @param pod empty before it is made
     * @param node of the cluster; empty before it has one
     * @param instance its id, once it has registered
     * @param since when it was asked for, or has started or ended
     * @param reason why it doesn't start, or has failed, as a word
     * @param text the same for people, with the last lines of its log if it has failed
     */
    @JsonInclude(Include.NON_EMPTY)
    public record Worker(
            String name,
            String phase,
            String pod,
            String node,
            String instance,
            @Nullable Instant since,
            String reason,
            String text) {
        public Worker {
            name = orEmpty(name);
            phase = orEmpty(phase);
            pod = orEmpty(pod);
            node = orEmpty(node);
            instance = orEmpty(instance);
            reason = orEmpty(reason);
            text = orEmpty(text);
        }
    }

    /** A condition of the resource's status. */
    @JsonInclude(Include.NON_EMPTY)
    public record Condition(
            String type,
            boolean holds,
            String reason,
            String message,
            @Nullable Instant since) {
        public Condition {
            type = orEmpty(type);
            reason = orEmpty(reason);
            message = orEmpty(message);
        }
    }

    /** Which one it is among those of all clusters' namespaces: the name of its node. */
    public String id() {
        return id(namespace, name);
    }

    /** Neither part has a dot. */
    public static String id(String namespace, String name) {
        return namespace + "." + name;
    }

    /** The same without its least remarkable workers: half of those that the largest pool shows. */
    PublishedApp shortened() {
        List<Pool> fewer = new ArrayList<>(pools);
        pools.stream()
                .max(Comparator.comparingInt(pool -> pool.workers().size()))
                .ifPresent(largest -> fewer.set(
                        pools.indexOf(largest),
                        largest.without((largest.workers().size() + 1) / 2)));
        return new PublishedApp(name, namespace, suspend, fewer, conditions);
    }

    boolean showsWorkers() {
        return pools.stream().anyMatch(pool -> !pool.workers().isEmpty());
    }

    /** A value that was read may lack what one that was made has. */
    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list.stream().filter(Objects::nonNull).toList();
    }
}
