package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.ForeignInstanceException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real instances of Elastic-Job 2.1.5 and ElasticJob 3.0.4 in a job of ours, which fires every second. */
@Tag("proof")
class ForeignInstanceIT {
    private static final String NAMESPACE = "shop";
    private static final String OURS = "10.1.0.1@-@1";
    private static final String YAML_OF_3 = "the YAML of ElasticJob 3.x";
    private static final String JOB_OF_2 = "dev.elasticjob.compatibility.operator.Noting";

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final Heard<JobEvent> events = new Heard<>();

    @Test
    void ourInstanceIsNotStartedBesideOneOf2() {
        ForeignProcess two = opened.add(instanceOf2());
        two.await("ran\t0");

        assertThatThrownBy(() -> start(engine()))
                .hasCauseInstanceOf(ForeignInstanceException.class)
                .hasMessageContaining("(Elastic-Job 2.x)");
    }

    @Test
    void oursClaimNothingBesideOneOf2AndGoOnWhenItIsGone() throws Exception {
        ElasticJobEngine ours = engine();
        start(ours);
        await("a run of ours", JobEvent.ItemFinished.class);

        ForeignProcess two = opened.add(instanceOf2());
        two.await("started");
        await("the foreigner", JobEvent.ForeignInstances.class);
        awaitRest();
        assertThat(two.lines().all()).as("nobody gives it items").doesNotContain("ran\t0", "ran\t1");

        events.clear();
        two.close();
        await("a run of ours after it", JobEvent.ItemFinished.class);
        assertThat(ours.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    @Test
    void ourInstanceIsNotStartedBesideOneOf3NorInItsTreeUnlessItMayOverwriteThat() throws Exception {
        ForeignProcess three = opened.add(instanceOf3(false));
        three.await("ran\t0");
        assertThatThrownBy(() -> start(engine()))
                .hasCauseInstanceOf(ForeignInstanceException.class)
                .hasMessageContaining("(ElasticJob 3.x)");

        three.close();
        start(engine());
        await(
                "the refusal of its settings",
                JobEvent.JobRefused.class,
                refused ->
                        refused.reason().contains(YAML_OF_3) && refused.reason().contains("overwrite=true"));

        start(engine(OURS, true));
        await("a run of ours", JobEvent.ItemFinished.class);
    }

    @Test
    void oneOf3CannotReadWhatOursHaveStoredAndOursGoOn() throws Exception {
        ElasticJobEngine ours = engine();
        start(ours);

        ForeignProcess three = opened.add(instanceOf3(false));
        three.await("failed\torg.yaml.snakeyaml.constructor.ConstructorException");
        events.clear();
        await("a run of ours", JobEvent.ItemFinished.class);

        assertThat(ours.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    @Test
    void oursClaimNothingWhenOneOf3HasOverwrittenTheSettingsAndGoOnWhenTheyAreBack() throws Exception {
        start(engine());
        await("a run of ours", JobEvent.ItemFinished.class);

        ForeignProcess three = opened.add(instanceOf3(true));
        three.await("started");
        await(
                "what happened to the settings",
                JobEvent.DefinitionUnreadable.class,
                unreadable -> unreadable.reason().contains(YAML_OF_3));
        awaitRest();
        three.close();
        assertThat(three.lines().all()).as("nobody gives it items").containsExactly("started");

        events.clear();
        start(engine("10.1.0.2@-@1", true));
        await(
                "a run by the instance that was there before",
                JobEvent.ItemFinished.class,
                run -> run.instance().equals(OURS));
    }

    private ForeignProcess instanceOf2() {
        return new ForeignProcess(
                Path.of(System.getProperty("operator.target")),
                "operator.class-path",
                "dev.elasticjob.compatibility.operator.Instance",
                List.of(server.connectString(), NAMESPACE));
    }

    private ForeignProcess instanceOf3(boolean overwrite) {
        return new ForeignProcess(
                Path.of(System.getProperty("three.target")),
                "three.class-path",
                "dev.elasticjob.compatibility.three.Instance",
                List.of(server.connectString(), NAMESPACE, String.valueOf(overwrite)));
    }

    private <E extends JobEvent> void await(String what, Class<E> kind) {
        await(what, kind, event -> true);
    }

    private <E extends JobEvent> void await(String what, Class<E> kind, Predicate<E> which) {
        events.await(
                what,
                all -> all.stream().filter(kind::isInstance).map(kind::cast).anyMatch(which));
    }

    private void awaitRest() {
        await("rest", JobEvent.StateChanged.class, change -> change.to() == JobState.SUSPENDED);
    }

    private ElasticJobEngine engine() {
        return engine(OURS, false);
    }

    private ElasticJobEngine engine(String instance, boolean overwrite) {
        CuratorRegistry registry = CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
        opened.add(registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip("10.1.0.1")
                .serverTick(TestZooKeeper.TICK)
                .shutdownTimeout(Duration.ofSeconds(2))
                .listener(events::add)
                .build();
        opened.add(engine);
        engine.register(
                JobDefinition.builder("orders")
                        .cron("* * * * * ?")
                        .shardingTotalCount(2)
                        .jobClass(JOB_OF_2)
                        .overwrite(overwrite)
                        .build(),
                context -> {});
        return engine;
    }

    private static void start(ElasticJobEngine engine) {
        engine.start().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
