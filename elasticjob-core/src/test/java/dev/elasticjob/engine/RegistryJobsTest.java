package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.KindProperty;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that only the registry has. */
class RegistryJobsTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private SimulatedCluster cluster = new SimulatedCluster(7);
    private JobAdmin admin =
            new RegistryJobAdmin(cluster.operator()).by(Actor.named("alice").because("a new tenant"));
    private final List<String> ran = new ArrayList<>();
    private final LoggedLines log = new LoggedLines();

    @AfterEach
    void close() {
        log.close();
    }

    // ------------------------------------------------------------------ created, changed, removed

    @Test
    void aCreatedJobIsJoinedWithinASecondAndRuns() {
        start("a", bean("a"));
        start("b", bean("b"));
        cluster.pass(MINUTE);

        create(job().shardingTotalCount(2));
        cluster.pass(SECOND);
        Set<String> members = instances();
        cluster.pass(MINUTE);

        assertThat(members).containsExactlyInAnyOrder("a", "b");
        assertThat(ran).extracting(line -> line.substring(1)).containsExactlyInAnyOrder(" orders 0", " orders 1");
    }

    @Test
    void whatWasThereBeforeTheStartRunsToo() {
        create(job());

        start("a", bean("a"));
        cluster.pass(MINUTE);

        assertThat(ran).containsExactly("a orders 0");
    }

    @Test
    void anInstanceThatLeavesOutAJobByItsNameDoesNotJoinIt() {
        start("a", engine -> bean("a").apply(engine).jobs(NameSelection.of(List.of("bills", "reports*"), List.of())));
        start("b", engine -> bean("b").apply(engine).jobs(NameSelection.of(List.of(), List.of("reports*"))));
        create(job().shardingTotalCount(2));
        cluster.pass(MINUTE);

        assertThat(instances()).containsExactly("b");
        assertThat(ran).containsExactlyInAnyOrder("b orders 0", "b orders 1");
        assertThat(cluster.engine("a").jobNames()).isEmpty();
        assertThat(log.all()).noneMatch(line -> line.contains("does not run on this instance"));
    }

    @Test
    void aChangeIsFollowed() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.get(admin.redefine(
                "orders", job -> job.toBuilder().shardingTotalCount(2).build()));
        cluster.pass(MINUTE);

        assertThat(ran).containsExactlyInAnyOrder("a orders 0", "a orders 1");
    }

    @Test
    void aRemovedJobEndsAndNothingBringsItBack() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.get(admin.remove("orders"));
        cluster.pass(MINUTE);
        cluster.expire("a");
        cluster.pass(MINUTE);

        assertThat(cluster.tree()).doesNotContain("/orders");
        assertThat(cluster.engine("a").jobNames()).isEmpty();
        assertThat(ran).isEmpty();
    }

    /** The instance notices it only when it comes back. */
    @Test
    void aJobThatIsRemovedWhileTheSessionIsLostIsNotRegisteredAgain() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.expire("a");
        cluster.get(admin.remove("orders"));
        cluster.pass(MINUTE);

        assertThat(cluster.tree()).doesNotContain("/orders");
    }

    @Test
    void anItemThatRunsEndsBeforeTheRemovalDoes() {
        List<CompletionStage<Void>> removals = new ArrayList<>();
        List<Boolean> seen = new ArrayList<>();
        start(
                "a",
                engine -> engine.jobsFromRegistry().registryTrust(RegistryTrust.NONE.withCode("nightly", context -> {
                    removals.add(admin.remove("orders"));
                    cluster.settle();
                    seen.add(removals.get(0).toCompletableFuture().isDone());
                    ran.add("done");
                })));
        create(job());

        cluster.pass(MINUTE.plus(SECOND));
        cluster.get(removals.get(0));

        assertThat(seen).containsExactly(false);
        assertThat(ran).containsExactly("done");
        assertThat(cluster.tree()).doesNotContain("/orders");
    }

    @Test
    void aJobThatIsRemovedAndCreatedAtOnceRunsAgain() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.get(admin.remove("orders").thenCompose(removed -> admin.create(job().build())));
        cluster.pass(MINUTE);

        assertThat(ran).containsExactly("a orders 0");
    }

    /** The removal waits for an item, so an instance that starts meanwhile finds a job that is only half there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anInstanceThatStartsWhileARemovalWaitsRunsTheNextJobOfThatName(long seed) {
        cluster = new SimulatedCluster(seed);
        admin = new RegistryJobAdmin(cluster.operator());
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);
        cluster.holdItems();
        cluster.pass(MINUTE);
        CompletionStage<?> again = admin.remove("orders").thenCompose(removed -> admin.create(job().build()));
        cluster.pass(SECOND);
        start("b", bean("b"));
        cluster.pass(SECOND.multipliedBy(2));
        cluster.stop("a");

        cluster.letItemsBegin();
        cluster.get(again);
        cluster.pass(SECOND.multipliedBy(2));

        assertThat(instances()).containsExactly("b");
    }

    /** An application's own job, at first: its name is known as one that is not kept. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aJobThatAnApplicationDeclaredIsReplacedByAKeptOneAtOnce(long seed) {
        cluster = new SimulatedCluster(seed);
        admin = new RegistryJobAdmin(cluster.operator());
        cluster.start("a", engine -> engine.register(job().build(), context -> {}), same -> same);
        cluster.pass(SECOND);
        start("b", bean("b"));
        cluster.pass(SECOND.multipliedBy(2));

        cluster.get(admin.remove("orders").thenCompose(removed -> admin.create(job().build())));
        cluster.pass(SECOND.multipliedBy(2));

        assertThat(instances()).containsExactly("b");
    }

    @Test
    void creatingIsACommandThatIsKeptAndMayBeRepeated() {
        create(job());
        create(job());

        List<CommandHistory.Entry> kept =
                CommandHistory.read(cluster.read(TREE.commands()).orElseThrow());
        assertThat(kept)
                .extracting(CommandHistory.Entry::command, CommandHistory.Entry::actor, CommandHistory.Entry::reason)
                .contains(tuple("create", "alice", "a new tenant"));
        assertThat(log.all())
                .contains(
                        "INFO Job \"orders\": \"alice\" carried out \"create\": bean \"nightly\", as a job that is kept in the registry. Reason: a new tenant");
    }

    @Test
    void aNameThatIsTakenIsRefused() {
        create(job());

        assertThatThrownBy(() -> create(job().jobClass("another")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("There is already a job \"orders\"");
        assertThatThrownBy(() -> cluster.get(admin.create("reports", Map.of("cron", "0 0 3 * * ?"))))
                .hasRootCauseInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("jobClass");
        assertThatThrownBy(() -> cluster.get(admin.create("a/b", Map.of("jobClass", "nightly"))))
                .hasRootCauseInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("must not contain '/'");
        assertThatThrownBy(() -> cluster.get(admin.create("reports", Map.of("cronn", "", "jobType", "SCRIPT"))))
                .hasRootCauseInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("cronn")
                .hasMessageContaining("scriptCommandLine");
        assertThat(cluster.tree()).doesNotContain("/reports");
    }

    @Test
    void nothingIsCreatedWhereARemovalHasNotEnded() {
        cluster.commit(RegistryCommit.builder().create(TREE.root()).create(TREE.servers()));

        assertThatThrownBy(() -> create(job())).hasMessageContaining("removal has not ended");
    }

    @Test
    void settingsByNameMakeAJob() {
        cluster.get(admin.create(
                "close-day",
                Map.of(
                        "jobType",
                        "HTTP",
                        "cron",
                        "0 0 3 * * ?",
                        "http",
                        Map.of("uri", "https://billing.example.com/x"))));

        JobTree tree = new JobTree("close-day");
        StoredDefinition stored =
                StoredDefinition.of(tree, cluster.get(cluster.operator().read(StoredDefinition.reads(tree))));
        assertThat(stored.decode().definition().http().orElseThrow().uri()).isEqualTo("https://billing.example.com/x");
    }

    // ------------------------------------------------------------------ what an instance may run

    @Test
    void anInstanceThatTakesNoneDoesNotJoin() {
        start("a", bean("a"));
        start("b", engine -> engine.registryTrust(trust("b")));

        create(job().shardingTotalCount(2));
        cluster.pass(MINUTE.plus(SECOND));

        assertThat(instances()).containsExactly("a");
        assertThat(ran).containsExactlyInAnyOrder("a orders 0", "a orders 1");
    }

    @Test
    void anInstanceWithoutTheBeanDoesNotJoinAndReportsItOnce() {
        start("a", bean("a"));
        start("b", engine -> engine.jobsFromRegistry());

        create(job());
        cluster.pass(SECOND);
        cluster.get(
                admin.redefine("orders", job -> job.toBuilder().description("x").build()));
        cluster.pass(MINUTE);
        cluster.expire("b");
        cluster.pass(MINUTE);

        assertThat(instances()).containsExactly("a");
        assertThat(warnings())
                .containsExactly(
                        "WARN Job \"orders\" is kept in the registry and does not run on this instance: \"elasticjob.registry-jobs.allowed-beans\" of this instance doesn't contain \"nightly\"");
    }

    @Test
    void scriptsAndRequestsNeedTheirOwnFlags() {
        start("a", bean("a"));
        start("s", engine -> engine.jobsFromRegistry().registryTrust(RegistryTrust.NONE.withScripts()));
        start(
                "h",
                engine -> engine.jobsFromRegistry()
                        .registryTrust(RegistryTrust.NONE.withHosts(List.of("billing.example.com"))));

        create(JobDefinition.builder("orders").jobType(JobType.SCRIPT).scriptCommandLine("true"));
        create(http("close-day", "https://BILLING.example.com:443/x"));
        create(http("other", "http://billing.example.com/x"));
        cluster.pass(SECOND.multipliedBy(2));

        assertThat(instances()).containsExactly("s");
        assertThat(instancesOf("close-day")).containsExactly("h");
        assertThat(instancesOf("other")).isEmpty();
        assertThat(warnings())
                .anyMatch(
                        line -> line.contains(
                                "\"other\" is kept in the registry and does not run on this instance: \"elasticjob.registry-jobs.allowed-hosts\" of this instance doesn't contain http://billing.example.com:80"));
    }

    @Test
    void aKindThatIsNotHereConcernsItsOwnJobOnlyAndIsReportedWithTheKindsThatAre() {
        start("a", bean("a"));
        start("n", engine -> engine.jobsFromRegistry().kinds(List.of(new Note(ran))));
        start(
                "k",
                engine -> engine.jobsFromRegistry()
                        .kinds(List.of(new Note(ran)))
                        .registryTrust(RegistryTrust.NONE.withKind(new JobType("NOTE"))));

        create(note("here"));
        create(note("wrong").jobProperties(Map.of("note.txt", "x")));
        create(job());
        cluster.pass(MINUTE);

        assertThat(instancesOf("here")).containsExactly("k");
        assertThat(instancesOf("wrong")).isEmpty();
        assertThat(ran).contains("note here", "a orders 0");
        assertThat(warnings())
                .anyMatch(line -> line.contains("\"here\" is kept in the registry")
                        && line.contains("jobType is \"NOTE\": this instance has no kind of jobs of this name")
                        && line.contains("SIMPLE, DATAFLOW, SCRIPT, HTTP"))
                .anyMatch(line -> line.contains("\"here\"") && line.contains("\"elasticjob.registry-jobs.kinds\""))
                .anyMatch(line -> line.contains("\"wrong\"") && line.contains("did you mean \"note.text\"?"));
    }

    private static JobDefinition.Builder note(String name) {
        return JobDefinition.builder(name)
                .jobType(new JobType("NOTE"))
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .jobProperties(Map.of("note.text", name));
    }

    private record Note(List<String> ran) implements JobKind {
        @Override
        public String name() {
            return "NOTE";
        }

        @Override
        public List<KindProperty> properties() {
            return List.of(KindProperty.of("note.text").required());
        }

        @Override
        public void execute(JobDefinition definition, ShardingContext context) {
            ran.add("note " + definition.jobProperties().get("note.text"));
        }
    }

    @Test
    void aMistypedKindIsRefusedWhenTheJobIsRegistered() {
        start("a", engine -> engine.kinds(List.of(new Note(ran))));

        assertThatThrownBy(() -> cluster.engine("a")
                        .register(note("x").jobType(new JobType("NOTES")).build()))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("did you mean \"NOTE\"?");
    }

    @Test
    void whetherAJobHasACronIsNotChangedAndTheReasonIsTheOneOfItsKind() {
        create(http("close-day", "https://billing.example.com/x"));

        assertThatThrownBy(() -> cluster.get(admin.redefine(
                        "close-day", job -> job.toBuilder().cron("0 * * * * ?").build())))
                .hasMessageContaining("cron is \"0 * * * * ?\": a job without a schedule can't get one here")
                .hasMessageNotContaining("different nodes");
    }

    @Test
    void anInstanceLeavesAJobThatItMayNoLongerRunAndComesBack() {
        start("a", engine -> engine.jobsFromRegistry().registryTrust(trust("a").withCode("weekly", noted("a"))));
        start("b", bean("b"));
        create(job().shardingTotalCount(2));
        cluster.pass(SECOND);

        cluster.get(admin.redefine(
                "orders", job -> job.toBuilder().jobClass("weekly").build()));
        cluster.pass(SECOND.multipliedBy(2));
        Set<String> after = instances();
        cluster.get(admin.redefine(
                "orders", job -> job.toBuilder().jobClass("nightly").build()));
        cluster.pass(SECOND.multipliedBy(2));

        assertThat(after).containsExactly("a");
        assertThat(instances()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aJobThatAnApplicationDeclaresIsNotTaken() {
        start(
                "a",
                engine -> engine.jobsFromRegistry()
                        .registryTrust(RegistryTrust.NONE.withHosts(List.of("billing.example.com"))));
        cluster.start(
                "b",
                engine -> engine.register(
                        http("close-day", "https://billing.example.com/x").build()),
                same -> same);

        cluster.pass(MINUTE);

        assertThat(instancesOf("close-day")).containsExactly("b");
    }

    // ------------------------------------------------------------------ local jobs of the same name

    @Test
    void theApplicationsOwnJobWins() {
        create(job());

        cluster.start("a", engine -> engine.register(job().build(), context -> ran.add("own")), bean("a"));
        cluster.pass(MINUTE);

        assertThat(ran).containsExactly("own");
        assertThat(warnings()).singleElement().asString().contains("its own one runs on this instance");
    }

    @Test
    void aJobThatTheApplicationRegistersLaterReplacesTheKeptOneUntilItIsUnregistered() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.engine("a").register(job().build(), context -> ran.add("own"));
        cluster.pass(MINUTE);
        cluster.engine("a").unregister("orders");
        cluster.pass(MINUTE);

        assertThat(ran).containsExactly("own", "a orders 0");
    }

    @Test
    void aRegistryJobIsNotUnregisteredByHand() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        assertThatThrownBy(() -> cluster.engine("a").unregister("orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JobAdmin.remove");
    }

    // ------------------------------------------------------------------ mistakes, and the life of an engine

    @Test
    void anUnreadableDefinitionHarmsNoOtherIsReportedOnceAndRunsOnceItIsCorrected() {
        start("a", bean("a"));
        create(job());
        JobTree broken = new JobTree("broken");
        cluster.commit(RegistryCommit.builder()
                .create(broken.root())
                .create(broken.extension(), "{\"whole\":true,\"shardingTotalCount\":-1}")
                .create(broken.origin()));
        cluster.pass(MINUTE);
        create(JobDefinition.builder("another").jobClass("nightly"));
        cluster.pass(SECOND);
        List<String> before = warnings();

        cluster.get(
                admin.repair(JobDefinition.builder("broken").jobClass("nightly").build()));
        cluster.pass(SECOND.multipliedBy(2));

        assertThat(before).singleElement().asString().contains("\"broken\"", "jobType is missing");
        assertThat(ran).containsExactly("a orders 0");
        assertThat(instancesOf("another")).containsExactly("a");
        assertThat(instancesOf("broken")).containsExactly("a");
    }

    @Test
    void aStrategyThatTheInstanceDoesNotHaveIsReported() {
        start("a", bean("a"));

        create(job().jobShardingStrategyClass("ours"));
        cluster.pass(MINUTE);

        assertThat(warnings()).singleElement().asString().contains("jobShardingStrategyClass");
        assertThat(cluster.engine("a").jobNames()).isEmpty();
    }

    @Test
    void aStoppedEngineForgetsThemAndFindsThemAgain() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.get(cluster.engine("a").stop());
        Set<String> stopped = cluster.engine("a").jobNames();
        create(JobDefinition.builder("another").jobClass("nightly"));
        cluster.engine("a").start();
        cluster.pass(MINUTE);

        assertThat(stopped).isEmpty();
        assertThat(cluster.engine("a").jobNames()).containsExactlyInAnyOrder("orders", "another");
        assertThat(ran).containsExactly("a orders 0");
    }

    @Test
    void anOperatorWhoRemovesTheInstanceKeepsItOut() {
        start("a", bean("a"));
        create(job());
        cluster.pass(SECOND);

        cluster.commit(RegistryCommit.builder().delete(TREE.instance("a"), RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTE);
        create(JobDefinition.builder("another").jobClass("nightly"));
        cluster.pass(MINUTE);

        assertThat(instances()).isEmpty();
        assertThat(ran).isEmpty();
    }

    @Test
    void aPauseOfTheNamespaceHoldsThemToo() {
        start("a", bean("a"));
        cluster.get(admin.pauseAll());

        create(job());
        cluster.pass(MINUTE.multipliedBy(2));
        List<String> paused = List.copyOf(ran);
        cluster.get(admin.resumeAll());
        cluster.pass(MINUTE);

        assertThat(paused).isEmpty();
        assertThat(ran).containsExactly("a orders 0");
        assertThat(cluster.engine("a").state("orders")).isEqualTo(JobState.ACTIVE);
    }

    @Test
    void theExplanationOfAJobThatNobodyTakesSaysSo() {
        start("b", engine -> engine.jobsFromRegistry());
        create(job());
        cluster.pass(SECOND);

        Explanation why = cluster.get(cluster.engine("b").inspector().explain("orders", 0))
                .orElseThrow();

        assertThat(why.conditions().get(0)).satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo(Explanation.Reason.NO_INSTANCE);
            assertThat(condition.fact().text()).contains("kept in the registry");
            assertThat(condition.remedy().text()).contains("elasticjob.jobs-from-registry");
        });
    }

    // ------------------------------------------------------------------ costs

    @Test
    void tenThousandNamesAreReadOnceAndAnAddedOneCostsLittle() {
        for (int group = 0; group < 100; group++) {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            for (int i = 0; i < 100; i++) {
                commit.create("/job-%d-%d".formatted(group, i));
            }
            cluster.commit(commit);
        }
        long before = cluster.requests();
        start("a", bean("a"));
        cluster.pass(SECOND);
        long start = cluster.requests() - before;

        before = cluster.requests();
        cluster.commit(RegistryCommit.builder().create("/one-more"));
        cluster.pass(MINUTE);
        long more = cluster.requests() - before;

        assertThat(start).as("requests of the start").isLessThanOrEqualTo(28);
        assertThat(more)
                .as("requests for one more, with the one that created it")
                .isEqualTo(3);
    }

    @Test
    void aHundredNamesThatComeOneByOneAreReadFourTimesASecond() {
        start("a", bean("a"));
        cluster.pass(MINUTE);
        long before = cluster.requests();

        for (int i = 0; i < 100; i++) {
            cluster.commit(RegistryCommit.builder().create("/job-" + i));
            cluster.pass(Duration.ofMillis(10));
        }
        cluster.pass(SECOND);

        assertThat(cluster.requests() - before - 100).isLessThanOrEqualTo(14);
    }

    @Test
    void anEngineThatTakesNoneSendsNothing() {
        start("a", engine -> engine.registryTrust(trust("a")));
        cluster.pass(MINUTE);
        long before = cluster.requests();

        cluster.commit(RegistryCommit.builder().create("/one-more"));
        cluster.pass(MINUTE);

        assertThat(cluster.requests() - before).isEqualTo(1);
    }

    // ------------------------------------------------------------------

    private void start(String instance, UnaryOperator<ElasticJobEngineBuilder> settings) {
        cluster.start(instance, engine -> {}, settings);
    }

    private UnaryOperator<ElasticJobEngineBuilder> bean(String instance) {
        return engine -> engine.jobsFromRegistry().registryTrust(trust(instance));
    }

    private RegistryTrust trust(String instance) {
        return RegistryTrust.NONE.withCode("nightly", noted(instance));
    }

    private SimpleJob noted(String instance) {
        return (ShardingContext context) ->
                ran.add("%s %s %d".formatted(instance, context.getJobName(), context.getShardingItem()));
    }

    private void create(JobDefinition.Builder definition) {
        cluster.get(admin.create(definition.build()));
    }

    private static JobDefinition.Builder job() {
        return JobDefinition.builder("orders")
                .jobClass("nightly")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC);
    }

    private static JobDefinition.Builder http(String name, String uri) {
        return JobDefinition.builder(name).jobType(JobType.HTTP).http(HttpRequestSettings.of(uri));
    }

    private Set<String> instances() {
        return instancesOf("orders");
    }

    private Set<String> instancesOf(String job) {
        String instances = new JobTree(job).instances();
        return Set.copyOf(cluster.get(cluster.operator().read(List.of(RegistryRead.children(instances))))
                .children(instances));
    }

    private List<String> warnings() {
        return log.all().stream()
                .filter(line -> line.startsWith("WARN") && line.contains("kept in the registry"))
                .toList();
    }
}
