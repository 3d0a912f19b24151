package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** The life of an application with a job, on a registry in memory. */
@ExtendWith(OutputCaptureExtension.class)
class EngineLifecycleTest {
    private static final long LIMIT_SECONDS = 20;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class);

    @Test
    void jobOfAStartedApplicationIsRegistered() {
        runner.withBean(FiringJob.class).run(context -> {
            assertThat(context.getBean(EngineLifecycle.class).isRunning()).isTrue();
            assertThat(context.getBean(ElasticJobEngine.class).jobNames()).containsExactly("firing");
            context.getBean(Activations.class).awaitNext();
        });
    }

    @Test
    void theStepsOfTheStartAreRecorded() {
        var startup = new BufferingApplicationStartup(10_000);

        runner.withInitializer(context -> context.setApplicationStartup(startup))
                .withBean(FiringJob.class)
                .run(context -> assertThat(startup.drainBufferedTimeline().getEvents())
                        .extracting(event -> event.getStartupStep().getName())
                        .containsSubsequence(
                                "elasticjob.registry.connect", "elasticjob.jobs.register", "elasticjob.start"));
    }

    @Test
    void jobFires() {
        runner.withBean(FiringJob.class)
                .run(context -> assertThat(context.getBean(FiringJob.class).awaitFiring())
                        .isEqualTo("firing"));
    }

    @Test
    void coordinationIsInjectedIntoTheJobItself() {
        runner.withBean(CoordinatedJob.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(LeaderElection.class)).isSameAs(context.getBean(CoordinatedJob.class).leaders);
        });
    }

    @Test
    void lazyInitializationDoesNotSilenceAJob() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(FiringJob.class)
                .run(context -> assertThat(
                                context.getBean(EngineLifecycle.class).isRunning())
                        .isTrue());
    }

    @Test
    void pausedApplicationStopsItsJobsAndTakesThemUpAgainOnTheSameConnection() {
        runner.withBean(FiringJob.class).run(context -> {
            var activations = context.getBean(Activations.class);
            activations.awaitNext();

            context.getSourceApplicationContext().stop();

            assertThat(context.getBean(ElasticJobEngine.class).state("firing")).isNotEqualTo(JobState.ACTIVE);
            assertThat(context.getBean(Registry.class).connectionState().isConnected())
                    .isTrue();

            context.getSourceApplicationContext().start();

            activations.awaitNext();
        });
    }

    @Test
    void firstJobThatIsRegisteredByHandStartsTheEngineAndKeepsTheProcessAlive() {
        runner.run(context -> {
            var job = new FiringJob();
            JobDefinition definition =
                    JobDefinition.builder("firing").cron("* * * * * ?").build();
            boolean aliveBefore = keepAliveThread() != null;

            CompletionStage<Void> joined =
                    context.getBean(ElasticJobEngine.class).register(definition, job);

            joined.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(context.getBean(ElasticJobEngine.class).state("firing")).isEqualTo(JobState.ACTIVE);
            assertThat(job.awaitFiring()).isEqualTo("firing");
            assertThat(aliveBefore).isFalse();
            assertThat(keepAliveThread()).isNotNull();
            assertThat(context.getBean(EngineLifecycle.class).knowsJobs()).isTrue();
        });
        assertThat(keepAliveThread()).satisfiesAnyOf(none -> assertThat(none).isNull(), thread -> awaitEnd(thread));
    }

    @Test
    void jobThatIsRegisteredByHandDuringTheStartJoinsWithTheStart() {
        runner.withBean(RegisteringBean.class).run(context -> {
            context.getBean(Activations.class).awaitNext();
            assertThat(context.getBean(ElasticJobEngine.class).jobNames()).containsExactly("firing");
        });
    }

    /** As Spring's test context does with the contexts it keeps. */
    @Test
    void applicationThatIsPausedAndRestartedTakesItsJobsUpAgain() {
        runner.withBean(FiringJob.class).run(context -> {
            var activations = context.getBean(Activations.class);
            var application = (ConfigurableApplicationContext) context.getSourceApplicationContext();
            activations.awaitNext();

            application.pause();

            assertThat(context.getBean(EngineLifecycle.class).isRunning()).isFalse();
            assertThat(context.getBean(ElasticJobEngine.class).state("firing")).isEqualTo(JobState.LATENT);
            awaitEnd(keepAliveThread());

            application.restart();

            activations.awaitNext();
            assertThat(context.getBean(EngineLifecycle.class).isRunning()).isTrue();
            assertThat(keepAliveThread()).isNotNull();
        });
    }

    @Test
    void applicationThatIsClosedTwiceWhileAnItemRunsLetsItEnd() {
        runner.withBean(LongJob.class).run(context -> {
            var application = (ConfigurableApplicationContext) context.getSourceApplicationContext();
            LongJob job = context.getBean(LongJob.class);
            var closers = new SimpleAsyncTaskExecutor("closer-");
            await(job.started);

            CompletableFuture<Void> first = CompletableFuture.runAsync(application::close, closers);
            await(job.closing);
            var secondBegins = new CountDownLatch(1);
            CompletableFuture<Void> second = CompletableFuture.runAsync(
                    () -> {
                        secondBegins.countDown();
                        application.close();
                    },
                    closers);
            await(secondBegins);
            job.mayEnd.countDown();

            assertThat(CompletableFuture.allOf(first, second)).succeedsWithin(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(job.outcome).isCompletedWithValue("ended");
        });
    }

    @Test
    void applicationThatFailsAfterItsJobsHaveStartedLeavesTheRegistry() throws InterruptedException {
        var registry = new AtomicReference<Registry>();

        runner.withBean(FiringJob.class)
                .withInitializer(context -> context.addApplicationListener(event -> {
                    if (event instanceof ContextRefreshedEvent refreshed) {
                        registry.set(refreshed.getApplicationContext().getBean(Registry.class));
                        assertThat(keepAliveThread()).isNotNull();
                        throw new IllegalStateException("provoked by this test");
                    }
                }))
                .run(context -> assertThat(context).getFailure().hasMessage("provoked by this test"));

        assertThat(registry.get().connectionState()).isEqualTo(ConnectionState.LOST);
        awaitEnd(keepAliveThread());
    }

    @Test
    void applicationThatIsClosedWhileItsJobsRegisterLeavesTheRegistry() throws InterruptedException {
        var application = new AnnotationConfigApplicationContext();
        var closed = new CompletableFuture<Void>();
        application.register(OnMemory.class, FiringJob.class, ElasticJobAutoConfiguration.class);
        application.getBeanFactory().registerSingleton("closing", (JobEventListener) event -> {
            if (event instanceof JobEvent.StateChanged changed && changed.to() == JobState.REGISTERING) {
                closed.completeAsync(() -> {
                    application.close();
                    return null;
                });
            }
        });

        var registry = new AtomicReference<Registry>();
        application.addApplicationListener((ContextRefreshedEvent refreshed) ->
                registry.set(refreshed.getApplicationContext().getBean(Registry.class)));
        application.refresh();

        assertThat(closed).succeedsWithin(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(registry.get().connectionState()).isEqualTo(ConnectionState.LOST);
        awaitEnd(keepAliveThread());
    }

    @Test
    void closedApplicationLeavesTheRegistry() {
        var registry = new AtomicReference<Registry>();

        runner.withBean(FiringJob.class).run(context -> registry.set(context.getBean(Registry.class)));

        assertThat(registry.get().connectionState()).isEqualTo(ConnectionState.LOST);
    }

    @Test
    void processStaysAliveWhileThereAreJobs() throws Exception {
        var keepAlive = new AtomicReference<Thread>();

        runner.withBean(FiringJob.class).run(context -> keepAlive.set(keepAliveThread()));

        assertThat(keepAlive.get()).isNotNull();
        assertThat(keepAlive.get().isDaemon()).isFalse();
        awaitEnd(keepAlive.get());
    }

    @Test
    void nothingKeepsAnApplicationWithoutJobsAlive() {
        runner.run(context -> assertThat(keepAliveThread()).isNull());
    }

    @Test
    void jobOfAnotherTypeUnderOneNameIsReported(CapturedOutput output) {
        var ensemble = new InMemoryEnsemble(Clock.systemUTC());
        runner.withBean("other", InMemoryEnsemble.class, () -> ensemble)
                .withBean(FiringJob.class)
                .run(context -> {
                    var spring = new SpringApplication(Retyped.class);
                    spring.setWebApplicationType(WebApplicationType.NONE);
                    spring.addInitializers(second -> second.getBeanFactory().registerSingleton("ensemble", ensemble));

                    assertThat(CompletableFuture.runAsync(() -> spring.run().close()))
                            .failsWithin(LIMIT_SECONDS, TimeUnit.SECONDS);
                    assertThat(output)
                            .contains("APPLICATION FAILED TO START")
                            .contains("the type SIMPLE in the registry, but the type DATAFLOW")
                            .contains("\"elasticjob.jobs.firing.overwrite\"");
                });
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Null is a thread that has ended already. */
    private static void awaitEnd(Thread thread) throws InterruptedException {
        if (thread != null) {
            thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            assertThat(thread.isAlive()).isFalse();
        }
    }

    private static Thread keepAliveThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("elasticjob-keep-alive"))
                .findFirst()
                .orElse(null);
    }

    /** Hears each time a job becomes active. */
    static class Activations implements JobEventListener {
        private final BlockingQueue<String> jobs = new LinkedBlockingQueue<>();

        @Override
        public void onEvent(JobEvent event) {
            if (event instanceof JobEvent.StateChanged changed && changed.to() == JobState.ACTIVE) {
                jobs.add(changed.jobName());
            }
        }

        void awaitNext() throws InterruptedException {
            assertThat(jobs.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnMemory {
        @Bean
        Activations activations() {
            return new Activations();
        }

        @Bean
        Registry registry(ObjectProvider<InMemoryEnsemble> shared) {
            InMemoryEnsemble ensemble = shared.getIfAvailable(() -> new InMemoryEnsemble(Clock.systemUTC()));
            return new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Retyped extends OnMemory {
        @Bean
        @ElasticJob(name = "firing", cron = "* * * * * ?")
        DataflowJob<String> retyped() {
            return new DataflowJob<>() {
                @Override
                public List<String> fetchData(ShardingContext context) {
                    return List.of();
                }

                @Override
                public void processData(ShardingContext context, List<String> data) {}
            };
        }
    }

    @ElasticJob(name = "firing", cron = "* * * * * ?")
    static class FiringJob implements SimpleJob {
        private final CompletableFuture<String> fired = new CompletableFuture<>();

        @Override
        public void execute(ShardingContext context) {
            fired.complete(context.getJobName());
        }

        String awaitFiring() throws InterruptedException, ExecutionException, TimeoutException {
            return fired.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    static class RegisteringBean {
        RegisteringBean(ElasticJobEngine engine) {
            engine.register(JobDefinition.builder("firing").cron("* * * * * ?").build(), new FiringJob());
        }
    }

    /** Runs until it may end, and hears that its application is closing. */
    @ElasticJob(name = "long", cron = "* * * * * ?")
    static class LongJob implements SimpleJob, ApplicationListener<ContextClosedEvent> {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final CompletableFuture<String> outcome = new CompletableFuture<>();

        @Override
        public void execute(ShardingContext context) throws InterruptedException {
            started.countDown();
            try {
                mayEnd.await();
                outcome.complete("ended");
            } catch (InterruptedException e) {
                outcome.complete("interrupted");
                throw e;
            }
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }
    }

    @ElasticJob(name = "coordinated", cron = "0 0 1 * * ?")
    static class CoordinatedJob implements SimpleJob {
        private final LeaderElection leaders;

        CoordinatedJob(LeaderElection leaders, ReshardingFlags flags, FailoverLatch failover) {
            this.leaders = leaders;
        }

        @Override
        public void execute(ShardingContext context) {}
    }
}
