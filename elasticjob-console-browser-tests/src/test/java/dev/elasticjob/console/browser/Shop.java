package dev.elasticjob.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** An application with jobs in several states, its console, and a second instance of the jobs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Users.class)
class Shop {
    static final String NAME_WITH_EVERYTHING = "账单 50%; <b>&amp;";

    private static final int ITEMS = 12;

    /** Some items run until it opens. */
    private final CountDownLatch closing = new CountDownLatch(1);

    @Bean
    InMemoryEnsemble ensemble() {
        return new InMemoryEnsemble(Clock.systemUTC());
    }

    @Bean
    Registry registry(InMemoryEnsemble ensemble) {
        return new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-"));
    }

    /** The items of the job "invoices" that have run. */
    static final class Invoices {
        final List<Integer> runs = new CopyOnWriteArrayList<>();
    }

    /** What the trace of an application would have recorded. */
    @Bean
    ConsoleHistory history() {
        return new PastFirings();
    }

    @Bean
    Invoices sentInvoices() {
        return new Invoices();
    }

    @Bean
    Owners owners() {
        return new Owners();
    }

    @Bean
    @ElasticJob(name = "orders", cron = "0 0 4 1 1 ?", shardingTotalCount = ITEMS, failover = true)
    SimpleJob orders() {
        return context -> {
            if (context.getShardingItem() == 3) {
                throw new IllegalStateException("Order 4711 has no address");
            }
            if (context.getShardingItem() % 4 == 1) {
                await();
            }
        };
    }

    @Bean
    @ElasticJob(name = "invoices", cron = "0 30 2 * * ?", shardingTotalCount = 2)
    SimpleJob invoices(Invoices sent) {
        return context -> sent.runs.add(context.getShardingItem());
    }

    @Bean
    @ElasticJob(name = NAME_WITH_EVERYTHING, cron = "0 0 0 1 * ?")
    SimpleJob bills() {
        return context -> {};
    }

    private void await() {
        try {
            closing.await(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts it, and waits until an instance owns each item. */
    static ConfigurableApplicationContext run(String... arguments) {
        ConfigurableApplicationContext shop = new SpringApplication(Shop.class).run(arguments);
        shop.getBean(Owners.class).await("orders", ITEMS);
        return shop;
    }

    /** Jobs that no instance runs. */
    static void register(ConfigurableApplicationContext shop, String... names) throws Exception {
        var registry =
                new InMemoryRegistry(shop.getBean(InMemoryEnsemble.class), new SimpleAsyncTaskExecutor("registry-3-"));
        try (ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .ip("10.0.0.3")
                .instanceName("shop-3")
                .build()) {
            for (String name : names) {
                engine.register(JobDefinition.builder(name).cron("0 0 4 1 1 ?").build(), (SimpleJob) context -> {});
            }
            engine.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    /** How many items of a job this instance owns, from its events. */
    static final class Owners implements JobEventListener {
        private final Map<String, Integer> items = new HashMap<>();

        @Override
        public synchronized void onEvent(JobEvent event) {
            if (event instanceof JobEvent.AssignmentChanged change) {
                items.put(change.jobName(), change.items().size());
                notifyAll();
            }
        }

        synchronized void await(String job, int count) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (items.getOrDefault(job, 0) != count && System.nanoTime() < end) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            assertThat(items).containsEntry(job, count);
        }
    }

    /** Another instance of the job "orders", on a server of its own. */
    record Second(ElasticJobEngine engine, InMemoryRegistry registry) {
        static Second start(ConfigurableApplicationContext shop) {
            var registry = new InMemoryRegistry(
                    shop.getBean(InMemoryEnsemble.class), new SimpleAsyncTaskExecutor("registry-2-"));
            ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                    .ip("10.0.0.2")
                    .instanceName("shop-2")
                    .build();
            JobDefinition orders = shop.getBean(JobAdmin.class)
                    .definition("orders")
                    .toCompletableFuture()
                    .join();
            engine.register(orders, shop.getBean("orders", SimpleJob.class));
            engine.start();
            shop.getBean(Owners.class).await("orders", ITEMS / 2);
            return new Second(engine, registry);
        }

        /** As a process that was killed, after the session timeout. */
        void kill(ConfigurableApplicationContext shop) {
            RegistrySession session = registry.session().orElseThrow();
            registry.disconnect();
            shop.getBean(InMemoryEnsemble.class).expire(session);
        }
    }
}
