package dev.elasticjob.spring.observation;

import static dev.elasticjob.spring.OnMemory.get;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.testing.Heard;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryEventPublisherBeansApplicationListener;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** The traces of an application with a job, with OpenTelemetry's tracer, on a registry in memory. */
class JobObservationTest {
    static {
        // As an application does, before anything is traced in its JVM: otherwise, the log has no trace.
        OpenTelemetryEventPublisherBeansApplicationListener.addWrapper();
    }

    private final Spans spans = new Spans();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class, ElasticJobObservationAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean(Orders.class);
    private final ApplicationContextRunner runner = plain.withConfiguration(AutoConfigurations.of(
                    ObservationAutoConfiguration.class,
                    OpenTelemetrySdkAutoConfiguration.class,
                    OpenTelemetryTracingAutoConfiguration.class,
                    MicrometerTracingAutoConfiguration.class))
            .withPropertyValues("management.tracing.sampling.probability=1")
            .withInitializer(context ->
                    context.addApplicationListener(new OpenTelemetryEventPublisherBeansApplicationListener()))
            .withBean("spans", SpanProcessor.class, () -> spans);

    @Test
    void anItemIsAChildOfItsFiring() {
        runner.run(context -> run(context, ""));

        SpanData firing = spans.named("firing orders").get(0);
        assertThat(spans.named("firing orders")).hasSize(1);
        assertThat(firing.getParentSpanContext().isValid()).as("a root").isFalse();
        assertThat(spans.named("item orders"))
                .hasSize(2)
                .allSatisfy(item -> {
                    assertThat(item.getParentSpanId()).isEqualTo(firing.getSpanId());
                    assertThat(item.getTraceId()).isEqualTo(firing.getTraceId());
                })
                .extracting(item -> attributes(item).get("elasticjob.item"))
                .containsExactlyInAnyOrder("0", "1");
        assertThat(attributes(firing)).containsEntry("job", "orders").containsEntry("elasticjob.items", "0,1");
    }

    @Test
    void anItemSaysWhyItRanAndHowItEnded() {
        runner.run(context -> run(context, "fail"));

        assertThat(spans.named("item orders"))
                .allSatisfy(item -> assertThat(attributes(item))
                        .containsEntry("trigger", "manual")
                        .containsEntry("outcome", "failed")
                        .containsEntry("elasticjob.attempt", "1")
                        .containsKey("elasticjob.run"))
                .allSatisfy(
                        item -> assertThat(item.getEvents()).as("the exception").isNotEmpty());
    }

    @Test
    void aSpanMadeInTheJobIsAChildOfTheItems() {
        runner.run(context -> run(context, ""));

        assertInTheirItems();
    }

    @Test
    void aLineLoggedInTheJobCarriesTraceAndItem() {
        capture(() -> runner.run(context -> run(context, "")));

        assertThat(logged("working")).hasSize(2).allSatisfy(line -> {
            SpanData item = spans.named("item orders").stream()
                    .filter(span -> span.getSpanId().equals(line.get("spanId")))
                    .findAny()
                    .orElseThrow();
            assertThat(line)
                    .containsEntry("traceId", item.getTraceId())
                    .containsEntry("elasticjob.job", "orders")
                    .containsEntry("elasticjob.item", attributes(item).get("elasticjob.item"))
                    .containsEntry("elasticjob.run", attributes(item).get("elasticjob.run"))
                    .containsEntry("elasticjob.attempt", "1");
        });
    }

    @Test
    void theLineOfTheErrorHandlerCarriesTheTraceToo() {
        capture(() -> runner.run(context -> run(context, "fail")));

        assertThat(logged("failed (run"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).containsKeys("traceId", "spanId", "elasticjob.item"));
    }

    @Test
    void theContextReachesAnExecutorOfTheJobsOwn() {
        runner.withBean("mine", Executor.class, () -> new SimpleAsyncTaskExecutor("mine-"))
                .withPropertyValues("elasticjob.jobs.orders.executor-service-handler=mine")
                .run(context -> {
                    run(context, "");
                    assertThat(context.getBean(Orders.class).threads).allMatch(name -> name.startsWith("mine-"));
                });

        assertInTheirItems();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void theContextReachesVirtualThreads() {
        runner.withPropertyValues("spring.threads.virtual.enabled=true").run(context -> {
            run(context, "");
            assertThat(context.getBean(Orders.class).threads).allMatch(name -> name.startsWith("elasticjob-item-"));
        });

        assertInTheirItems();
    }

    @Test
    void theContextCanBePropagatedToThreadsThatTheJobStarts() {
        runner.run(context -> run(context, "elsewhere"));

        assertInTheirItems();
    }

    @Test
    void aCallOfClusterListenersIsARootWithItsOwnSpansAndLogLines() {
        capture(() -> runner.withBean(Totals.class).run(context -> runWithTotals(context, "")));

        for (String hook : List.of("before", "after")) {
            SpanData call = only(hook + " orders");
            assertThat(call.getParentSpanContext().isValid()).as("a root").isFalse();
            assertThat(attributes(call))
                    .containsEntry("job", "orders")
                    .containsEntry("hook", hook)
                    .containsEntry("outcome", "completed")
                    .containsEntry("elasticjob.attempt", "1")
                    .containsKey("elasticjob.run");
            assertThat(only("inside " + hook).getParentSpanId()).isEqualTo(call.getSpanId());
            assertThat(logged("merging " + hook))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .containsEntry("spanId", call.getSpanId())
                            .containsEntry("elasticjob.job", "orders"));
        }
    }

    @Test
    void aCallOfClusterListenersThatFailsSaysSo() {
        runner.withBean(Totals.class).run(context -> runWithTotals(context, "fail"));

        assertThat(attributes(only("before orders"))).containsEntry("outcome", "completed");
        assertThat(attributes(only("after orders"))).containsEntry("outcome", "failed");
        assertThat(only("after orders").getEvents()).as("the exception").isNotEmpty();
    }

    @Test
    void aConventionOfTheApplicationsNamesCallsOfClusterListeners() {
        runner.withBean(Totals.class)
                .withBean(HookObservationConvention.class, () -> new DefaultHookObservationConvention() {
                    @Override
                    public String getContextualName(HookObservationContext context) {
                        return "totals " + context.hook().kind();
                    }
                })
                .run(context -> runWithTotals(context, ""));

        assertThat(only("totals BEFORE").getParentSpanContext().isValid()).isFalse();
        assertThat(spans.named("before orders")).isEmpty();
    }

    @Test
    void aConventionOfTheApplicationsNamesItems() {
        runner.withBean(ItemObservationConvention.class, () -> new DefaultItemObservationConvention() {
                    @Override
                    public String getContextualName(ItemObservationContext context) {
                        return "shop " + context.item().getShardingItem();
                    }
                })
                .run(context -> run(context, ""));

        assertThat(spans.named("shop 0")).hasSize(1);
        assertThat(spans.named("item orders")).isEmpty();
    }

    @Test
    void observationsCanBeSwitchedOffByTheirName() {
        runner.withPropertyValues("management.observations.enable.elasticjob=false")
                .run(context -> run(context, ""));

        assertThat(spans.named("item orders")).isEmpty();
        assertThat(spans.named("firing orders")).isEmpty();
        assertThat(spans.named("inside")).as("the job has run").hasSize(2);
    }

    @Test
    void withoutAnObservationRegistryNothingIsObserved() {
        plain.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(ExecutionObserver.class);
            run(context, "");
            assertThat(context.getBean(Orders.class).threads).hasSize(2);
        });
    }

    @Test
    void withoutMicrometerObservationNothingOfItIsLoaded() {
        plain.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ElasticJobObservationAutoConfiguration.class));
    }

    @Test
    void aRegistryThatObservesNothingCostsNothing() {
        plain.withBean(ObservationRegistry.class, () -> ObservationRegistry.NOOP)
                .run(context -> assertThat(context.getBean(ExecutionObserver.class)
                                .begins(new ShardingContexts("orders", List.of())))
                        .isSameAs(ExecutionObserver.Firing.NONE));
    }

    // ------------------------------------------------------------------ what is seen

    private SpanData only(String name) {
        List<SpanData> all = spans.named(name);
        assertThat(all).as(name).hasSize(1);
        return all.get(0);
    }

    /** The context closes when the call after the items has returned. */
    private static void runWithTotals(AssertableApplicationContext context, String parameter) {
        run(context, parameter);
        context.getBean(Totals.class).calls.await("the call after the items", all -> all.contains("after"));
    }

    private void assertInTheirItems() {
        List<String> items =
                spans.named("item orders").stream().map(SpanData::getSpanId).toList();
        assertThat(spans.named("inside"))
                .extracting(SpanData::getParentSpanId)
                .containsExactlyInAnyOrderElementsOf(items)
                .hasSize(2);
    }

    private static Map<String, String> attributes(SpanData span) {
        Map<String, String> all = new HashMap<>();
        span.getAttributes().forEach((key, value) -> all.put(key.getKey(), String.valueOf(value)));
        return all;
    }

    private void capture(Runnable work) {
        var root = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        lines.start();
        root.addAppender(lines);
        try {
            work.run();
        } finally {
            root.detachAppender(lines);
        }
    }

    private List<Map<String, String>> logged(String text) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .map(ILoggingEvent::getMDCPropertyMap)
                .toList();
    }

    private static void run(AssertableApplicationContext context, String parameter) {
        get(context.getBean(JobAdmin.class).run("orders", RunRequest.withParameter(parameter)));
    }

    /** The spans that have ended. */
    private static final class Spans implements SpanProcessor {
        private final Queue<SpanData> ended = new ConcurrentLinkedQueue<>();

        List<SpanData> named(String name) {
            return ended.stream().filter(span -> span.getName().equals(name)).toList();
        }

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
            // Only ends count.
        }

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            ended.add(span.toSpanData());
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    static class Totals implements ClusterJobListener {
        private static final Logger log = LoggerFactory.getLogger("dev.elasticjob.totals");

        final Heard<String> calls = new Heard<>();
        private final Tracer tracer;

        Totals(Tracer tracer) {
            this.tracer = tracer;
        }

        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            call("before");
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
            call("after");
            if (!outcomes.isSuccess()) {
                throw new IllegalStateException("provoked by this test");
            }
        }

        private void call(String hook) {
            log.info("merging {}", hook);
            tracer.nextSpan().name("inside " + hook).start().end();
            calls.add(hook);
        }
    }

    @ElasticJob(name = "orders", shardingTotalCount = 2)
    static class Orders implements SimpleJob {
        private static final Logger log = LoggerFactory.getLogger("dev.elasticjob.orders");

        final Queue<String> threads = new ConcurrentLinkedQueue<>();
        private final ObjectProvider<Tracer> tracer;

        Orders(ObjectProvider<Tracer> tracer) {
            this.tracer = tracer;
        }

        @Override
        public void execute(ShardingContext context) throws Exception {
            threads.add(Thread.currentThread().getName());
            log.info("working");
            if (context.getRunParameter().equals("elsewhere")) {
                ContextSnapshot here = ContextSnapshotFactory.builder().build().captureAll();
                Thread other = new Thread(here.wrap(this::span));
                other.start();
                other.join(60_000);
            } else {
                span();
            }
            if (context.getRunParameter().equals("fail")) {
                throw new IllegalStateException("provoked by this test");
            }
        }

        private void span() {
            tracer.ifAvailable(present -> {
                Span inside = present.nextSpan().name("inside").start();
                inside.end();
            });
        }
    }
}
