package dev.elasticjob.console.browser;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A fleet as people have it: fifty jobs with names of eight to sixty letters, some of them Chinese, one with a thousand
 * items, on three instances. Most are well; the others fail, hang, are paused, disabled, drained, unreadable, or run nowhere.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RealWorld {
    static final String LONGEST = "warehouse-inventory-synchronisation-with-the-supplier-portal";
    static final String FAILING = "invoice-mailer";
    static final String STUCK = "customer-data-platform-export";
    static final String PAUSED = "monthly-billing-run";
    static final String UNREADABLE = "legacy_report_generator";
    static final String NOWHERE = "retired-tax-calculation";
    static final String DISABLED = "newsletter-campaign-dispatcher";
    static final String MANY = "product-image-thumbnails";
    static final int MANY_ITEMS = 1_000;
    static final String DRAINED = "10.0.4.23";

    /** Of all jobs, in no order. */
    static final List<String> NAMES = List.of(
            LONGEST,
            FAILING,
            STUCK,
            PAUSED,
            UNREADABLE,
            DISABLED,
            MANY,
            "order-export",
            "order-import-from-marketplaces",
            "cleanup-expired-sessions",
            "com.example.billing.reconciliation.NightlyReconciliationJob",
            "com.example.crm.CustomerScoringJob",
            "exchange-rates",
            "fraud-detection-feature-refresh",
            "gdpr-deletion-requests",
            "payment-retries",
            "payment-settlement-report",
            "price-updates-for-resellers",
            "recommendation-model-training",
            "search-index-rebuild",
            "search-index-delta",
            "sepa-direct-debit-batches",
            "shipment-tracking-poller",
            "sitemaps",
            "stock-level-alerts",
            "subscription-renewals",
            "support-ticket-escalation",
            "tax-report-for-authorities-of-all-member-states",
            "thumbnail_cache_eviction",
            "warehouse-stocktaking",
            "webhooks-redelivery",
            "audit-log-archiving-to-cold-storage",
            "backup-verification",
            "cart-abandonment-reminders",
            "coupon-expiry",
            "daily-sales-figures",
            "dunning-letters",
            "email-bounce-processing",
            "feed-generation-for-price-comparison",
            "gift-card-balances",
            "loyalty-points-expiry",
            "merchant-payouts",
            "metrics-rollup-hourly",
            "orders-archive",
            "returns-and-refunds-reconciliation",
            "订单同步",
            "每日账单对账与结算任务",
            "库存预警通知",
            "会员积分过期处理");

    private static final int ITEMS = 6;

    private final CountDownLatch closing = new CountDownLatch(1);

    @Bean
    InMemoryEnsemble ensemble() {
        return new InMemoryEnsemble(Clock.systemUTC());
    }

    @Bean
    Registry registry(InMemoryEnsemble ensemble) {
        return new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-"));
    }

    @Bean
    ConsoleHistory history() {
        return new RealHistory();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("mei").password("{noop}mei").roles("OPS").build(),
                User.withUsername("ann").password("{noop}ann").roles("BOSS").build());
    }

    static JobDefinition definition(String name) {
        JobDefinition.Builder job = JobDefinition.builder(name).shardingTotalCount(ITEMS);
        return switch (name) {
            case MANY -> job.cron("0 15 3 * * ?").shardingTotalCount(MANY_ITEMS).build();
            case STUCK ->
                job.cron("0 30 1 * * ?").stuckAfter(Duration.ofSeconds(1)).build();
            case FAILING -> job.cron("0 0/30 * * * ?").failover(true).build();
            case "returns-and-refunds-reconciliation" ->
                job.after(AfterSettings.of("orders-archive")).build();
            case "exchange-rates" ->
                job.every(Duration.ofMinutes(15)).shardingTotalCount(1).build();
            case "订单同步", "sitemaps", "coupon-expiry" ->
                job.cron("0 0 5 * * ?").shardingTotalCount(1).build();
            default ->
                job.cron("0 %d %d * * ?"
                                .formatted(Math.floorMod(name.hashCode(), 60), Math.floorMod(name.length(), 24)))
                        .description("Runs every night")
                        .build();
        };
    }

    private SimpleJob job(String name) {
        return switch (name) {
            case FAILING ->
                context -> {
                    if (context.getShardingItem() % 2 == 1) {
                        throw new IllegalStateException("The mail server smtp.example.com refused the connection");
                    }
                };
            case STUCK -> context -> await();
            default -> context -> {};
        };
    }

    private void await() {
        try {
            closing.await(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A world that lives. Closing it ends its instances. */
    record World(ConfigurableApplicationContext console, List<ElasticJobEngine> instances) implements AutoCloseable {
        String port() {
            return String.valueOf(console.getEnvironment().getProperty("local.server.port"));
        }

        JobAdmin admin() {
            return console.getBean(JobAdmin.class);
        }

        @Override
        public void close() {
            console.getBean(RealWorld.class).closing.countDown();
            instances.forEach(ElasticJobEngine::close);
            console.close();
        }
    }

    /** Starts it, runs each job once, and lets happen what has to have happened. */
    static World run(String... arguments) throws Exception {
        ConfigurableApplicationContext console = new SpringApplication(RealWorld.class).run(arguments);
        RealWorld real = console.getBean(RealWorld.class);
        List<ElasticJobEngine> instances = new ArrayList<>();
        World world = new World(console, instances);
        for (String host : List.of("10.0.4.21", "10.0.4.22", DRAINED)) {
            instances.add(real.start(console, host, NAMES));
        }
        real.start(console, "10.0.4.20", List.of(NOWHERE)).close();
        JobAdmin admin = world.admin();
        Map<String, CompletableFuture<?>> runs = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (!name.equals(STUCK) && !name.equals("orders-archive")) {
                runs.put(name, admin.run(name, RunRequest.create()));
            }
        }
        for (CompletableFuture<?> run : runs.values()) {
            await(run);
        }
        await(admin.trigger(STUCK));
        await(admin.pause(PAUSED));
        await(admin.disable(DISABLED));
        await(admin.disableItem("order-export", 2));
        await(admin.drainAll(drained(console)));
        makeUnreadable(console.getBean(Registry.class));
        return world;
    }

    private ElasticJobEngine start(ConfigurableApplicationContext console, String host, List<String> names)
            throws Exception {
        var registry =
                new InMemoryRegistry(console.getBean(InMemoryEnsemble.class), new SimpleAsyncTaskExecutor(host + "-"));
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .ip(host)
                .instanceName("shop-" + host.substring(host.lastIndexOf('.') + 1))
                .maxThreads(64)
                .build();
        for (String name : names) {
            engine.register(definition(name), job(name));
        }
        await(engine.start());
        return engine;
    }

    private static String drained(ConfigurableApplicationContext console) throws Exception {
        return await(console.getBean(JobInspector.class).instances("order-export")).orElseThrow().stream()
                .map(JobReport.InstanceReport::id)
                .filter(id -> id.startsWith(DRAINED))
                .findFirst()
                .orElseThrow();
    }

    private static void makeUnreadable(Registry registry) throws Exception {
        String node = new JobTree(UNREADABLE).config();
        byte[] cut = "{\"jobName\":\"%s\",\"cron\":".formatted(UNREADABLE).getBytes(StandardCharsets.UTF_8);
        await(registry.commit(RegistryCommit.builder()
                .set(node, cut, RegistryCommit.ANY_VERSION)
                .build()));
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    /** To look at it with a browser of one's own: users are mei and ann, with these words as their passwords. */
    public static void main(String... arguments) throws Exception {
        run(
                "--server.port=8180",
                "--elasticjob.registry.namespace=shop-production",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS");
    }
}
