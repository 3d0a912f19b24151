package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.migration.output.SettingsPlacement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application starts with what was produced, and its jobs are what the source said, to the last setting. */
class RoundTripTest {
    private static final String REGISTRY_2 = """
            <reg:zookeeper id="regCenter" server-lists="${zk.servers}" namespace="shop" base-sleep-time-milliseconds="1500"
                           max-sleep-time-milliseconds="4000" max-retries="5" session-timeout-milliseconds="30000"
                           connection-timeout-milliseconds="12000" digest="user:secret"/>
            """;

    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 30 6 ? * MON-FRI")
            .shardingTotalCount(3)
            .shardingItemParameters("0=Beijing,1=Shanghai,2=Köln")
            .jobParameter("all of \"them\"\\")
            .monitorExecution(true)
            .monitorPort(9888)
            .maxTimeDiffSeconds(60)
            .failover(true)
            .reconcileIntervalMinutes(20)
            .misfire(false)
            .jobShardingStrategyClass("ODEVITY")
            .description("orders: the whole day")
            .disabled(true)
            .overwrite(true)
            .jobProperties(Map.of("job_exception_handler", "IGNORE"))
            .build();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void xmlOf2(SettingsPlacement placement) throws Exception {
        Path produced = new MigrationFixture(folder)
                .xml2(REGISTRY_2 + """
                        <job:simple id="orders" class="shop.OrdersJob" registry-center-ref="regCenter" cron="0 30 6 ? * 2-6"
                                    sharding-total-count="3" sharding-item-parameters="0=Beijing,1=Shanghai,2=Köln"
                                    job-parameter="all of &quot;them&quot;\\" monitor-execution="true" monitor-port="9888"
                                    max-time-diff-seconds="60" failover="true" reconcile-interval-minutes="20"
                                    misfire="false" description="orders: the whole day" disabled="true" overwrite="true"
                                    job-sharding-strategy-class="com.dangdang.ddframe.job.lite.api.strategy.impl.OdevitySortByNameJobShardingStrategy"
                                    job-exception-handler="IGNORE"/>
                        <bean id="loader" class="shop.LoaderJob"/>
                        <job:dataflow id="loader.daily" job-ref="loader" registry-center-ref="regCenter" cron="0 0 2 * * ?"
                                      sharding-total-count="${items}" streaming-process="true"/>
                        <job:script id="cleanUp" registry-center-ref="regCenter" cron="0 0 3 L * ?"
                                    sharding-total-count="1" script-command-line="/opt/clean up.sh --all"/>
                        """)
                .with(MigrationOptions.DEFAULT.withPlacement(placement))
                .produced();

        try (var application = ProducedApplication.start(
                produced, Compiled.of(produced), "--zk.servers=a:2181,b:2181/chroot", "--items=7")) {
            assertThat(application.jobs()).containsExactly("cleanUp", "loader.daily", "orders");
            assertSame(application.definition("orders"), ORDERS);
            assertThat(application.definition("loader.daily").shardingTotalCount())
                    .isEqualTo(7);
            assertThat(application.definition("loader.daily").streamingProcess())
                    .isTrue();
            assertSame(
                    application.definition("cleanUp"),
                    JobDefinition.builder("cleanUp")
                            .jobType(JobType.SCRIPT)
                            .cron("0 0 3 L * ?")
                            .scriptCommandLine("/opt/clean up.sh --all")
                            .build());
            var registry = application.properties().registry();
            assertThat(registry.connectString()).isEqualTo("a:2181,b:2181/chroot");
            assertThat(registry.namespace()).isEqualTo("shop");
            assertThat(registry.digest()).isEqualTo("user:secret");
            assertThat(registry.retry().baseSleep()).isEqualTo(Duration.ofMillis(1500));
            assertThat(registry.retry().maxSleep()).isEqualTo(Duration.ofSeconds(4));
            assertThat(registry.retry().maxRetries()).isEqualTo(5);
            assertThat(registry.sessionTimeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(registry.connectionTimeout()).isEqualTo(Duration.ofSeconds(12));
        }
    }

    @ParameterizedTest
    @EnumSource
    void xmlOf3(SettingsPlacement placement) throws Exception {
        Path produced = new MigrationFixture(folder)
                .xml3("""
                        <elasticjob:zookeeper id="regCenter" server-lists="zk:2181" namespace="shop"/>
                        <elasticjob:job id="orders" job-ref="ordersJob" registry-center-ref="regCenter"
                                        cron="0 30 6 ? * 2-6 *" time-zone="GMT+08:00" sharding-total-count="3"
                                        sharding-item-parameters="0=a" job-parameter="p" monitor-execution="true"
                                        max-time-diff-seconds="60" failover="true" reconcile-interval-minutes="20"
                                        misfire="false" job-sharding-strategy-type="ROUND_ROBIN"
                                        job-executor-service-handler-type="SINGLE_THREAD" job-error-handler-type="THROW"
                                        description="d" disabled="true" overwrite="true">
                            <props><prop key="some.Key">a value</prop></props>
                        </elasticjob:job>
                        <bean id="ordersJob" class="shop.OrdersJob"/>
                        <elasticjob:job id="billing" job-type="HTTP" registry-center-ref="regCenter" sharding-total-count="1"
                                        cron="0 0 5 * * ?">
                            <props>
                                <prop key="http.uri">https://billing.example.com/close</prop>
                                <prop key="http.method">post</prop>
                                <prop key="http.data">{"a":1}</prop>
                                <prop key="http.content.type">application/json</prop>
                                <prop key="http.connect.timeout.milliseconds">1000</prop>
                                <prop key="http.read.timeout.milliseconds">60000</prop>
                            </props>
                        </elasticjob:job>
                        """)
                .with(MigrationOptions.DEFAULT.withPlacement(placement).withTargetNamespace("shop-jobs"))
                .produced();

        try (var application = ProducedApplication.start(produced, Compiled.of(produced))) {
            assertThat(application.properties().registry().namespace()).isEqualTo("shop-jobs");
            assertSame(
                    application.definition("orders"),
                    ORDERS.toBuilder()
                            .timeZone(ZoneId.of("GMT+08:00"))
                            .shardingItemParameters("0=a")
                            .jobParameter("p")
                            .monitorPort(-1)
                            .jobShardingStrategyClass("ROUND_ROBIN")
                            .concurrency(1)
                            .description("d")
                            .jobProperties(Map.of("job_exception_handler", "THROW", "some.Key", "a value"))
                            .build());
            assertSame(
                    application.definition("billing"),
                    JobDefinition.builder("billing")
                            .jobType(JobType.HTTP)
                            .cron("0 0 5 * * ?")
                            .http(HttpRequestSettings.of("https://billing.example.com/close")
                                    .withBody("POST", "{\"a\":1}", "application/json")
                                    .withTimeouts(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                            .build());
        }
    }

    @Test
    void propertiesOf3WithAProfile() throws Exception {
        Path produced = new MigrationFixture(folder)
                .source("application.yml", """
                        server.port: 8080
                        elasticjob:
                          regCenter: {serverLists: "zk:2181", namespace: shop}
                          jobs:
                            ordersJob: &orders
                              elasticJobClass: shop.OrdersJob
                              cron: "0 0 1 * * ?"
                              shardingTotalCount: 2
                              monitorExecution: true
                              failover: true
                              misfire: yes
                              reconcileIntervalMinutes: 5
                              props:
                                a.b: c
                            later:
                              <<: *orders
                              elasticJobClass: shop.LaterJob
                              cron: "0 0 2 * * ?"
                            report:
                              elasticJobClass: shop.ReportJob
                              jobBootstrapBeanName: reportBootstrap
                              shardingTotalCount: 3
                        ---
                        spring.config.activate.on-profile: night
                        elasticjob.jobs.ordersJob.cron: "0 0 23 * * ?"
                        """)
                .with(MigrationOptions.DEFAULT.withTargetNamespace("jobs"))
                .produced();

        try (var application = ProducedApplication.start(produced, Compiled.of(produced))) {
            assertThat(application.jobs()).containsExactly("later", "ordersJob", "report");
            assertSame(
                    application.definition("ordersJob"),
                    JobDefinition.builder("ordersJob")
                            .cron("0 0 1 * * ?")
                            .shardingTotalCount(2)
                            .failover(true)
                            .reconcileIntervalMinutes(5)
                            .jobProperties(Map.of("a.b", "c"))
                            .build());
            assertThat(application.definition("later").cron()).isEqualTo("0 0 2 * * ?");
            assertThat(application.definition("later").failover()).isTrue();
            assertThat(application.definition("report").isOneOff()).isTrue();
        }
        try (var application =
                ProducedApplication.start(produced, Compiled.of(produced), "--spring.profiles.active=night")) {
            assertThat(application.definition("ordersJob").cron()).isEqualTo("0 0 23 * * ?");
            assertThat(application.definition("ordersJob").shardingTotalCount()).isEqualTo(2);
        }
    }

    /** What is missing is off in the starter of 3.x, and on here. */
    @Test
    void propertiesOf3KeepTheirDefaults() throws Exception {
        Path produced = new MigrationFixture(folder)
                .source("application.properties", """
                        elasticjob.reg-center.server-lists=zk:2181
                        elasticjob.reg-center.namespace=shop
                        elasticjob.jobs.plain.elastic-job-class=shop.PlainJob
                        elasticjob.jobs.plain.cron=0 0 1 * * ?
                        elasticjob.jobs.plain.sharding-total-count=1
                        elasticjob.jobs[my.job].elastic-job-type=SCRIPT
                        elasticjob.jobs[my.job].cron=0 0 1 * * ?
                        elasticjob.jobs[my.job].monitor-execution=true
                        elasticjob.jobs[my.job].sharding-total-count=1
                        elasticjob.jobs[my.job].props.script.command.line=echo ${what}
                        """)
                .produced();

        try (var application = ProducedApplication.start(produced, Compiled.of(produced), "--what=x")) {
            JobDefinition plain = application.definition("plain");
            assertThat(plain.monitorExecution()).isFalse();
            assertThat(plain.misfire()).isFalse();
            assertThat(plain.reconcileIntervalMinutes()).isZero();
            assertThat(application.definition("my.job").monitorExecution()).isTrue();
            assertThat(application.definition("my.job").scriptCommandLine()).isEqualTo("echo x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void treeOf2(SettingsPlacement placement) throws Exception {
        Path produced = new MigrationFixture(folder)
                .source("orders.json", """
                        {"jobName":"orders","jobClass":"shop.OrdersJob","jobType":"SIMPLE","cron":"0 30 6 ? * 2-6",
                        "shardingTotalCount":3,"shardingItemParameters":"0\\u003dBeijing,1\\u003dShanghai,2\\u003dKöln",
                        "jobParameter":"all of \\"them\\"\\\\","failover":true,"misfire":false,
                        "description":"orders: the whole day","jobProperties":{"job_exception_handler":"IGNORE",
                        "executor_service_handler":"com.dangdang.ddframe.job.executor.handler.impl.DefaultExecutorServiceHandler"},
                        "monitorExecution":true,"maxTimeDiffSeconds":60,"monitorPort":9888,
                        "jobShardingStrategyClass":"com.dangdang.ddframe.job.lite.api.strategy.impl.OdevitySortByNameJobShardingStrategy",
                        "reconcileIntervalMinutes":20,"disabled":true,"overwrite":true}
                        """)
                .source("script.json", """
                        {"jobName":"clean","jobClass":"com.dangdang.ddframe.job.api.script.ScriptJob","jobType":"SCRIPT",
                        "cron":"0 0 3 * * ?","shardingTotalCount":1,"scriptCommandLine":"echo ${HOME}",
                        "jobShardingStrategyClass":"com.dangdang.ddframe.job.lite.api.strategy.impl.AverageAllocationJobShardingStrategy"}
                        """)
                .source("loader.json", """
                        {"jobName":"loader","jobClass":"shop.LoaderJob","jobType":"DATAFLOW","cron":"0 0 3 * * ?",
                        "shardingTotalCount":2,"jobParameter":"${not.a.placeholder}","streamingProcess":true,
                        "jobShardingStrategyClass":"com.dangdang.ddframe.job.lite.api.strategy.impl.AverageAllocationJobShardingStrategy"}
                        """)
                .with(MigrationOptions.DEFAULT.withPlacement(placement))
                .produced();

        try (var application = ProducedApplication.start(produced, Compiled.of(produced))) {
            assertSame(application.definition("orders"), ORDERS);
            assertThat(application.definition("clean").scriptCommandLine()).isEqualTo("echo ${HOME}");
            assertThat(application.definition("clean").jobShardingStrategyClass())
                    .as("for one item, it is not the default here")
                    .isEqualTo("AVG_ALLOCATION");
            assertThat(application.definition("loader").jobShardingStrategyClass())
                    .isEmpty();
            assertThat(application.definition("loader").streamingProcess()).isTrue();
            assertThat(application.definition("loader").jobParameter()).isEqualTo("${not.a.placeholder}");
        }
    }

    @Test
    void treeOf3() throws Exception {
        Path produced = new MigrationFixture(folder).source("configs.yaml", """
                        cron: 0 0 3 * * ?
                        description: ''
                        disabled: false
                        failover: true
                        jobErrorHandlerType: IGNORE
                        jobExecutorServiceHandlerType: SINGLE_THREAD
                        jobExtraConfigurations:
                        - !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
                          tracingStorageConfiguration: {password: hidden}
                          type: RDB
                        jobName: clean
                        jobParameter: ''
                        jobShardingStrategyType: ROUND_ROBIN
                        maxTimeDiffSeconds: 30
                        misfire: false
                        monitorExecution: true
                        overwrite: false
                        props:
                          script.command.line: echo ${HOME}
                        reconcileIntervalMinutes: 7
                        shardingItemParameters: 0=a,1=b
                        shardingTotalCount: 2
                        staticSharding: false
                        timeZone: GMT+08:00
                        """).produced();

        try (var application = ProducedApplication.start(produced, List.of())) {
            assertSame(
                    application.definition("clean"),
                    JobDefinition.builder("clean")
                            .jobType(JobType.SCRIPT)
                            .cron("0 0 3 * * ?")
                            .failover(true)
                            .misfire(false)
                            .concurrency(1)
                            .maxTimeDiffSeconds(30)
                            .jobShardingStrategyClass("ROUND_ROBIN")
                            .reconcileIntervalMinutes(7)
                            .shardingItemParameters("0=a,1=b")
                            .shardingTotalCount(2)
                            .timeZone(ZoneId.of("GMT+08:00"))
                            .scriptCommandLine("echo ${HOME}")
                            .jobProperties(Map.of("job_exception_handler", "IGNORE"))
                            .build());
        }
    }

    /** But for the class, which is here the compiled one's name. */
    private static void assertSame(JobDefinition started, JobDefinition expected) {
        assertThat(started.toBuilder().jobClass("").build()).isEqualTo(expected);
    }
}
