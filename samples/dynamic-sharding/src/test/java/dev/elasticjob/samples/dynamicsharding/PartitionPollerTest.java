package dev.elasticjob.samples.dynamicsharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.samples.dynamicsharding.PartitionPoller.Advanced;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

/** Two instances of the application, on one embedded ZooKeeper server and one database. */
class PartitionPollerTest {
    private static final long LIMIT_SECONDS = 60;
    private static final int PARTITIONS = 8;

    private final List<ConfigurableApplicationContext> started = new ArrayList<>();
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private int port;

    private record Told(String instance, Advanced advanced) {
        ShardAssignment assignment() {
            return advanced.assignment();
        }
    }

    @BeforeEach
    void choosePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
    }

    @Test
    void instancesShareOutThePartitionsAndTheSurvivorGetsAllOfThem() throws Exception {
        start("a", "--elasticjob.registry.embedded.enabled=true", "--elasticjob.registry.embedded.port=" + port);
        assertThat(partitionsOf("a", 1)).hasSize(PARTITIONS);

        ConfigurableApplicationContext b = start(
                "b",
                "--elasticjob.registry.embedded.enabled=false",
                "--elasticjob.registry.connect-string=127.0.0.1:" + port);
        Map<String, Set<Integer>> shared = partitionsOfBoth();

        assertThat(shared.get("a")).containsExactly(0, 2, 4, 6);
        assertThat(shared.get("b")).containsExactly(1, 3, 5, 7);
        b.close();
        assertThat(partitionsOf("a", 1)).hasSize(PARTITIONS);
    }

    @Test
    void aWriteOfAnEarlierEpochIsRefused() throws Exception {
        ConfigurableApplicationContext a = start(
                "a", "--elasticjob.registry.embedded.enabled=true", "--elasticjob.registry.embedded.port=" + port);
        Told first = next(any -> true);
        Partitions partitions = a.getBean(Partitions.class);

        assertThat(partitions.advance(
                        first.advanced().partition(), first.assignment().epoch() - 1))
                .isFalse();
    }

    private ConfigurableApplicationContext start(String instance, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--elasticjob.instance.id=" + instance);
        all.add("--spring.datasource.url=jdbc:h2:mem:tasks-" + port + ";DB_CLOSE_DELAY=-1");
        all.add("--elasticjob.dynamic-sharding.join-delay=0s");
        ConfigurableApplicationContext context = new SpringApplicationBuilder(DynamicShardingApplication.class)
                .web(WebApplicationType.NONE)
                .initializers(application -> application.addApplicationListener(event -> {
                    if (event instanceof PayloadApplicationEvent<?> payload
                            && payload.getPayload() instanceof Advanced advanced) {
                        told.add(new Told(instance, advanced));
                    }
                }))
                .run(all.toArray(String[]::new));
        started.add(context);
        return context;
    }

    /** The partitions that the instance advances as one of so many, until all of its share have been. */
    private Set<Integer> partitionsOf(String instance, int total) throws InterruptedException {
        Set<Integer> partitions = new TreeSet<>();
        while (partitions.size() < PARTITIONS / total) {
            Told one = next(
                    any -> any.instance().equals(instance) && any.assignment().total() == total);
            partitions.add(one.advanced().partition());
        }
        return partitions;
    }

    private Map<String, Set<Integer>> partitionsOfBoth() throws InterruptedException {
        Map<String, Set<Integer>> partitions = new HashMap<>();
        while (partitions.values().stream().mapToInt(Set::size).sum() < PARTITIONS) {
            Told one = next(any -> any.assignment().total() == 2);
            partitions
                    .computeIfAbsent(one.instance(), any -> new TreeSet<>())
                    .add(one.advanced().partition());
        }
        return partitions;
    }

    private Told next(Predicate<Told> wanted) throws InterruptedException {
        Told one = told.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        while (one != null && !wanted.test(one)) {
            one = told.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        assertThat(one).as("something told in time").isNotNull();
        return one;
    }
}
