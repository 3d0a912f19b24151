package dev.elasticjob.engine;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller does with the future of a stage that it was handed changes nothing but that future. */
class HandedOutStagesTest {
    private static final Instant START = Instant.parse("2026-03-01T08:00:30Z");
    private static final String JOB = "orders";
    private static final String INSTANCE = "a@-@1";
    private static final SimpleJob NOTHING = context -> {};

    /** By what is called; some of them fail, which is an end like any other. */
    private static final Map<String, Function<OneEngine, CompletionStage<?>>> CALLS = Map.ofEntries(
            of("ElasticJobEngine.start", one -> {
                one.engine.stop();
                one.settle();
                return one.engine.start();
            }),
            of("ElasticJobEngine.stop", one -> one.engine.stop()),
            of("ElasticJobEngine.finishAfterFirstItems", one -> {
                CompletionStage<Void> finished = one.engine.finishAfterFirstItems();
                one.admin().trigger(JOB);
                one.settle();
                one.returnItems();
                return finished;
            }),
            of("ElasticJobEngine.finishWhenIdle", one -> one.engine.finishWhenIdle(Duration.ofSeconds(10))),
            of("ElasticJobEngine.register", one -> one.engine.register(job("bills"), NOTHING)),
            of("ElasticJobEngine.register, dataflow", one -> one.engine.register(job("bills"), new NoData())),
            of("ElasticJobEngine.unregister", one -> one.engine.unregister(JOB)),
            of("ShardingGroups.join", one -> one.engine.groups().join("", new NoNotice())),
            of("ShardingGroups.leave", one -> {
                one.engine.groups().join("", new NoNotice());
                one.settle();
                return one.engine.groups().leave("");
            }),
            of("ShardingGroups.groups", one -> {
                one.engine.groups().join("", new NoNotice());
                one.settle();
                return one.engine.groups().groups();
            }),
            of("ShardingGroups.all", one -> one.engine.groups().all()),
            of("ReshardingFlags.status", one -> one.engine.reshardingFlags().status(JOB)),
            of("ReshardingFlags.raise", one -> one.engine.reshardingFlags().raise(JOB)),
            of("FailoverLatch.waitingItems", one -> one.engine.failoverLatch().waitingItems(JOB)),
            admin("trigger", admin -> admin.trigger(JOB)),
            admin("trigger, run id", admin -> admin.trigger(JOB, "r1")),
            admin("trigger, request", admin -> admin.trigger(JOB, RunRequest.create())),
            admin("triggerAgain", admin -> admin.triggerAgain(JOB, "r1", "r2")),
            admin("cancel", admin -> admin.cancel(JOB, CancelRequest.run("r1"))),
            admin("backfill", admin -> admin.backfill(JOB, BackfillRequest.of(START.minusSeconds(3_600), START))),
            admin("stopBackfill", admin -> admin.stopBackfill(JOB)),
            admin("disable", admin -> admin.disable(JOB)),
            admin("enable", admin -> admin.enable(JOB)),
            admin("disableServer", admin -> admin.disableServer(JOB, "10.0.0.1")),
            admin("enableServer", admin -> admin.enableServer(JOB, "10.0.0.1")),
            admin("disableItem", admin -> admin.disableItem(JOB, 0)),
            admin("enableItem", admin -> admin.enableItem(JOB, 0)),
            admin("disableItems", admin -> admin.disableItems(JOB, Set.of(0))),
            admin("enableItems", admin -> admin.enableItems(JOB, Set.of(0))),
            admin("pause", admin -> admin.pause(JOB)),
            admin("resume", admin -> admin.resume(JOB)),
            admin("pauseAll", JobAdmin::pauseAll),
            admin("resumeAll", JobAdmin::resumeAll),
            admin("drain", admin -> admin.drain(JOB, INSTANCE)),
            admin("undrain", admin -> admin.undrain(JOB, INSTANCE)),
            admin("drainAll", admin -> admin.drainAll(INSTANCE)),
            admin("undrainAll", admin -> admin.undrainAll(INSTANCE)),
            admin("suspendApp", admin -> admin.suspendApp("jobs.shop")),
            admin("resumeApp", admin -> admin.resumeApp("jobs.shop")),
            admin("forgetApp", admin -> admin.forgetApp("jobs.shop")),
            admin("confirmDataLoss", JobAdmin::confirmDataLoss),
            admin("raiseFencingTokens", admin -> admin.raiseFencingTokens(1)),
            admin("definition", admin -> admin.definition(JOB)),
            admin("versionedDefinition", admin -> admin.versionedDefinition(JOB)),
            admin("redefine", admin -> admin.redefine(JOB, definition -> definition)),
            admin("redefine, settings", admin -> admin.redefine(JOB, "0", Map.of("cron", "0 0 * * * ?"))),
            admin("repair", admin -> admin.repair(job(JOB))),
            admin("repair, settings", admin -> admin.repair(JOB, "0", Map.of("cron", "0 0 * * * ?"))),
            admin("unreadableSettings", admin -> admin.unreadableSettings(JOB)),
            admin("create", admin -> admin.create(job("bills"))),
            admin("create, settings", admin -> admin.create("bills", Map.of("cron", "0 0 * * * ?"))),
            admin("reshard", admin -> admin.reshard(JOB)),
            admin("remove", admin -> admin.remove(JOB)),
            inspector("jobs", JobInspector::jobs),
            inspector("page", inspector -> inspector.page(JobPage.Query.all())),
            inspector("matching", inspector -> inspector.matching(JobPage.Query.all())),
            inspector("swept", JobInspector::swept),
            inspector("instance", inspector -> inspector.instance("a@-@1")),
            inspector("servers", JobInspector::servers),
            inspector("names", JobInspector::names),
            inspector("details", inspector -> inspector.details(List.of(JOB))),
            inspector("attention", JobInspector::attention),
            inspector("awaiting", inspector -> inspector.awaiting("b@-@1")),
            inspector("apps", JobInspector::apps),
            inspector("app", inspector -> inspector.app("jobs.shop")),
            inspector("dataLoss", JobInspector::dataLoss),
            inspector("registryData", JobInspector::registryData),
            inspector("namespacePause", JobInspector::namespacePause),
            inspector("job", inspector -> inspector.job(JOB)),
            inspector("instances", inspector -> inspector.instances(JOB)),
            inspector("dueTimes", inspector -> inspector.dueTimes(JOB, 3)),
            inspector("demand", inspector -> inspector.demand(JOB)),
            inspector("demands", JobInspector::demands),
            inspector("demands, names", inspector -> inspector.demands(List.of(JOB))),
            inspector("demandOf", inspector -> inspector.demandOf(NamePatterns.of("*"))),
            inspector("explain", inspector -> inspector.explain(JOB, 0)),
            inspector("preview", inspector -> inspector.preview(JOB, WhatIf.nothing())),
            inspector("commands", inspector -> inspector.commands(JOB)),
            inspector("dump", inspector -> inspector.dump(JOB)),
            inspector("dumpWithoutParameters", inspector -> inspector.dumpWithoutParameters(JOB)));

    private final OneEngine one = new OneEngine(START, job(JOB), NOTHING).started();

    static Stream<String> calls() {
        return CALLS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aCallerThatCancelsItsFutureChangesNothing(String call) {
        CompletionStage<?> stage = CALLS.get(call).apply(one);

        stage.toCompletableFuture().cancel(true);
        one.settle();
        one.pass(Duration.ofMinutes(1));

        assertThat(stage.toCompletableFuture()).isDone().isNotCancelled();
    }

    @Test
    void everyCallIsTried() {
        TreeSet<String> handedOut = new TreeSet<>();
        for (Class<?> type : List.of(
                ElasticJobEngine.class,
                ShardingGroups.class,
                ReshardingFlags.class,
                FailoverLatch.class,
                JobAdmin.class,
                JobInspector.class)) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                    .filter(method -> method.getReturnType() == CompletionStage.class)
                    .map(method -> method.getName())
                    .forEach(name -> handedOut.add(type.getSimpleName() + "." + name));
        }

        assertThat(CALLS.keySet().stream().map(call -> call.replaceAll(",.*", "")))
                .containsAll(handedOut);
    }

    @Test
    void anEngineWhoseStopWasCancelledIsStoppedAgainAndStarted() {
        one.engine.stop().toCompletableFuture().cancel(true);
        one.settle();

        assertThat(one.engine.stop().toCompletableFuture()).isCompleted();
        one.engine.start();
        one.settle();
        one.engine.stop();
        one.settle();
        one.engine.close();
        assertThat(one.read(OneEngine.TREE.instance(INSTANCE))).isEmpty();
    }

    private static Map.Entry<String, Function<OneEngine, CompletionStage<?>>> of(
            String call, Function<OneEngine, CompletionStage<?>> action) {
        return entry(call, action);
    }

    private static Map.Entry<String, Function<OneEngine, CompletionStage<?>>> admin(
            String call, Function<JobAdmin, CompletionStage<?>> action) {
        return entry("JobAdmin." + call, one -> action.apply(one.engine.admin()));
    }

    private static Map.Entry<String, Function<OneEngine, CompletionStage<?>>> inspector(
            String call, Function<JobInspector, CompletionStage<?>> action) {
        return entry("JobInspector." + call, one -> action.apply(one.engine.inspector()));
    }

    private static JobDefinition job(String name) {
        return JobDefinition.builder(name)
                .cron("0 0 * * * ?")
                .shardingTotalCount(1)
                .build();
    }

    private static final class NoNotice implements ShardingNotice {
        @Override
        public void startSharding() {}

        @Override
        public void shardingCompleted(ShardAssignment assignment) {}
    }

    private static final class NoData implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }
}
