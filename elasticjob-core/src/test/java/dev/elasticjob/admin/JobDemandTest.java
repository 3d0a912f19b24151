package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.run.ParentFirings;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nobody runs these jobs: what would be started is known nevertheless. */
class JobDemandTest {
    private static final JobTree ORDERS = new JobTree("orders");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String PLAN = "{\"cron\":\"0 * * * * ?\",\"timeZone\":\"Z\","
            + "\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"10.0.0.1@-@1\":\"0-2\"}}";
    private static final String HOOKED =
            PLAN.replace("\"owners\"", "\"firings\":{\"listener\":true,\"from\":\"2026-03-01T12:00:00Z\"},\"owners\"");
    private static final String ONE_OFF = PLAN.replace("0 * * * * ?", "");
    private static final String DONE = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"COMPLETED\"}";
    private static final String LOST = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"RUNNING\","
            + "\"instance\":\"10.0.0.1@-@1\",\"attempt\":1,\"startedAt\":\"2026-03-01T12:00:00Z\"}";

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, Runnable::run);
    private final JobInspector inspector = new RegistryJobInspector(registry, time, time, time::instant, TreeMap::new);

    @Test
    void whatIsDueIsOpen() {
        register("orders", UnaryOperator.identity());
        plan(ORDERS, DONE);
        time.advance(Duration.ofSeconds(61));

        assertThat(demand("orders"))
                .isEqualTo(new JobDemand(
                        "orders",
                        3,
                        0,
                        3,
                        0,
                        Optional.of(NOON.plusSeconds(60)),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        Optional.empty()));
    }

    @Test
    void itemsCountByTheirWeight() {
        register("orders", job -> job.weight(2).itemWeights("1=5"));
        plan(ORDERS, DONE);
        time.advance(Duration.ofSeconds(61));

        assertThat(demand("orders").open()).isEqualTo(3);
        assertThat(demand("orders").weight()).isEqualTo(9);
    }

    @Test
    void theHeaviestItemAndWhatIsLostWithoutAnInstanceAreTold() {
        register("orders", job -> job.weight(2).itemWeights("1=5"));
        register("late", job -> job.misfire(false));
        register("unseen", job -> job.failover(false).monitorExecution(false));

        assertThat(demand("orders").heaviest()).isEqualTo(5);
        assertThat(demand("orders").needsInstance()).isEmpty();
        assertThat(demand("late").needsInstance()).contains("misfire=false");
        assertThat(demand("unseen").needsInstance()).contains("monitorExecution=false");
    }

    @Test
    void itIsOpenSinceTheFirstFiringThatOneExecutionMakesUpFor() {
        register("orders", UnaryOperator.identity());
        register("hooked", UnaryOperator.identity());
        register("late", job -> job.misfire(false));
        register("each", job -> job.catchUp(CatchUp.EACH).catchUpLimit(2));
        List.of("orders", "late", "each").forEach(job -> plan(new JobTree(job), DONE));
        plan(new JobTree("hooked"), DONE, HOOKED);
        time.advance(Duration.ofSeconds(305));

        assertThat(demand("orders").openSince()).contains(NOON.plusSeconds(60));
        assertThat(demand("hooked").open()).as("listeners come first").isEqualTo(3);
        assertThat(demand("hooked").openSince()).contains(NOON.plusSeconds(60));
        assertThat(demand("late").openSince()).as("the others are lost").contains(NOON.plusSeconds(300));
        assertThat(demand("each").openSince()).as("two are made up for").contains(NOON.plusSeconds(240));
        assertThat(demand("orders").openFor(time.instant())).contains(Duration.ofSeconds(245));
    }

    @Test
    void anItemThatItsJitterDelaysIsOpenFromItsOwnTimeOn() {
        register("orders", job -> job.jitter(Duration.ofSeconds(40)).shardingTotalCount(1));
        time.advance(Duration.ofMinutes(2));

        Instant since = demand("orders").openSince().orElseThrow();

        assertThat(since).isAfter(NOON.plusSeconds(60)).isBefore(NOON.plusSeconds(100));
    }

    @Test
    void aRequestedRunIsOpenSinceTheFirstRequest() {
        register("orders", job -> job.cron(""));
        plan(ORDERS, DONE, ONE_OFF);
        time.advance(Duration.ofSeconds(20));
        commit(RegistryCommit.builder().create(ORDERS.trigger(1), "{\"runId\":\"by-hand\"}"));
        time.advance(Duration.ofSeconds(20));
        commit(RegistryCommit.builder()
                .set(ORDERS.trigger(1), "{\"runId\":\"by-hand,again\"}", RegistryCommit.ANY_VERSION));
        time.advance(Duration.ofSeconds(20));

        long before = ensemble.requests();

        assertThat(demand("orders").openSince()).contains(NOON.plusSeconds(20));
        assertThat(ensemble.requests() - before).isEqualTo(3);
        assertThat(demand("orders").open()).isOne();
    }

    @Test
    void anInterruptedItemIsOpenSinceThatWasRecorded() {
        register("orders", job -> job.failover(true));
        plan(ORDERS, LOST);
        time.advance(Duration.ofSeconds(10));
        assertThat(demand("orders").openSince()).as("nobody has recorded it").isEmpty();
        assertThat(demand("orders").openFor(time.instant())).isEmpty();
        commit(RegistryCommit.builder()
                .set(ORDERS.item(2), LOST.replace("RUNNING", "INTERRUPTED"), RegistryCommit.ANY_VERSION));
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isEqualTo(3);
        assertThat(demand("orders").openSince()).contains(NOON.plusSeconds(10));
    }

    @Test
    void aRunAfterOtherJobsIsOpenSinceTheLastOfThemHasEnded() {
        register("import", UnaryOperator.identity());
        register("orders", job -> job.cron("").after(AfterSettings.of("import")));
        plan(ORDERS, DONE, ONE_OFF);
        time.advance(Duration.ofSeconds(25));
        String firing = String.valueOf(NOON.toEpochMilli());
        commit(RegistryCommit.builder()
                .create(ORDERS.after(), "")
                .create(
                        ORDERS.after(firing),
                        ParentFirings.text(
                                List.of(new ParentFiring("import", "import@" + firing, Optional.of(NOON), true, "")))));
        time.advance(Duration.ofSeconds(25));

        assertThat(demand("orders").open()).isEqualTo(3);
        assertThat(demand("orders").openSince()).contains(NOON.plusSeconds(25));
    }

    /** Since when its next time could be asked for, nobody knows. */
    @Test
    void theNextTimeOfABackfillIsOpenOnceTheOneBeforeItHasEnded() {
        register("orders", job -> job.itemWeights("1=5"));
        plan(ORDERS, DONE);
        commit(RegistryCommit.builder().create(ORDERS.backfill(), backfill("\"next\":\"2026-03-01T11:57:00Z\"")));
        JobDemand begun = demand("orders");

        commit(RegistryCommit.builder()
                .set(
                        ORDERS.backfill(),
                        backfill("\"next\":\"2026-03-01T11:58:00Z\",\"open\":[\"2026-03-01T11:57:00Z\"]"),
                        RegistryCommit.ANY_VERSION));
        String firstTime = DONE.replace("}", ",\"runId\":\"backfill-past-%d\"}")
                .formatted(NOON.minusSeconds(180).toEpochMilli());
        record(firstTime.replace("COMPLETED", "RUNNING"));
        IntStream.range(0, 3)
                .forEach(item -> commit(RegistryCommit.builder().create(ORDERS.running(item), "10.0.0.1@-@1")));
        JobDemand meanwhile = demand("orders");

        record(firstTime);
        IntStream.range(0, 3)
                .forEach(item ->
                        commit(RegistryCommit.builder().delete(ORDERS.running(item), RegistryCommit.ANY_VERSION)));
        JobDemand ended = demand("orders");

        commit(RegistryCommit.builder()
                .set(ORDERS.backfill(), backfill("\"open\":[\"2026-03-01T11:57:00Z\"]"), RegistryCommit.ANY_VERSION));
        JobDemand over = demand("orders");

        assertThat(List.of(begun.open(), meanwhile.open(), ended.open(), over.open()))
                .containsExactly(3, 0, 3, 0);
        assertThat(begun.openWeight()).isEqualTo(7);
        assertThat(begun.openSince()).isEmpty();
        assertThat(begun.openFor(time.instant())).isEmpty();
        assertThat(over.nextDue()).contains(NOON.plusSeconds(60));
        assertThat(List.of(meanwhile.running(), over.running())).containsExactly(3, 0);
    }

    private static String backfill(String state) {
        return "{\"id\":\"past\",\"cron\":\"0 * * * * ?\",\"timeZone\":\"Z\",\"until\":\"2026-03-01T11:59:00Z\",\"atOnce\":1,%s}"
                .formatted(state);
    }

    private void record(String text) {
        IntStream.range(0, 3)
                .forEach(item ->
                        commit(RegistryCommit.builder().set(ORDERS.item(item), text, RegistryCommit.ANY_VERSION)));
    }

    @Test
    void nothingIsOpenBeforeTheNextFiring() {
        register("orders", UnaryOperator.identity());
        plan(ORDERS, DONE);
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isZero();
        assertThat(demand("orders").nextDue()).contains(NOON.plusSeconds(60));
    }

    @Test
    void whatADeadInstanceHasLeftIsOpenAtOnce() {
        register("orders", job -> job.failover(true));
        plan(ORDERS, LOST);
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isEqualTo(3);
    }

    @Test
    void withoutFailoverItWaitsForItsNextFiring() {
        register("orders", job -> job.failover(false));
        plan(ORDERS, LOST);
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isZero();
        assertThat(demand("orders").nextDue()).contains(NOON.plusSeconds(60));
    }

    @Test
    void aMarkOfADrainThatCanNotBeReadIsNotThatOfTheNextInstance() {
        register("orders", job -> job.failover(true));
        plan(ORDERS, LOST);
        commit(RegistryCommit.builder().create(ORDERS.drain("gone@-@1"), "x"));
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isEqualTo(3);
    }

    @Test
    void aJobThatNobodyHasPlannedYetIsDueFromItsCreationOn() {
        register("orders", UnaryOperator.identity());

        assertThat(demand("orders").open()).isZero();
        time.advance(Duration.ofSeconds(61));

        assertThat(demand("orders").open()).isEqualTo(3);
    }

    @Test
    void aPausedJobHasNothingOpen() {
        register("orders", UnaryOperator.identity());
        plan(ORDERS, LOST);
        commit(RegistryCommit.builder().create(ORDERS.paused(), ""));
        time.advance(Duration.ofSeconds(61));

        assertThat(demand("orders").open()).isZero();
        assertThat(demand("orders").nextDue()).isEmpty();
    }

    @Test
    void whatIsDisabledIsNotOpenAndWhatIsClaimedRuns() {
        register("orders", UnaryOperator.identity());
        plan(ORDERS, DONE);
        commit(RegistryCommit.builder().create(ORDERS.disabled(0), "").create(ORDERS.running(1), "10.0.0.1@-@1"));
        time.advance(Duration.ofSeconds(61));

        assertThat(demand("orders").open()).isOne();
        assertThat(demand("orders").running()).isOne();
        assertThat(demand("orders").weight()).isEqualTo(2);
    }

    @Test
    void anElapsedDelayIsOpen() {
        register("orders", job -> job.cron("").fixedDelay(Duration.ofSeconds(30)));
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open())
                .as("the first firing is due at once")
                .isEqualTo(3);
        commit(RegistryCommit.builder()
                .create(
                        ORDERS.delay(),
                        "{\"number\":1,\"at\":\"2026-03-01T12:00:00Z\",\"ended\":\"2026-03-01T12:00:10Z\"}"));
        assertThat(demand("orders").open()).isZero();
        assertThat(demand("orders").nextDue()).contains(NOON.plusSeconds(40));
        time.advance(Duration.ofSeconds(20));

        assertThat(demand("orders").open()).isEqualTo(3);
        assertThat(demand("orders").openSince()).contains(NOON.plusSeconds(40));
    }

    /** Else its next firing would stay a delay away for ever, and nobody would be started for it. */
    @Test
    void anItemOfADelayThatNobodyHasRecordedAsEndedIsOpen() {
        register("orders", job -> job.cron("").fixedDelay(Duration.ofHours(1)).failover(false));
        String plan = PLAN.replace("0 * * * * ?", "fixedDelay PT1H");
        String run = "delay-1-" + NOON.toEpochMilli();
        String died = "{\"scheduledAt\":null,\"state\":\"RUNNING\",\"instance\":\"a\",\"runId\":\"%s\",\"attempt\":1}"
                .formatted(run);
        plan(ORDERS, died, plan);
        commit(RegistryCommit.builder().create(ORDERS.delay(), "{\"number\":1,\"at\":\"2026-03-01T12:00:00Z\"}"));
        time.advance(Duration.ofMinutes(1));

        assertThat(demand("orders").open()).isEqualTo(3);

        IntStream.range(0, 3)
                .forEach(item -> commit(RegistryCommit.builder()
                        .set(ORDERS.item(item), died.replace("RUNNING", "INTERRUPTED"), RegistryCommit.ANY_VERSION)));
        assertThat(demand("orders").open()).as("once it is recorded").isZero();
        Instant recorded = time.instant();
        time.advance(Duration.ofMinutes(30));
        assertThat(demand("orders").nextDue()).contains(recorded.plus(Duration.ofHours(1)));
        time.advance(Duration.ofMinutes(31));
        assertThat(demand("orders").open()).as("after the delay").isEqualTo(3);
    }

    /** Nobody ends it before it is enabled, so a worker that came for it would have nothing to do. */
    @Test
    void anItemOfADelayThatCrashedTooOftenAndIsDisabledIsNotOpen() {
        register("orders", job -> job.cron("").fixedDelay(Duration.ofHours(1)).failover(true));
        String plan = PLAN.replace("0 * * * * ?", "fixedDelay PT1H");
        String crashed =
                "{\"scheduledAt\":null,\"state\":\"INTERRUPTED\",\"instance\":\"a\",\"runId\":\"delay-1-%d\",\"attempt\":4,\"crashes\":4}"
                        .formatted(NOON.toEpochMilli());
        plan(ORDERS, crashed, plan);
        commit(RegistryCommit.builder().create(ORDERS.delay(), "{\"number\":1,\"at\":\"2026-03-01T12:00:00Z\"}"));

        assertThat(demand("orders").open()).as("to be given up").isEqualTo(3);

        IntStream.range(0, 3).forEach(item -> commit(RegistryCommit.builder().create(ORDERS.disabled(item), "")));
        assertThat(demand("orders").open()).as("disabled").isZero();
    }

    @Test
    void anUnreadableDefinitionIsReportedAndOthersGoOn() {
        register("orders", UnaryOperator.identity());
        register("payments", UnaryOperator.identity());
        commit(RegistryCommit.builder().set(ORDERS.config(), "mend me", RegistryCommit.ANY_VERSION));
        time.advance(Duration.ofSeconds(61));

        List<JobDemand> all = inspector.demands().toCompletableFuture().join();

        assertThat(all.get(0).problem().orElse("none")).contains("/orders/config");
        assertThat(all.get(0).open()).isZero();
        assertThat(all.get(1).open()).isEqualTo(3);
    }

    @Test
    void fiftyJobsAreReadInTwoRequests() {
        IntStream.range(0, 50).forEach(number -> register("job" + number, UnaryOperator.identity()));
        List<String> names =
                IntStream.range(0, 50).mapToObj(number -> "job" + number).toList();

        long before = ensemble.requests();

        assertThat(inspector.demands(names).toCompletableFuture().join()).hasSize(50);
        assertThat(ensemble.requests() - before).isEqualTo(2);
    }

    @Test
    void severalJobsAreAddedUpByThePatternsOfTheirNames() {
        register("orders", UnaryOperator.identity());
        register("orders2", UnaryOperator.identity());
        register("payments", UnaryOperator.identity());
        register("later", job -> job.cron("0 30 * * * ?"));
        time.advance(Duration.ofSeconds(61));

        assertThat(inspector
                        .demandOf(NamePatterns.of("orders*,later"))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new JobDemand.Total(3, 0, 6, 0, 6, Optional.of(1L), Optional.of(1_739L)));
        assertThat(inspector
                        .demandOf(NamePatterns.of("none"))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new JobDemand.Total(0, 0, 0, 0, 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void aJobThatIsNotThereHasNoDemand() {
        assertThat(inspector.demand("orders").toCompletableFuture().join()).isEmpty();
        assertThat(inspector.demand("no/name").toCompletableFuture().join()).isEmpty();
    }

    private JobDemand demand(String job) {
        return inspector.demand(job).toCompletableFuture().join().orElseThrow();
    }

    private void register(String job, UnaryOperator<JobDefinition.Builder> settings) {
        JobTree tree = new JobTree(job);
        JobDefinition definition = settings.apply(JobDefinition.builder(job)
                        .cron("0 * * * * ?")
                        .timeZone(ZoneOffset.UTC)
                        .shardingTotalCount(3))
                .build();
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryCommit.Builder commit = RegistryCommit.builder().create(tree.root());
        tree.parents().forEach(commit::create);
        boolean whole = definition.isOneOff() || definition.schedule().delay().isPresent();
        if (whole) {
            commit.create(tree.extension(), codec.extension(definition, Optional.empty()));
        } else {
            commit.create(tree.config(), codec.config(definition, Optional.empty()))
                    .create(tree.extension(), codec.extension(definition, Optional.empty()));
        }
        commit(commit);
    }

    private void plan(JobTree tree, String record) {
        plan(tree, record, PLAN);
    }

    private void plan(JobTree tree, String record, String plan) {
        RegistryCommit.Builder commit = RegistryCommit.builder().create(tree.sharding(), plan);
        IntStream.range(0, 3).forEach(item -> commit.create(tree.item(item), record));
        commit(commit);
    }

    private void commit(RegistryCommit.Builder commit) {
        var outcome = registry.commit(registry.session().orElseThrow(), commit.build())
                .toCompletableFuture()
                .join();
        assertThat(outcome.isCommitted()).as("%s", outcome).isTrue();
    }
}
