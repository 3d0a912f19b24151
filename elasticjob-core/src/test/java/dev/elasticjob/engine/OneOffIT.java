package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One-off jobs on several instances and a real ZooKeeper. */
class OneOffIT {
    private static final JobTree TREE = new JobTree("report");
    private static final JobDefinition REPORT =
            JobDefinition.builder("report").shardingTotalCount(4).build();

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
    private final Heard<Started> started = new Heard<>();

    private record Started(String instance, int item, String parameter, int attempt) {}

    @Test
    void aCallerBesideTheJobHearsHowAllItemsOfTwoInstancesHaveEnded() {
        startTwo(REPORT, context -> {
            if (context.getShardingItem() == 3) {
                throw new IllegalStateException("no data for " + context.getRunParameter());
            }
        });
        RegistryJobAdmin beside = new RegistryJobAdmin(engines.registry());

        RunOutcome first = get(beside.run("report", RunRequest.withParameter("Oktober \"26\" – 北京")));
        RunOutcome second = get(beside.run("report", RunRequest.create()));

        assertThat(first.items().values())
                .extracting(RunOutcome.ItemEnd::end)
                .containsExactly(RunEnd.COMPLETED, RunEnd.COMPLETED, RunEnd.COMPLETED, RunEnd.FAILED);
        assertThat(first.items().get(3).failure())
                .hasValueSatisfying(text -> assertThat(text).contains("no data for Oktober \"26\" – 北京"));
        assertThat(second.items()).hasSize(4);
        assertThat(started.all()).hasSize(8);
        assertThat(started.all().stream().map(Started::instance).collect(Collectors.toSet()))
                .hasSize(2);
        assertThat(started.all().subList(0, 4)).extracting(Started::parameter).containsOnly("Oktober \"26\" – 北京");
        assertThat(engines.exists(TREE.config())).as("for tools of 2.1.5").isFalse();
    }

    @Test
    void anOperatorsToolRunsEachItemOnceThroughAnyInstance() {
        startTwo(REPORT, context -> {});
        Registry tool = engines.registry();

        get(tool.commit(
                tool.session().orElseThrow(),
                RegistryCommit.builder()
                        .set(TREE.instance("b@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION)
                        .build()));

        started.await("all items", all -> all.size() == 4);
        assertThat(started.all()).extracting(Started::item).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void whatAKilledInstanceDidIsDoneByTheOtherWithTheSameParameterAndAwaited() {
        CountDownLatch never = new CountDownLatch(1);
        engines.add(never::countDown);
        SimpleJob hangsAtFirst = context -> {
            if (context.getShardingItem() == 0 && context.getAttempt() == 1) {
                never.await(60, TimeUnit.SECONDS);
            }
        };
        startTwo(REPORT.toBuilder().failover(true).build(), hangsAtFirst);
        CompletableFuture<RunOutcome> outcome =
                new RegistryJobAdmin(engines.registry()).run("report", RunRequest.withParameter("2026-10"));
        started.await("item 0", all -> all.stream().anyMatch(one -> one.item() == 0));
        String first = attempts(0).get(0).instance();

        engines.registryOf(first).close();

        assertThat(get(outcome).isSuccessful()).isTrue();
        assertThat(attempts(0)).extracting(Started::attempt).containsExactly(1, 2);
        assertThat(attempts(0)).extracting(Started::parameter).containsOnly("2026-10");
        assertThat(attempts(0).get(1).instance()).isNotEqualTo(first);
    }

    @Test
    void whoeverWaitsGoesOnInItsNextSession() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        engines.add(mayEnd::countDown);
        startTwo(REPORT, context -> mayEnd.await(60, TimeUnit.SECONDS));
        Registry waiting = engines.registry();
        CompletableFuture<RunOutcome> outcome = new RegistryJobAdmin(waiting).run("report", RunRequest.create());
        started.await("all items", all -> all.size() == 4);
        long session = waiting.session().orElseThrow().id();
        CompletableFuture<Void> back = new CompletableFuture<>();
        engines.add(waiting.onConnectionState(state -> waiting.session()
                .filter(now -> state.isConnected() && now.id() != session)
                .ifPresent(now -> back.complete(null)))::close);

        engines.server().expire(session);
        get(back);
        mayEnd.countDown();

        assertThat(get(outcome).isSuccessful()).isTrue();
    }

    @Test
    void whileItemsWaitAnotherParameterIsRefused() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        engines.add(mayEnd::countDown);
        startTwo(REPORT, context -> mayEnd.await(60, TimeUnit.SECONDS));
        RegistryJobAdmin admin = new RegistryJobAdmin(engines.registry());
        get(admin.trigger("report", RunRequest.withParameter("2026-08")));
        started.await("all items", all -> all.size() == 4);
        RunRequest first = RunRequest.withParameter("2026-09");
        RunRequest second = RunRequest.withParameter("2026-09");
        get(admin.trigger("report", first));
        get(admin.trigger("report", second));

        assertThatThrownBy(() -> get(admin.trigger("report", RunRequest.withParameter("2026-10"))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which has another parameter");
        CompletableFuture<RunOutcome> waits = admin.run("report", first);
        CompletableFuture<RunOutcome> same = admin.run("report", second);
        mayEnd.countDown();

        assertThat(get(waits).isSuccessful()).isTrue();
        assertThat(get(same).isSuccessful()).isTrue();
        assertThat(started.all()).extracting(Started::parameter).doesNotContain("2026-10");
        assertThat(started.all())
                .filteredOn(one -> one.parameter().equals("2026-09"))
                .hasSize(4);
    }

    @Test
    void instancesThatStartTogetherRunItOnceAndOneThatComesLaterNotAtAll() {
        JobDefinition atStart = REPORT.toBuilder().runAtStart(true).build();
        List<ElasticJobEngine> all = List.of(
                engine("a@-@1", atStart, context -> {}),
                engine("b@-@1", atStart, context -> {}),
                engine("c@-@1", atStart, context -> {}));

        CompletableFuture.allOf(all.stream()
                        .map(engine -> engine.start().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .join();
        started.await("the run at start", runs -> runs.size() >= 4);
        get(engine("d@-@1", atStart, context -> {}).start());
        RunOutcome asked =
                get(new RegistryJobAdmin(engines.registry()).run("report", RunRequest.withParameter("asked")));

        assertThat(asked.isSuccessful()).isTrue();
        assertThat(started.all()).filteredOn(one -> one.parameter().isEmpty()).hasSize(4);
    }

    // ------------------------------------------------------------------ the engines

    private List<Started> attempts(int item) {
        return started.all().stream().filter(one -> one.item() == item).toList();
    }

    private void startTwo(JobDefinition definition, SimpleJob job) {
        get(engine("a@-@1", definition, job).start());
        get(engine("b@-@1", definition, job).start());
        events.await(
                AssignmentChanged.class,
                change -> change.items().size() == 2 && change.instance().startsWith("b"));
    }

    private ElasticJobEngine engine(String instance, JobDefinition definition, SimpleJob job) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(definition, (SimpleJob) context -> {
            started.add(note(instance, context));
            job.execute(context);
        });
        return engine;
    }

    private static Started note(String instance, ShardingContext context) {
        return new Started(instance, context.getShardingItem(), context.getRunParameter(), context.getAttempt());
    }
}
