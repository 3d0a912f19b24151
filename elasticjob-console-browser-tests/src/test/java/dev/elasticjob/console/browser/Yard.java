package dev.elasticjob.console.browser;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with its console, on a ZooKeeper of its own. Other instances of it join that. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Users.class)
class Yard {
    private static final String ZOOKEEPER = "elasticjob.registry.embedded.";

    /** What executes "slow" stays in it until it opens. */
    static final class Gate {
        private final CountDownLatch opening = new CountDownLatch(1);
        private final Map<Integer, CompletableFuture<ShardingContext>> inside = new ConcurrentHashMap<>();

        void open() {
            opening.countDown();
        }

        /** The first execution of an item that comes here. */
        ShardingContext execution(int item) throws Exception {
            return arrival(item).get(60, TimeUnit.SECONDS);
        }

        private CompletableFuture<ShardingContext> arrival(int item) {
            return inside.computeIfAbsent(item, any -> new CompletableFuture<>());
        }

        private void pass(ShardingContext context) {
            arrival(context.getShardingItem()).complete(context);
            try {
                opening.await(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Bean(destroyMethod = "open")
    Gate gate() {
        return new Gate();
    }

    @Bean
    @ElasticJob(name = "slow", cron = "0 0 4 1 1 ?", shardingTotalCount = 4)
    SimpleJob slow(Gate gate) {
        return gate::pass;
    }

    @Bean
    @ElasticJob(name = "invoices", cron = "0 30 2 * * ?", shardingTotalCount = 2)
    SimpleJob invoices() {
        return context -> {};
    }

    /** The first one, which has the registry. */
    static ConfigurableApplicationContext run(String instance, String... more) {
        return start(instance, more, ZOOKEEPER + "enabled=true", ZOOKEEPER + "port=0");
    }

    /** Another instance of the same jobs, on a server of its own. */
    static ConfigurableApplicationContext join(ConfigurableApplicationContext first, String instance, String... more) {
        return start(instance, more, "elasticjob.registry.connect-string=" + connectString(first));
    }

    static String connectString(ConfigurableApplicationContext first) {
        return first.getBean(dev.elasticjob.spring.autoconfigure.ZooKeeperConnectionDetails.class)
                .getConnectString();
    }

    private static ConfigurableApplicationContext start(String instance, String[] more, String... registry) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--elasticjob.registry.namespace=yard",
                "--elasticjob.instance.ip=" + instance,
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS"));
        for (String property : registry) {
            arguments.add("--" + property);
        }
        arguments.addAll(List.of(more));
        return new SpringApplication(Yard.class).run(arguments.toArray(String[]::new));
    }

    static String address(ConfigurableApplicationContext application) {
        return "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
    }
}
