package dev.elasticjob.faults;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One instance of a group, in a JVM of its own, without any job: it prints a line for each call of its notice. It ends
 * gracefully when it is asked to, and at once with the JVM that started it.
 */
final class GroupWorkload implements ShardingNotice {
    private static final String MARK = "GROUP";

    private final Semaphore never = new Semaphore(0);
    private final Duration toStop;
    private volatile Optional<ShardAssignment> present = Optional.empty();

    private GroupWorkload(Duration toStop) {
        this.toStop = toStop;
    }

    /** What an instance has told. */
    enum Call {
        BEGINS,
        STOPPING,
        STOPPED,
        LEFT
    }

    /** One call, on the share that it begins or ends. */
    record Told(String process, Instant at, Call call, int index, int total, long epoch) {
        static Optional<Told> parse(String process, String line) {
            String[] words = line.split(" ");
            return words[0].equals(MARK)
                    ? Optional.of(new Told(
                            process,
                            Instant.parse(words[1]),
                            Call.valueOf(words[2]),
                            Integer.parseInt(words[3]),
                            Integer.parseInt(words[4]),
                            Long.parseLong(words[5])))
                    : Optional.empty();
        }
    }

    /** @param arguments the connect string, the instance's id, and how many milliseconds it takes to stop */
    public static void main(String[] arguments) throws IOException {
        GroupWorkload workload = new GroupWorkload(Duration.ofMillis(Long.parseLong(arguments[2])));
        Registry registry = CuratorRegistry.connect(
                RegistrySettings.of(arguments[0], Workload.NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(arguments[1])
                .ip(arguments[1])
                .serverTick(TestZooKeeper.TICK)
                .build();
        engine.groups().join("partitions", workload);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            engine.close();
            registry.close();
            workload.print(Call.LEFT);
        }));
        engine.start();
        HeartBeat.lastUntilTheInputEnds();
    }

    @Override
    public void shardingCompleted(ShardAssignment assignment) {
        present = Optional.of(assignment);
        print(Call.BEGINS);
    }

    @Override
    public void startSharding() {
        print(Call.STOPPING);
        try {
            never.tryAcquire(toStop.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        print(Call.STOPPED);
    }

    @SuppressWarnings("SystemOut")
    private void print(Call call) {
        String share = present.map(now -> "%d %d %d".formatted(now.index(), now.total(), now.epoch()))
                .orElse("-1 0 0");
        System.out.println("%s %s %s %s".formatted(MARK, Instant.now(), call, share));
    }
}
