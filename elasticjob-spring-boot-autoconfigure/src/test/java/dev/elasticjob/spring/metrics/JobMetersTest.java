package dev.elasticjob.spring.metrics;

import static dev.elasticjob.spring.OnMemory.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.UnstartedItems;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.WaitingWrites;
import dev.elasticjob.testing.Heard;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The meters of an application with a job, on a registry in memory. */
class JobMetersTest {
    private static final String DEMAND = "elasticjob.metrics.demand-interval=1h";
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final ApplicationContextRunner withoutMetrics = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobMetricsAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean(Orders.class);
    private final ApplicationContextRunner runner = withoutMetrics.withBean(SimpleMeterRegistry.class);

    @ParameterizedTest
    @EnumSource(JobMeter.class)
    void eachMeterIsThereFromTheStartWithItsTags(JobMeter meter) {
        runner.withBean(Totals.class)
                .withBean(Waiting.class)
                .withPropertyValues(DEMAND)
                .run(context -> {
                    List<Meter> meters = List.copyOf(context.getBean(MeterRegistry.class)
                            .find(meter.getName())
                            .meters());

                    assertThat(meters).isNotEmpty().allSatisfy(each -> {
                        assertThat(each.getId().getType()).isEqualTo(meter.getType());
                        assertThat(each.getId().getDescription()).isEqualTo(meter.description());
                        assertThat(each.getId().getTags())
                                .extracting(Tag::getKey)
                                .containsExactlyInAnyOrderElementsOf(Arrays.stream(meter.getKeyNames())
                                        .map(KeyName::asString)
                                        .toList());
                    });
                });
    }

    @Test
    void aRunIsTimedWithItsOutcomeAndTrigger() {
        runner.run(context -> {
            JobAdmin admin = context.getBean(JobAdmin.class);
            get(admin.run("orders", RunRequest.withParameter("")));
            get(admin.run("orders", RunRequest.withParameter("fail")));

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(executions(registry, "completed", "manual").count()).isEqualTo(2);
            assertThat(executions(registry, "failed", "manual").count()).isEqualTo(2);
            assertThat(executions(registry, "completed", "schedule").count()).isZero();
            assertThat(registry.get("elasticjob.executions.active")
                            .longTaskTimer()
                            .activeTasks())
                    .isZero();
        });
    }

    @Test
    void gaugesShowTheEnginesFigures() {
        runner.withPropertyValues("elasticjob.executor.max-threads=7", "elasticjob.worker.capacity=9")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);

                    assertThat(gauge(registry, "elasticjob.items.owned")).isEqualTo(2);
                    assertThat(gauge(registry, "elasticjob.items.running")).isZero();
                    assertThat(gauge(registry, "elasticjob.threads.max")).isEqualTo(7);
                    assertThat(gauge(registry, "elasticjob.threads.busy")).isZero();
                    assertThat(gauge(registry, "elasticjob.capacity.limit")).isEqualTo(9);
                    assertThat(gauge(registry, "elasticjob.capacity.used")).isZero();
                    assertThat(gauge(registry, "elasticjob.registry.connected")).isEqualTo(1);
                    assertThat(gauge(registry, "elasticjob.lease.remaining")).isPositive();
                    assertThat(gauge(registry, "elasticjob.clock.ahead")).isBetween(-5.0, 5.0);
                });
    }

    @Test
    void withoutAnIntervalThereAreNoMetersOfTheDemand() {
        runner.run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .find("elasticjob.demand.open")
                        .meters())
                .isEmpty());
    }

    @Test
    void whatHasNotBeenReadIsNoNumber() {
        runner.withPropertyValues(DEMAND).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            assertThat(gauge(registry, "elasticjob.demand.open")).isNaN();
            assertThat(gauge(registry, "elasticjob.demand.running")).isNaN();
            assertThat(gauge(registry, "elasticjob.demand.weight")).isNaN();
            assertThat(gauge(registry, "elasticjob.demand.open.age")).isNaN();
            assertThat(gauge(registry, "elasticjob.demand.next.due")).isNaN();
        });
    }

    @Test
    void requestsToTheRegistryAreTimed() {
        runner.run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .get("elasticjob.registry.requests")
                        .tags("kind", "commit", "outcome", "success")
                        .timer()
                        .count())
                .isPositive());
    }

    @Test
    void theReshardOfTheStartIsCounted() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            assertThat(registry.get("elasticjob.reshards").timer().count()).isEqualTo(1);
            assertThat(registry.get("elasticjob.reshards.moved").counter().count())
                    .isEqualTo(2);
        });
    }

    @ParameterizedTest
    @MethodSource("dev.elasticjob.spring.UnstartedItems#ways")
    void eachWayInWhichAnItemIsNotStartedIsCounted(UnstartedItems.Way way) {
        runner.run(context -> {
            context.getBean(JobMeters.class).onEvent(way.event());

            assertThat(context.getBean(MeterRegistry.class)
                            .get(way.meter())
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void eventsBecomeFigures() {
        runner.run(context -> {
            JobMeters meters = context.getBean(JobMeters.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            meters.onEvent(started(ExecutionTrigger.SCHEDULE, 3));
            meters.onEvent(started(ExecutionTrigger.FAILOVER, 60));
            meters.onEvent(finished(ExecutionOutcome.TIMEOUT, 0));
            meters.onEvent(finished(ExecutionOutcome.COMPLETED, 2));
            meters.onEvent(new JobEvent.FiringsLost("orders", 0, NOON, NOON, 5));
            meters.onEvent(new JobEvent.FiringsFolded("orders", 0, NOON, NOON, 7));
            meters.onEvent(new JobEvent.FiringsSkipped("orders", 0, NOON, NOON, 6));
            meters.onEvent(new JobEvent.Reconciled("orders", 4));
            meters.onEvent(new JobEvent.ItemInterrupted("orders", "b@-@1", 0, NOON, "orders@noon", 1));
            meters.onEvent(new JobEvent.FiringOverdue("orders", NOON, Duration.ofMinutes(5), "a@-@1"));
            meters.onEvent(
                    new JobEvent.ItemStuck("orders", "a@-@1", 0, NOON, "run", 1, NOON, Duration.ofMinutes(5), "a@-@1"));

            assertThat(registry.get("elasticjob.firings.lateness").timer().totalTime(TimeUnit.SECONDS))
                    .as("a failover is not late")
                    .isEqualTo(3);
            assertThat(registry.get("elasticjob.failovers").counter().count()).isEqualTo(1);
            assertThat(registry.get("elasticjob.crashes").counter().count()).isEqualTo(1);
            assertThat(executions(registry, "timeout", "schedule").totalTime(TimeUnit.SECONDS))
                    .isEqualTo(10);
            assertThat(executions(registry, "completed", "retry").count()).isEqualTo(1);
            assertThat(registry.get("elasticjob.firings.lost").counter().count())
                    .isEqualTo(5);
            assertThat(registry.get("elasticjob.firings.folded").counter().count())
                    .isEqualTo(7);
            assertThat(registry.get("elasticjob.firings.skipped").counter().count())
                    .isEqualTo(6);
            assertThat(registry.get("elasticjob.reconcile.repairs").counter().count())
                    .isEqualTo(4);
            assertThat(registry.get("elasticjob.firings.overdue").counter().count())
                    .isEqualTo(1);
            assertThat(registry.get("elasticjob.items.stuck").counter().count()).isEqualTo(1);
        });
    }

    @Test
    void whatExecutesIsActiveUntilItHasEnded() {
        runner.run(context -> {
            JobMeters meters = context.getBean(JobMeters.class);
            var active = context.getBean(MeterRegistry.class)
                    .get("elasticjob.executions.active")
                    .longTaskTimer();

            meters.onEvent(started(ExecutionTrigger.SCHEDULE, 0));
            int during = active.activeTasks();
            meters.onEvent(finished(ExecutionOutcome.FAILED, 0));

            assertThat(during).isEqualTo(1);
            assertThat(active.activeTasks()).isZero();
        });
    }

    @Test
    void callsOfClusterListenersAreTimed() {
        runner.run(context -> {
            JobMeters meters = context.getBean(JobMeters.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            meters.onEvent(hookStarted(HookKind.BEFORE));
            meters.onEvent(hookStarted(HookKind.AFTER));
            meters.onEvent(hookFinished(HookKind.AFTER, ExecutionOutcome.TIMEOUT));

            assertThat(registry.get("elasticjob.hooks")
                            .tags("job", "orders", "hook", "after", "outcome", "timeout")
                            .timer()
                            .totalTime(TimeUnit.SECONDS))
                    .isEqualTo(10);
            assertThat(activeHooks(registry, "before")).isEqualTo(1);
            assertThat(activeHooks(registry, "after")).isZero();
        });
    }

    @Test
    void aJobWithoutClusterListenersHasNoMetersOfThem() {
        runner.run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .find("elasticjob.hooks")
                        .meters())
                .isEmpty());
    }

    @Test
    void theMetersOfAJobThatIsUnregisteredAreRemoved() {
        runner.run(context -> {
            ElasticJobEngine engine = context.getBean(ElasticJobEngine.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JobDefinition tenant =
                    JobDefinition.builder("tenant").shardingTotalCount(1).build();

            get(engine.register(tenant, job -> {}));
            long during = ofTenant(registry);
            get(engine.unregister("tenant"));

            assertThat(during).isGreaterThan(30);
            assertThat(ofTenant(registry)).isZero();
            assertThat(registry.find("elasticjob.items.owned")
                            .tag("job", "orders")
                            .gauge())
                    .isNotNull();
        });
    }

    /** A command for a job is an event of the job, wherever it runs, and whether or not it exists. */
    @Test
    void aCommandForAJobOfOthersMakesNoMeters() {
        runner.run(context -> {
            JobAdmin admin = context.getBean(JobAdmin.class);

            assertThatThrownBy(() -> get(admin.trigger("nosuch", RunRequest.create())));
            get(admin.create("tenant", Map.of("jobClass", "elsewhere", "cron", "0 0 3 * * ?")));
            get(admin.pauseAll());
            get(admin.resumeAll());
            get(admin.remove("tenant"));

            assertThat(jobs(context.getBean(MeterRegistry.class))).containsExactly("orders");
        });
    }

    @Test
    void theMetersOfAJobThatIsRemovedGoWithItEvenIfMoreHappensToIt() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            removeOrders(context, registry);

            context.getBean(JobMeters.class).onEvent(new JobEvent.FiringsLost("orders", 0, NOON, NOON, 5));

            assertThat(jobs(registry)).isEmpty();
            assertThat(registry.find("elasticjob.items.owned").gauge()).isNull();
        });
    }

    @Test
    void aJobThatCannotRunHereHasMetersBecauseThatIsAProblem() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            removeOrders(context, registry);

            context.getBean(JobMeters.class)
                    .onEvent(new JobEvent.JobRefused("orders", "the registry has another job of this name"));

            assertThat(jobs(registry)).containsExactly("orders");
            assertThat(gauge(registry, "elasticjob.items.owned")).isZero();
        });
    }

    /** A deployment may take minutes to end what runs, and is no outage of the registry. */
    @Test
    void anInstanceThatIsStoppedOrHasNoJobsMissesNoConnection() {
        runner.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            double before = gauge(registry, "elasticjob.registry.connected");

            context.getBean(EngineLifecycle.class).stop();

            assertThat(before).isEqualTo(1);
            assertThat(gauge(registry, "elasticjob.registry.connected")).isNaN();
        });
        runner.withPropertyValues("elasticjob.worker.enabled=false")
                .run(context -> assertThat(gauge(context.getBean(MeterRegistry.class), "elasticjob.registry.connected"))
                        .isNaN());
    }

    @Test
    void anInstanceThatOnlySubmitsHasNoMetersOfJobs() {
        runner.withPropertyValues("elasticjob.worker.enabled=false")
                .run(context ->
                        assertThat(jobs(context.getBean(MeterRegistry.class))).isEmpty());
    }

    @Test
    void aPauseIsSeen() {
        runner.withBean(Events.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JobAdmin admin = context.getBean(JobAdmin.class);
            double before = gauge(registry, "elasticjob.jobs.paused");

            get(admin.pause("orders"));
            context.getBean(Events.class).states.await("the pause", all -> all.contains(JobState.PAUSED));

            assertThat(before).isZero();
            assertThat(gauge(registry, "elasticjob.jobs.paused")).isEqualTo(1);
            assertThat(gauge(registry, "elasticjob.jobs.paused.after.failures")).isZero();
            assertThat(gauge(registry, "elasticjob.items.owned")).isZero();
        });
    }

    @Test
    void aDisabledJobIsSeen() {
        runner.withBean(Events.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            double before = gauge(registry, "elasticjob.jobs.disabled");

            get(context.getBean(JobAdmin.class).disable("orders"));
            context.getBean(Events.class).states.await("the disabling", all -> all.contains(JobState.DISABLED));

            assertThat(before).isZero();
            assertThat(gauge(registry, "elasticjob.jobs.disabled")).isEqualTo(1);
            assertThat(gauge(registry, "elasticjob.jobs.paused")).isZero();
        });
    }

    @Test
    void aPauseOfTheJobItselfIsToldFromThatOfAnOperatorUntilItIsResumed() {
        runner.withPropertyValues("elasticjob.jobs.orders.pause-after-failures=1")
                .withBean(Events.class)
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    JobAdmin admin = context.getBean(JobAdmin.class);
                    Heard<JobState> states = context.getBean(Events.class).states;

                    get(admin.run("orders", RunRequest.withParameter("fail")));
                    states.await("the pause", all -> all.contains(JobState.PAUSED));
                    double paused = gauge(registry, "elasticjob.jobs.paused.after.failures");
                    get(admin.resume("orders"));
                    states.await(
                            "the resume", all -> all.lastIndexOf(JobState.ACTIVE) > all.lastIndexOf(JobState.PAUSED));

                    assertThat(paused).isEqualTo(1);
                    assertThat(gauge(registry, "elasticjob.jobs.paused.after.failures"))
                            .isZero();
                });
    }

    @Test
    void whatTheTraceHasNotWrittenIsSeen() {
        runner.withBean(Waiting.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            assertThat(gauge(registry, "elasticjob.trace.waiting")).isEqualTo(47);
            assertThat(gauge(registry, "elasticjob.trace.delay")).isEqualTo(420);
            assertThat(registry.get("elasticjob.trace.failures")
                            .functionCounter()
                            .count())
                    .isEqualTo(3);
        });
    }

    @Test
    void aDeniedMeterIsNotRegistered() {
        withoutMetrics
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class))
                .withPropertyValues("management.metrics.enable.elasticjob.executions=false")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.find("elasticjob.executions").meters()).isEmpty();
                    assertThat(registry.find("elasticjob.items.owned").meters()).isNotEmpty();
                });
    }

    @Test
    void withoutAMeterRegistryThereAreNoMeters() {
        withoutMetrics.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JobMeters.class));
    }

    @Test
    void withoutMicrometerNothingOfItIsLoaded() {
        withoutMetrics
                .withClassLoader(new FilteredClassLoader("io.micrometer.core", "io.micrometer.common.docs"))
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean(ElasticJobMetricsAutoConfiguration.class));
    }

    /** Returns when its meters are gone. */
    private static void removeOrders(ApplicationContext context, MeterRegistry registry) {
        long meters = registry.getMeters().stream()
                .filter(meter -> "orders".equals(meter.getId().getTag("job")))
                .count();
        Heard<String> gone = new Heard<>();
        registry.config().onMeterRemoved(meter -> gone.add(meter.getId().getName()));

        get(context.getBean(JobAdmin.class).remove("orders"));

        gone.await(meters + " meters that are removed", all -> all.size() == meters);
    }

    private static Set<String> jobs(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTag("job"))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long ofTenant(MeterRegistry registry) {
        return registry.getMeters().stream()
                .filter(meter -> "tenant".equals(meter.getId().getTag("job")))
                .count();
    }

    private static double gauge(MeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    private static Timer executions(MeterRegistry registry, String outcome, String trigger) {
        return registry.get("elasticjob.executions")
                .tags("job", "orders", "outcome", outcome, "trigger", trigger)
                .timer();
    }

    private static int activeHooks(MeterRegistry registry, String hook) {
        return registry.get("elasticjob.hooks.active")
                .tag("hook", hook)
                .longTaskTimer()
                .activeTasks();
    }

    private static JobEvent hookStarted(HookKind kind) {
        return new JobEvent.HookStarted("orders", "a", kind, "orders@noon", Optional.of(NOON), 1, NOON);
    }

    private static JobEvent hookFinished(HookKind kind, ExecutionOutcome outcome) {
        return new JobEvent.HookFinished(
                "orders",
                "a",
                kind,
                "orders@noon",
                Optional.of(NOON),
                1,
                NOON,
                NOON.plus(Duration.ofSeconds(10)),
                outcome,
                Optional.empty());
    }

    private static JobEvent started(ExecutionTrigger trigger, int secondsLate) {
        return new JobEvent.ItemStarted(
                "orders", "a", 0, NOON, "orders@noon", 1, trigger, NOON.plusSeconds(secondsLate), Optional.empty());
    }

    private static JobEvent finished(ExecutionOutcome outcome, int retries) {
        return new JobEvent.ItemFinished(
                "orders",
                "a",
                0,
                NOON,
                "orders@noon",
                1,
                ExecutionTrigger.SCHEDULE,
                NOON,
                NOON.plus(Duration.ofSeconds(10)),
                retries,
                outcome,
                Optional.empty(),
                Optional.empty());
    }

    static class Totals implements ClusterJobListener {}

    static class Events implements JobEventListener {
        private final Heard<JobState> states = new Heard<>();

        @Override
        public void onEvent(JobEvent event) {
            if (event instanceof JobEvent.StateChanged changed) {
                states.add(changed.to());
            }
        }
    }

    /** As of an event trace whose database is down. */
    static class Waiting implements WaitingWrites {
        @Override
        public long waiting() {
            return 47;
        }

        @Override
        public Duration delay() {
            return Duration.ofMinutes(7);
        }

        @Override
        public long failures() {
            return 3;
        }
    }

    @ElasticJob(name = "orders", shardingTotalCount = 2)
    static class Orders implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {
            if (context.getRunParameter().equals("fail")) {
                throw new IllegalStateException("provoked by this test");
            }
        }
    }
}
