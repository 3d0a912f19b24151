package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.WatchdogSettings;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.spring.ElasticJob;
import java.io.EOFException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class JobBeanCollectorTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
            .withUserConfiguration(Collecting.class);

    @Test
    void annotatedClassBecomesAJobOfThatClass() {
        runner.withBean(OrdersJob.class).run(context -> {
            JobDefinition orders = job(context, "orders");

            assertThat(orders.jobClass()).isEqualTo(OrdersJob.class.getName());
            assertThat(orders.jobType()).isEqualTo(JobType.SIMPLE);
            assertThat(orders.cron()).isEqualTo("0/5 * * * * ?");
        });
    }

    @Test
    void dataflowJobIsOne() {
        runner.withBean(ImportJob.class)
                .run(context -> assertThat(job(context, "import").jobType()).isEqualTo(JobType.DATAFLOW));
    }

    @Test
    void settingsThatNobodyGivesHaveTheDefaults() {
        runner.withBean(OrdersJob.class)
                .run(context -> assertThat(job(context, "orders"))
                        .isEqualTo(JobDefinition.builder("orders")
                                .jobClass(OrdersJob.class.getName())
                                .cron("0/5 * * * * ?")
                                .build()));
    }

    @Test
    void withoutACronItIsAOneOffJobWhichMayRunAtStart() {
        runner.withBean(ReportJob.class).run(context -> {
            assertThat(job(context, "report").isOneOff()).isTrue();
            assertThat(job(context, "report").runAtStart()).isTrue();
        });
        runner.withBean(ReportJob.class)
                .withPropertyValues("elasticjob.jobs.report.run-at-start=false")
                .run(context -> assertThat(job(context, "report").runAtStart()).isFalse());
    }

    @Test
    void oneScheduleAsAPropertyOverridesAnyOtherOfTheAnnotation() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.orders.every=30s", "elasticjob.jobs.orders.end-at=2031-01-01T00:00:00Z")
                .run(context -> assertThat(job(context, "orders").schedule().text())
                        .isEqualTo("every PT30S until 2031-01-01T00:00:00Z"));
    }

    @Test
    void aPropertyThatSwitchesTheScheduleOffLeavesAwayAllThatBelongsToIt() {
        runner.withBean(BoundedJob.class)
                .withPropertyValues("elasticjob.jobs.bounded.cron=-")
                .run(context -> assertThat(job(context, "bounded").isOneOff()).isTrue());
        runner.withBean(WorkdaysJob.class)
                .withPropertyValues("elasticjob.jobs.workdays.cron=-")
                .run(context -> assertThat(job(context, "workdays").isOneOff()).isTrue());
        runner.withBean(WorkdaysJob.class)
                .withPropertyValues("elasticjob.jobs.workdays.cron=-", "elasticjob.jobs.workdays.jitter=5s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("jitter is \"5s\": only for a job with a schedule"));
    }

    @Test
    void anotherScheduleAsAPropertyKeepsTheBoundsOfTheAnnotation() {
        runner.withBean(BoundedJob.class)
                .withPropertyValues("elasticjob.jobs.bounded.every=1h")
                .run(context -> assertThat(job(context, "bounded").schedule().text())
                        .isEqualTo("every PT1H until 2031-01-01T00:00:00Z"));
        runner.withBean(BoundedJob.class)
                .withPropertyValues("elasticjob.jobs.bounded.fixed-delay=30s", "elasticjob.jobs.bounded.cron=-")
                .run(context -> assertThat(job(context, "bounded").schedule().text())
                        .isEqualTo("fixedDelay PT30S until 2031-01-01T00:00:00Z"));
    }

    /** Those of the annotation by their attributes, those of properties by their full names. */
    @Test
    void whatMeansNothingWithTheScheduleOfAPropertyIsRefusedWhereverItIsSet() {
        runner.withBean(WorkdaysJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.workdays.fixed-delay=30s", "elasticjob.jobs.workdays.misfire=false")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll(
                                "calendar is \"SAT,SUN\": only for a job whose firings have times of their own",
                                "moveToNextDay is \"true\": only for",
                                "spread is \"10m\": only for",
                                "jitter is \"5s\": only for",
                                "overlap is \"SKIP\": only for",
                                "misfire is \"false\": only for",
                                "elasticjob.jobs.workdays.misfire"));
        runner.withBean(WorkdaysJob.class)
                .withPropertyValues("elasticjob.jobs.workdays.at=2030-01-01T00:00:00Z")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll(
                                "calendar is \"SAT,SUN\": only for a job that fires more than once",
                                "moveToNextDay is \"true\": only for",
                                "spread is \"10m\": only for"));
        runner.withBean(BoundedJob.class)
                .withPropertyValues("elasticjob.jobs.bounded.at=2030-01-01T00:00:00Z")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "endAt is \"2031-01-01T00:00:00Z\": only for a job that fires more than once"));
    }

    @Test
    void aPropertyTakesWhatMeansNothingFromTheAnnotation() {
        runner.withBean(WorkdaysJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.workdays.fixed-delay=30s",
                        "elasticjob.jobs.workdays.calendar=",
                        "elasticjob.jobs.workdays.move-to-next-day=false",
                        "elasticjob.jobs.workdays.spread=0",
                        "elasticjob.jobs.workdays.jitter=0",
                        "elasticjob.jobs.workdays.overlap=wait")
                .run(context ->
                        assertThat(job(context, "workdays").schedule().text()).isEqualTo("fixedDelay PT30S"));
    }

    @Test
    void aTimeWithoutAZoneIsRefusedInAnyPlace() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.start-at=2030-01-01T00:00:00")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("expected a time with its zone"));
    }

    @Test
    void ofTwoSchedulesEachIsRefusedAndATimeNeedsAZone() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.every=30s", "elasticjob.jobs.orders.cron=0 0 9 * * ?")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll(
                                "cron is \"0 0 9 * * ?\": a job has one schedule, but [cron, every] are set",
                                "elasticjob.jobs.orders.every"));
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.every=30")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("30 what? Write 30s"));
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.fixed-delay=30")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("30 what? Write 30s"));
    }

    @Test
    void aPropertyOverridesALimitOfTheWatchdog() {
        runner.withBean(WatchedJob.class)
                .withPropertyValues("elasticjob.jobs.watched.stuck-after=2h")
                .run(context -> assertThat(job(context, "watched").watchdog())
                        .isEqualTo(new WatchdogSettings(Duration.ofHours(2), Duration.ofMinutes(5))));
    }

    @Test
    void aLimitThatNeedsACronIsRefusedByItsName() {
        runner.withBean(ReportJob.class)
                .withPropertyValues("elasticjob.jobs.report.expect-within=5m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll("\"report\"", "expectWithin is", "give the job a cron"));
    }

    @Test
    void aPropertyGivesAOneOffJobASchedule() {
        runner.withBean(ReportJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.report.cron=0 0 1 * * ?", "elasticjob.jobs.report.run-at-start=false")
                .run(context -> assertThat(job(context, "report").isOneOff()).isFalse());
    }

    @Test
    void aJobRunsAfterOthersWhoseNamesAndOutcomePropertiesOverride() {
        runner.withBean(FollowingJob.class)
                .run(context -> assertThat(job(context, "following").after())
                        .isEqualTo(
                                new AfterSettings(List.of("import", "prices"), AfterOutcome.ANY, Duration.ofHours(6))));
        runner.withBean(FollowingJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.following.after=rates",
                        "elasticjob.jobs.following.after-outcome=failure",
                        "elasticjob.jobs.following.after-window=1h")
                .run(context -> assertThat(job(context, "following").after())
                        .isEqualTo(new AfterSettings(List.of("rates"), AfterOutcome.FAILURE, Duration.ofHours(1))));
    }

    @Test
    void aJobWithACronCannotFollowAnother() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.after=import")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll(
                                "\"orders\"", "after is \"[import]\"", "only for a job without a schedule"));
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                setting("cron", "1 2 3 * * ?", JobDefinition::cron, "0 0 1 * * ?", "1 2 3 * * ?"),
                setting(
                        "time-zone",
                        "Asia/Tokyo",
                        JobDefinition::timeZone,
                        ZoneId.of("Europe/Berlin"),
                        ZoneId.of("Asia/Tokyo")),
                setting("sharding-total-count", "7", JobDefinition::shardingTotalCount, 3, 7),
                setting("sharding-item-parameters", "0=x", JobDefinition::shardingItemParameters, "0=a,1=b", "0=x"),
                setting("job-parameter", "p", JobDefinition::jobParameter, "annotated", "p"),
                setting("failover", "false", JobDefinition::failover, true, false),
                setting("misfire", "true", JobDefinition::misfire, false, true),
                setting(
                        "misfire-threshold",
                        "5m",
                        JobDefinition::misfireThreshold,
                        Duration.ofSeconds(90),
                        Duration.ofMinutes(5)),
                setting("max-failovers", "9", JobDefinition::maxFailovers, 5, 9),
                setting("timeout", "2m", JobDefinition::timeout, Duration.ofSeconds(30), Duration.ofMinutes(2)),
                setting("concurrency", "4", JobDefinition::concurrency, 2, 4),
                setting("job-exception-handler", "THROW", JobDefinition::jobExceptionHandler, "IGNORE", "THROW"),
                setting("executor-service-handler", "slow", JobDefinition::executorServiceHandler, "quick", "slow"),
                setting("retry.max-attempts", "9", retry(RetrySettings::maxAttempts), 5, 9),
                setting(
                        "retry.delay",
                        "1m",
                        retry(RetrySettings::delay),
                        Duration.ofMillis(500),
                        Duration.ofMinutes(1)),
                setting("retry.multiplier", "3", retry(RetrySettings::multiplier), 2.0, 3.0),
                setting(
                        "retry.max-delay",
                        "1m",
                        retry(RetrySettings::maxDelay),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1)),
                setting("retry.jitter", "0", retry(RetrySettings::jitter), Duration.ofMillis(100), Duration.ZERO),
                setting(
                        "retry.includes",
                        "java.lang.IllegalStateException,java.io.IOException",
                        retry(RetrySettings::includes),
                        List.of("java.io.IOException"),
                        List.of("java.lang.IllegalStateException", "java.io.IOException")),
                setting(
                        "retry.excludes",
                        "java.net.ConnectException",
                        retry(RetrySettings::excludes),
                        List.of("java.io.EOFException"),
                        List.of("java.net.ConnectException")),
                setting("description", "d", JobDefinition::description, "annotated", "d"),
                setting(
                        "job-properties.other",
                        "v",
                        JobDefinition::jobProperties,
                        Map.of("key", "value", "job_exception_handler", "IGNORE", "executor_service_handler", "quick"),
                        Map.of("other", "v", "job_exception_handler", "IGNORE", "executor_service_handler", "quick")),
                setting("max-time-diff-seconds", "60", JobDefinition::maxTimeDiffSeconds, 30, 60),
                setting("monitor-port", "9001", JobDefinition::monitorPort, 9000, 9001),
                setting(
                        "job-sharding-strategy-class",
                        "ROUND_ROBIN",
                        JobDefinition::jobShardingStrategyClass,
                        "ODEVITY",
                        "ROUND_ROBIN"),
                setting("reconcile-interval-minutes", "1", JobDefinition::reconcileIntervalMinutes, 20, 1),
                setting("disabled", "false", JobDefinition::disabled, true, false),
                setting("overwrite", "false", JobDefinition::overwrite, true, false),
                setting("streaming-process", "false", JobDefinition::streamingProcess, true, false));
    }

    private static <T> Function<JobDefinition, T> retry(Function<RetrySettings, T> part) {
        return definition -> part.apply(definition.retry());
    }

    private static <T> Arguments setting(
            String property, String value, Function<JobDefinition, T> read, T annotated, T overridden) {
        return Arguments.of(property, value, read, annotated, overridden);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settings")
    void propertyGoesBeforeTheAnnotationAndTheAnnotationBeforeTheDefault(
            String property, String value, Function<JobDefinition, ?> read, Object annotated, Object overridden) {
        ApplicationContextRunner withJob = runner.withBean(EverythingJob.class);

        withJob.run(
                context -> assertThat(read.apply(job(context, "everything"))).isEqualTo(annotated));
        withJob.withPropertyValues("elasticjob.jobs.everything." + property + "=" + value)
                .run(context ->
                        assertThat(read.apply(job(context, "everything"))).isEqualTo(overridden));
    }

    @Test
    void aHandlerAmongTheJobPropertiesCountsWhereNoneIsNamedOtherwise() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.job-properties.[job_exception_handler]=IGNORE")
                .run(context ->
                        assertThat(job(context, "orders").jobExceptionHandler()).isEqualTo("IGNORE"));
    }

    @Test
    void monitorExecutionIsTakenFromThePropertyToo() {
        runner.withBean(OrdersJob.class)
                .withPropertyValues("elasticjob.jobs.orders.monitor-execution=false")
                .run(context ->
                        assertThat(job(context, "orders").monitorExecution()).isFalse());
    }

    @Test
    void placeholdersWorkInAllStrings() {
        runner.withBean(PlaceholderJob.class)
                .withPropertyValues("app.name=billing", "app.cron=0 0 1 * * ?", "app.zone=UTC", "app.threshold=2m")
                .run(context -> {
                    JobDefinition billing = job(context, "billing");

                    assertThat(billing.cron()).isEqualTo("0 0 1 * * ?");
                    assertThat(billing.timeZone()).isEqualTo(ZoneId.of("UTC"));
                    assertThat(billing.misfireThreshold()).isEqualTo(Duration.ofMinutes(2));
                    assertThat(billing.jobParameter()).isEqualTo("none");
                    assertThat(billing.jobProperties()).containsEntry("owner", "billing");
                });
    }

    @Test
    void placeholderOfAStringThatThePropertyReplacesNeedNotResolve() {
        runner.withBean(PlaceholderJob.class)
                .withPropertyValues(
                        "app.name=billing",
                        "app.zone=UTC",
                        "app.threshold=2m",
                        "elasticjob.jobs.billing.cron=0 0 2 * * ?")
                .run(context -> assertThat(job(context, "billing").cron()).isEqualTo("0 0 2 * * ?"));
    }

    @Test
    void beanMethodNamesTheJobItReturns() {
        runner.withUserConfiguration(JobMethods.class).run(context -> {
            assertThat(job(context, "lambda").jobClass()).isEqualTo(JobMethods.class.getName() + ".lambda");
            assertThat(job(context, "orders-eu").jobClass()).isEqualTo(OrdersJob.class.getName());
        });
    }

    @Test
    void lazyBeanIsAJobToo() {
        runner.withUserConfiguration(LazyJob.class)
                .run(context -> assertThat(job(context, "lazy").cron()).isEqualTo("0 0 1 * * ?"));
    }

    @Test
    void jobBehindAProxyKeepsItsClass() {
        runner.withUserConfiguration(ProxiedJob.class).run(context -> {
            assertThat(context.getBean("proxied")).isNotInstanceOf(OrdersJob.class);
            assertThat(job(context, "proxied").jobClass()).isEqualTo(OrdersJob.class.getName());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void annotatedClassBehindAProxyKeepsItsClassAndItsPlace(boolean byClass) {
        runner.withUserConfiguration(Intercepting.class)
                .withPropertyValues("app.proxy-target-class=" + byClass)
                .withBean("orders", OrdersJob.class)
                .run(context -> {
                    assertThat(AopUtils.isCglibProxy(context.getBean("orders"))).isEqualTo(byClass);
                    assertThat(AopUtils.isJdkDynamicProxy(context.getBean("orders")))
                            .isEqualTo(!byClass);
                    assertThat(job(context, "orders").jobClass()).isEqualTo(OrdersJob.class.getName());
                });
        runner.withUserConfiguration(Intercepting.class)
                .withPropertyValues("app.proxy-target-class=" + byClass, "elasticjob.jobs.orders.job-parameter=a")
                .withBean("orders", NeverJob.class)
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains("It comes from @ElasticJob of " + NeverJob.class.getName() + ";"));
    }

    @Test
    void portThatNothingListensOnIsNamedOnceForEachJob(CapturedOutput output) {
        runner.withBean(OrdersJob.class)
                .withBean(EverythingJob.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce(
                                "Job \"everything\": monitorPort 9000 has no effect: nothing listens on that port. It is only stored for"
                                        + " Elastic-Job 2.1.5's tools; the endpoint /actuator/elasticjob shows what that port used to show")
                        .doesNotContain("Job \"orders\": monitorPort"));
    }

    @Test
    void applicationWithoutJobsHasNone() {
        runner.run(context ->
                assertThat(context.getBean(JobBeanCollector.class).hasJobs()).isFalse());
    }

    @Test
    void allProblemsOfAllJobsAreReportedAtOnce() {
        runner.withUserConfiguration(Wrong.class)
                .withPropertyValues(
                        "elasticjob.jobs.two.sharding-total-count=0",
                        "elasticjob.jobs.ordres.cron=0 0 1 * * ?",
                        "elasticjob.fail-on-unknown-jobs=true")
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains("Job \"one\": cron is \"every day\"")
                        .contains("It comes from @ElasticJob of " + Wrong.class.getName()
                                + ".one(); the property \"elasticjob.jobs.one.cron\" overrides it.")
                        .contains("Job \"one\": timeZone is \"Mars/Phobos\"")
                        .contains("Job \"two\": shardingTotalCount is \"0\"")
                        .contains("It comes from the property \"elasticjob.jobs.two.sharding-total-count\".")
                        .contains("Job \"three\" is declared by 2 beans: \"three\" (%s.three()) and \"four\""
                                .formatted(Wrong.class.getName()))
                        .contains("Job \"neither\": bean \"neither\" (java.lang.Object) must implement either"
                                + " SimpleJob or DataflowJob.")
                        .contains("has a blank name")
                        .contains("Job \"unresolved\": cron is \"${app.missing}\"")
                        .contains("Property \"elasticjob.jobs.ordres\" is for a job that no bean declares."));
    }

    @Test
    void unknownSettingOfAJobIsAnError() {
        runner.withBean(OrdersJob.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "application", Map.of("elasticjob.jobs.orders.crn", "0 0 1 * * ?"))))
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains("Property \"elasticjob.jobs.orders.crn\""));
    }

    private static String description(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        return ((FailureAnalyzedException) root).analysis().getDescription();
    }

    private static JobDefinition job(ApplicationContext context, String name) {
        return context.getBean(JobBeanCollector.class).jobs().stream()
                .map(JobBean::definition)
                .filter(definition -> definition.jobName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(ElasticJobProperties.class)
    static class Collecting {
        @Bean
        JobBeanCollector collector(ConfigurableListableBeanFactory beans, ElasticJobProperties properties) {
            return new JobBeanCollector(beans, properties, KnownNames.ANY, Clock.systemUTC());
        }
    }

    @ElasticJob(name = "orders", cron = "0/5 * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "bounded", cron = "0 0 9 * * ?", endAt = "2031-01-01T00:00:00Z")
    private static class BoundedJob extends OrdersJob {}

    @ElasticJob(
            name = "workdays",
            cron = "0 0 9 * * ?",
            calendar = "SAT,SUN",
            moveToNextDay = true,
            spread = "10m",
            jitter = "5s",
            overlap = Overlap.SKIP)
    static class WorkdaysJob extends OrdersJob {}

    @ElasticJob(name = "report", runAtStart = true)
    static class ReportJob extends OrdersJob {}

    @ElasticJob(name = "watched", cron = "0/5 * * * * ?", stuckAfter = "1h", expectWithin = "5m")
    static class WatchedJob extends OrdersJob {}

    @ElasticJob(
            name = "following",
            after = {"import", "${second:prices}"},
            afterOutcome = AfterOutcome.ANY,
            afterWindow = "6h")
    static class FollowingJob extends OrdersJob {}

    @ElasticJob(name = "import", cron = "0/5 * * * * ?")
    static class ImportJob implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }

    @ElasticJob(
            name = "everything",
            cron = "0 0 1 * * ?",
            timeZone = "Europe/Berlin",
            shardingTotalCount = 3,
            shardingItemParameters = "0=a,1=b",
            jobParameter = "annotated",
            failover = true,
            misfire = false,
            misfireThreshold = "90s",
            maxFailovers = 5,
            timeout = "30s",
            retry =
                    @ElasticJob.Retry(
                            maxAttempts = 5,
                            delay = "500ms",
                            multiplier = 2,
                            maxDelay = "10s",
                            jitter = "100ms",
                            includes = IOException.class,
                            excludes = EOFException.class),
            concurrency = 2,
            jobExceptionHandler = "IGNORE",
            executorServiceHandler = "quick",
            description = "annotated",
            jobProperties = "key=value",
            maxTimeDiffSeconds = 30,
            monitorPort = 9000,
            jobShardingStrategyClass = "ODEVITY",
            reconcileIntervalMinutes = 20,
            disabled = true,
            overwrite = true,
            streamingProcess = true)
    static class EverythingJob extends OrdersJob {}

    @ElasticJob(
            name = "${app.name}",
            cron = "${app.cron}",
            timeZone = "${app.zone}",
            misfireThreshold = "${app.threshold}",
            jobParameter = "${app.parameter:none}",
            jobProperties = "owner=${app.name}")
    static class PlaceholderJob extends OrdersJob {}

    @Configuration(proxyBeanMethods = false)
    static class JobMethods {
        @Bean
        @ElasticJob(name = "lambda", cron = "0 0 1 * * ?")
        SimpleJob lambda() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "orders-eu", cron = "0 0 1 * * ?")
        OrdersJob ordersOfEurope() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyJob {
        @Bean
        @Lazy
        @ElasticJob(name = "lazy", cron = "0 0 1 * * ?")
        OrdersJob lazy() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedJob {
        @Bean
        @ElasticJob(name = "proxied", cron = "0 0 1 * * ?")
        SimpleJob proxied() {
            var proxies = new ProxyFactory(new OrdersJob());
            proxies.setInterfaces(SimpleJob.class);
            return (SimpleJob) proxies.getProxy();
        }
    }

    /** What {@code @Transactional} and the like do to a bean. */
    @Configuration(proxyBeanMethods = false)
    static class Intercepting {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            var proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(environment.getRequiredProperty("app.proxy-target-class", Boolean.class));
            return proxies;
        }

        @Bean
        static Advisor advisor() {
            var advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
            advisor.setMappedName("execute");
            return advisor;
        }
    }

    @ElasticJob(name = "orders", cron = "never")
    static class NeverJob extends OrdersJob {}

    @Configuration(proxyBeanMethods = false)
    static class Wrong {
        @Bean
        @ElasticJob(name = "one", cron = "every day", timeZone = "Mars/Phobos")
        SimpleJob one() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "two", cron = "0 0 1 * * ?")
        SimpleJob two() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "three", cron = "0 0 1 * * ?")
        SimpleJob three() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "three", cron = "0 0 1 * * ?")
        SimpleJob four() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "neither", cron = "0 0 1 * * ?")
        Object neither() {
            return new Object();
        }

        @Bean
        @ElasticJob(name = " ", cron = "0 0 1 * * ?")
        SimpleJob nameless() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "unresolved", cron = "${app.missing}")
        SimpleJob unresolved() {
            return context -> {};
        }
    }
}
