package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code /sharding} says.
 *
 * @param opensFrom after which moment firings are opened in the whole cluster; null if none are
 * @param isFollowed whether another job runs after this one
 */
record InForce(
        Schedule schedule,
        Instant since,
        List<Former> former,
        boolean monitored,
        Map<Integer, String> owners,
        @Nullable Instant opensFrom,
        boolean isFollowed) {
    private static final int MOST_COUNTED = 1_000;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    /** What chains ask for after each step, in all lives: the same few texts. */
    private static final Map<Stored, JobDefinition> READ = new ConcurrentHashMap<>();

    private static final int MOST_READ = 10_000;

    static Optional<InForce> at(Replica replica, JobTree tree) {
        return of(replica.node(tree.sharding()));
    }

    /** Empty while nothing has been planned. */
    static Optional<InForce> of(Optional<RegistryNode> sharding) {
        return sharding.filter(node -> node.data().length > 0).map(node -> {
            JsonNode json = MAPPER.readTree(node.data());
            return new InForce(
                    schedule(json),
                    Instant.parse(json.path("since").asString("")),
                    json.path("former").valueStream().map(InForce::former).toList(),
                    json.path("monitored").asBoolean(true),
                    owners(json.path("owners")),
                    json.path("firings").isMissingNode()
                            ? null
                            : Instant.parse(json.path("firings").path("from").asString("")),
                    !json.path("firings").path("followers").isEmpty());
        });
    }

    private static Schedule schedule(JsonNode json) {
        return Schedule.of(
                json.path("cron").asString(""), ZoneId.of(json.path("timeZone").asString("UTC")));
    }

    private static Former former(JsonNode json) {
        return new Former(
                schedule(json),
                Instant.parse(json.path("since").asString("")),
                Instant.parse(json.path("until").asString("")));
    }

    /** A schedule under which firings after one moment, up to another, are owed. */
    record Former(Schedule schedule, Instant since, Instant until) {
        /** The next of them. */
        Optional<Instant> next(Instant firing) {
            return schedule.nextAfter(firing).filter(next -> !next.isAfter(until));
        }

        boolean owes(Instant firing) {
            return next(firing.minusNanos(1)).filter(firing::equals).isPresent() && firing.isAfter(since);
        }

        Optional<Instant> latestNotAfter(Instant now) {
            return schedule.latestNotAfter(now.isBefore(until) ? now : until).filter(since::isBefore);
        }
    }

    /** Whether a claim of the firing opens it in the whole cluster, unless it is open. */
    boolean opens(Instant firing) {
        return monitored && opensFrom != null && firing.isAfter(opensFrom);
    }

    /** Whether a firing that is open is owed, whatever the schedules of that time say by now. */
    boolean spans(Instant firing) {
        return former.stream()
                .anyMatch(schedule -> firing.isAfter(schedule.since()) && !firing.isAfter(schedule.until()));
    }

    /** Whether the schedule has a firing at that moment. */
    boolean fires(Instant moment) {
        return schedule.latestNotAfter(moment).filter(moment::equals).isPresent();
    }

    /** Whether the firing is owed under a schedule before. */
    boolean owes(Instant firing) {
        return former.stream().anyMatch(schedule -> schedule.owes(firing));
    }

    /** The latest firing that is owed by now. */
    Optional<Instant> latestDue(Instant now) {
        return schedule.latestNotAfter(now)
                .filter(since::isBefore)
                .or(() -> former.stream()
                        .flatMap(before -> before.latestNotAfter(now).stream())
                        .max(Comparator.naturalOrder()));
    }

    /** The first firing that is owed after that one. */
    Optional<Instant> nextOwed(Instant seen) {
        return former.stream()
                .flatMap(before -> before.next(later(seen, before.since())).stream())
                .findFirst()
                .or(() -> schedule.nextAfter(later(seen, since)));
    }

    /** How many firings are owed between the one that was seen and another. */
    long countOwed(@Nullable Instant seen, Instant firing) {
        long count = schedule.countBetween(later(seen, since), firing, MOST_COUNTED);
        for (Former before : former) {
            Optional<Instant> next = before.next(later(seen, before.since()));
            while (next.isPresent() && next.get().isBefore(firing)) {
                count++;
                next = before.next(next.get());
            }
        }
        return count;
    }

    private static Instant later(@Nullable Instant seen, Instant since) {
        return seen != null && seen.isAfter(since) ? seen : since;
    }

    /** Whether the job is there. */
    static boolean isDefined(Replica replica, JobTree tree) {
        return replica.node(tree.config()).isPresent() || isWhole(replica, tree);
    }

    /** What the configuration says. */
    static JobDefinition definition(Replica replica, JobTree tree) {
        Stored stored =
                new Stored(tree.jobName(), text(replica.node(tree.config())), text(replica.node(tree.extension())));
        if (READ.size() > MOST_READ) {
            READ.clear();
        }
        return READ.computeIfAbsent(stored, Stored::read);
    }

    private static Optional<ByteBuffer> text(Optional<RegistryNode> node) {
        return node.map(RegistryNode::data).map(ByteBuffer::wrap);
    }

    /** The data of the two nodes. */
    private record Stored(String job, Optional<ByteBuffer> config, Optional<ByteBuffer> extension) {
        JobDefinition read() {
            Optional<byte[]> more = extension.map(ByteBuffer::array);
            return more.filter(CODEC::isWhole)
                    .map(whole -> CODEC.decodeWhole(job, whole))
                    .orElseGet(() -> CODEC.decode(job, config.orElseThrow().array(), more))
                    .definition();
        }
    }

    private static boolean isWhole(Replica replica, JobTree tree) {
        return replica.node(tree.extension())
                .filter(node -> CODEC.isWhole(node.data()))
                .isPresent();
    }

    private static Map<Integer, String> owners(JsonNode json) {
        Map<Integer, String> owners = new TreeMap<>();
        json.properties().forEach(entry -> {
            for (String range : entry.getValue().asString("").split(",")) {
                String[] ends = range.split("-");
                for (int item = Integer.parseInt(ends[0]); item <= Integer.parseInt(ends[ends.length - 1]); item++) {
                    owners.put(item, entry.getKey());
                }
            }
        });
        return owners;
    }
}
