package dev.elasticjob.spring.autoconfigure;

import static dev.elasticjob.spring.OnMemory.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

/** Events of jobs as events of the application, on a registry in memory. */
@ExtendWith(OutputCaptureExtension.class)
class JobEventPublisherTest {
    private static final long LIMIT_SECONDS = 60;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean(Orders.class);

    @Test
    void listenersReceiveTheEventsOfTheKindThatTheyAskFor() {
        AtomicReference<Listening> listening = new AtomicReference<>();
        runner.withBean(Listening.class).run(context -> {
            listening.set(context.getBean(Listening.class));
            get(context.getBean(JobAdmin.class).run("orders", RunRequest.create()));
        });

        Listening received = listening.get();
        assertThat(received.started).extracting(ItemStarted::item).containsExactlyInAnyOrder(0, 1);
        assertThat(received.all).filteredOn(ItemFinished.class::isInstance).hasSize(2);
        assertThat(received.threads).containsOnly("elasticjob-events-1");
    }

    @Test
    void theyReceiveAllEventsInTheirOrderUpToTheEndOfTheApplication() {
        AtomicReference<Listening> listening = new AtomicReference<>();
        List<JobEvent> reported = new CopyOnWriteArrayList<>();
        runner.withBean(Listening.class)
                .withBean("reported", JobEventListener.class, () -> reported::add)
                .run(context -> {
                    listening.set(context.getBean(Listening.class));
                    get(context.getBean(JobAdmin.class).run("orders", RunRequest.create()));
                });

        assertThat(listening.get().all).isEqualTo(reported);
        assertThat(reported)
                .last()
                .isInstanceOfSatisfying(
                        StateChanged.class, end -> assertThat(end.to()).isEqualTo(JobState.STOPPED));
    }

    @Test
    void aListenerThatBlocksDelaysNoJobAndWhatItsQueueCanNotHoldIsCounted(CapturedOutput output) {
        runner.withBean(Blocking.class)
                .withPropertyValues("elasticjob.events.queue-capacity=3")
                .run(context -> {
                    JobAdmin admin = context.getBean(JobAdmin.class);
                    Blocking listener = context.getBean(Blocking.class);
                    assertThat(listener.called.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                            .isTrue();

                    get(admin.run("orders", RunRequest.create()));
                    get(admin.run("orders", RunRequest.create()));

                    assertThat(context.getBean(DroppedEvents.class).dropped()).isPositive();
                    listener.goOn.countDown();
                });

        assertThat(output).containsOnlyOnce("Events of jobs were dropped, because 3 of them are waiting");
    }

    @Test
    void aListenerThatThrowsHarmsNoOtherEvent(CapturedOutput output) {
        AtomicReference<Listening> listening = new AtomicReference<>();
        runner.withBean(Throwing.class).withBean(Listening.class).run(context -> {
            listening.set(context.getBean(Listening.class));
            get(context.getBean(JobAdmin.class).run("orders", RunRequest.create()));
        });

        assertThat(listening.get().started).hasSize(2);
        assertThat(output)
                .contains("Job \"orders\": a listener of the application's events failed to handle ItemFinished")
                .as("the second one without a stack trace")
                .contains("This is number 2 of the same failure");
    }

    @Test
    void publishingCanBeSwitchedOff() {
        runner.withPropertyValues("elasticjob.events.publish=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JobEventPublisher.class));
    }

    @Test
    void aQueueThatHoldsNothingIsRefused() {
        runner.withPropertyValues("elasticjob.events.queue-capacity=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("\"elasticjob.events.queue-capacity\" must be at least 1, but is 0"));
    }

    static class Listening {
        final List<JobEvent> all = new CopyOnWriteArrayList<>();
        final List<ItemStarted> started = new CopyOnWriteArrayList<>();
        final List<String> threads = new CopyOnWriteArrayList<>();

        @EventListener(JobEvent.class)
        void any(JobEvent event) {
            all.add(event);
            threads.add(Thread.currentThread().getName());
        }

        @EventListener
        void start(ItemStarted event) {
            started.add(event);
        }
    }

    static class Blocking {
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @EventListener(JobEvent.class)
        void block() throws InterruptedException {
            called.countDown();
            goOn.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    static class Throwing {
        @EventListener(ItemFinished.class)
        void fail() {
            throw new IllegalStateException("provoked by this test");
        }
    }

    @ElasticJob(name = "orders", shardingTotalCount = 2)
    static class Orders implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {
            // Nothing to do.
        }
    }
}
