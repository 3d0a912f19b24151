package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.kubernetes.cluster.ClusterRefusedException;
import dev.elasticjob.kubernetes.cluster.ClusterUnavailableException;
import dev.elasticjob.kubernetes.cluster.RegistryAccess;
import dev.elasticjob.kubernetes.cluster.WorkerObjects;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop in virtual time, on a cluster and registries in memory. */
class AppLoopTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final ManualTime time = new ManualTime(NOON);
    private final PlayedCluster cluster = new PlayedCluster(time);
    private final PlayedRegistries registries = new PlayedRegistries();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final AppLoop loop = loop();

    @BeforeEach
    void start() {
        loop.start();
    }

    @Test
    void aNewApplicationGetsAWorkerThatIntroducesIt() {
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1");
        assertThat(cluster.reason("shop", "Ready")).isEqualTo("Introducing");
        assertThat(cluster.events).containsExactly("shop: WorkersStarted");
    }

    @Test
    void openItemsGetWorkersWithinTwoSecondsAndTheStatusSaysIt() {
        introduced("shop");

        registries.demand("shop", 3, 0);
        time.advance(MOMENT);

        assertThat(cluster.created).hasSize(3);
        assertThat(cluster.status("shop"))
                .containsEntry("open", 3)
                .containsEntry("workers", 3)
                .containsEntry("jobs", List.of("shop"));
        assertThat(cluster.reason("shop", "Ready")).isEqualTo("Ready");
    }

    @Test
    void workersAreStartedBeforeTheFiringThoughNothingChanges() {
        introduced("shop");
        allLeave("shop");
        registries.demand("shop", 0, 0, Optional.of(time.instant().plusSeconds(3_600)));
        time.advance(MOMENT);
        int before = cluster.created.size();

        time.advance(Duration.ofSeconds(3_500));
        assertThat(cluster.created).hasSize(before);

        registries.demandAhead("shop", 2);
        time.advance(Duration.ofSeconds(70));
        assertThat(cluster.created).hasSize(before + 2);
    }

    @Test
    void anInvalidApplicationStartsNothingAndOthersGoOn() {
        cluster.put("bad", Map.of("pools", List.of()));
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1");
        assertThat(cluster.reason("bad", "Ready")).isEqualTo("Invalid");
        assertThat(cluster.events).contains("bad: Invalid");
    }

    @Test
    void withoutItsRegistryNothingIsStarted() {
        introduced("shop");
        registries.away = true;
        registries.demand("shop", 9, 0);
        time.advance(Duration.ofMinutes(5));

        assertThat(cluster.created).hasSize(1);
        assertThat(cluster.reason("shop", "Ready")).isEqualTo("RegistryUnavailable");
        assertThat(cluster.events)
                .filteredOn("shop: RegistryUnavailable"::equals)
                .hasSize(1);

        registries.comeBack();
        time.advance(MOMENT);
        assertThat(cluster.created).hasSize(9);
    }

    @Test
    void whileTheApiServerIsAwayItIsAskedLessAndLess() {
        introduced("shop");
        registries.demand("shop", 2, 0);
        List<Instant> asked = new ArrayList<>();
        cluster.beforeCreate = worker -> {
            asked.add(time.instant());
            throw new ClusterUnavailableException("429");
        };
        time.advance(Duration.ofMinutes(2));

        assertThat(pauses(asked)).startsWith(1L, 2L, 4L, 8L, 16L, 30L, 30L);

        cluster.beforeCreate = worker -> {};
        time.advance(Duration.ofSeconds(30));
        assertThat(cluster.created).containsExactly("shop-default-0-1", "shop-default-1-1");
    }

    @Test
    void whatTheClusterRefusesIsToldAndTriedWithGrowingPauses() {
        introduced("shop");
        List<Instant> asked = new ArrayList<>();
        cluster.beforeCreate = worker -> {
            asked.add(time.instant());
            throw new ClusterRefusedException("exceeded quota: count/jobs.batch", new IllegalStateException());
        };
        registries.demand("shop", 2, 0);
        time.advance(Duration.ofSeconds(200));

        assertThat(pauses(asked)).startsWith(10L, 20L, 40L, 80L);
        assertThat(cluster.reason("shop", "WorkersBlocked")).isEqualTo("Refused");
        assertThat(cluster.events).filteredOn("shop: Refused"::equals).hasSize(1);
    }

    @Test
    void twoControllersStartEachWorkerOnce() {
        AppLoop other = loop();
        other.start();
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);
        registries.demand("shop", 5, 0);
        run("shop-default-0-1");
        time.advance(Duration.ofMinutes(1));

        assertThat(cluster.created).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void anotherControllerGoesOnFromTheStatus() {
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);
        cluster.move("shop-default-0-1", Phase.FAILED);
        time.advance(MOMENT);
        loop.stop();

        AppLoop other = loop();
        other.start();
        time.advance(MOMENT);
        assertThat(cluster.created).hasSize(1);

        time.advance(Duration.ofSeconds(10));
        assertThat(cluster.created).containsExactly("shop-default-0-1", "shop-default-0-2");
    }

    @Test
    void whatIsRefusedForOnePoolHoldsNoOtherBack() {
        List<Instant> asked = new ArrayList<>();
        cluster.beforeCreate = worker -> {
            if (worker.startsWith("shop-gpu-")) {
                asked.add(time.instant());
                throw new ClusterRefusedException(
                        "exceeded quota: requests.nvidia.com/gpu", new IllegalStateException());
            }
        };
        Map<String, Object> pools = new HashMap<>(spec("shop:1.4"));
        pools.put(
                "pools",
                List.of(
                        Map.of("name", "gpu", "jobs", List.of("train"), "maxWorkers", 2),
                        Map.of("name", "default", "maxWorkers", 20)));
        cluster.put("shop", pools);
        time.advance(MOMENT);
        run("shop-default-0-1");
        registries.demand("shop", 3, 0);
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1", "shop-default-1-1", "shop-default-2-1");
        assertThat(cluster.reason("shop", "WorkersBlocked")).isEqualTo("Refused");
        assertThat(asked).hasSize(1);

        time.advance(Duration.ofMinutes(30));
        assertThat(asked).hasSizeBetween(8, 12);

        cluster.beforeCreate = worker -> {};
        time.advance(Duration.ofMinutes(5));
        assertThat(cluster.created).contains("shop-gpu-0-1");
    }

    @Test
    void whatWasStartedBeforeARefusalIsTold() {
        introduced("shop");
        cluster.beforeCreate = worker -> {
            if (cluster.created.size() == 2) {
                throw new ClusterRefusedException("exceeded quota: count/jobs.batch", new IllegalStateException());
            }
        };
        registries.demand("shop", 3, 0);
        time.advance(MOMENT);

        assertThat(cluster.created).hasSize(2);
        assertThat(cluster.events)
                .filteredOn("shop: WorkersStarted"::equals)
                .as("the first worker, and the one before the refusal")
                .hasSize(2);
        assertThat(meters.get("elasticjob.kubernetes.starts").counter().count()).isEqualTo(2);
    }

    @Test
    void aPoolThatMayNotBeStoppedHoldsNoOtherBack() {
        List<Instant> asked = new ArrayList<>();
        cluster.beforeStop = pool -> {
            asked.add(time.instant());
            throw new ClusterRefusedException("denied by policy", new IllegalStateException());
        };
        cluster.bases.addAll(oldBase());

        cluster.put("shop", spec("shop:1.4"));
        time.advance(Duration.ofMinutes(30));

        assertThat(cluster.created).containsExactly("shop-default-0-1");
        assertThat(cluster.reason("shop", "WorkersBlocked")).isEqualTo("Refused");
        assertThat(asked).hasSizeBetween(8, 12);
    }

    @Test
    void aCorrectedApplicationIsTriedAtOnce() {
        cluster.beforeCreate = worker -> {
            throw new ClusterRefusedException("image is not allowed", new IllegalStateException());
        };
        cluster.put("shop", spec("shop:wrong"));
        time.advance(Duration.ofMinutes(30));

        cluster.beforeCreate = worker -> {};
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1");
        assertThat(cluster.reason("shop", "WorkersBlocked")).isEqualTo("None");
    }

    @Test
    void aReasonThatStaysIsToldOnce() {
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);
        cluster.move("shop-default-0-1", Phase.FAILED);
        time.advance(Duration.ofSeconds(15));
        cluster.move("shop-default-0-2", Phase.FAILED);
        time.advance(Duration.ofSeconds(15));

        assertThat(cluster.events).filteredOn("shop: StartFailed"::equals).hasSize(1);
    }

    @Test
    void aControllerThatDoesNotLeadDoesNothing() {
        loop.stop();
        cluster.put("shop", spec("shop:1.4"));
        time.advance(Duration.ofHours(1));

        assertThat(cluster.created).isEmpty();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aControllerThatLosesTheLeadInTheMiddleOfALookDoesNotLookAgain() {
        cluster.beforeCreate = worker -> loop.stop();
        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);

        assertThat(time.waiting()).isZero();
    }

    @Test
    void whatHasAlwaysBeenInvalidIsShownWhereItsJobsWouldBe() {
        cluster.put("bad", Map.of("registryNamespace", "shop", "pools", List.of()));
        time.advance(MOMENT);

        assertThat(registries.shown.get("bad").conditions().get(0).reason()).isEqualTo("Invalid");

        cluster.remove("bad");
        cluster.put("worse", Map.of("registryNamespace", 7));
        time.advance(MOMENT);
        assertThat(registries.shown).doesNotContainKey("worse");
        assertThat(cluster.reason("worse", "Ready")).isEqualTo("Invalid");
    }

    @Test
    void aPoolThatIsRemovedIsEndedThoughTheApplicationIsSuspended() {
        introduced("shop");
        cluster.bases.addAll(oldBase());
        registries.suspensions.put("shop", new Suspension("ann", "", NOON));
        registries.demand("shop", 1, 0);
        time.advance(MOMENT);

        assertThat(cluster.stopped).containsExactly("shop-old");
    }

    /** As when the threads end during an attempt to connect. */
    @Test
    void aLookThatFailsAfterTheLeadIsLostIsNoError() {
        introduced("shop");
        registries.beforeRead = () -> {
            loop.stop();
            throw new RejectedExecutionException("The executor was shut down");
        };
        try (var log = new LoggedLines()) {
            registries.demand("shop", 3, 0);
            time.advance(MOMENT);

            assertThat(log.all()).noneMatch(line -> line.startsWith("ERROR"));
        }
        assertThat(time.waiting()).isZero();
    }

    /** As the registry is left then, what is being read from it fails. */
    @Test
    void aControllerThatLosesTheLeadWhileItReadsSaysNothingOfTheRegistry() {
        introduced("shop");
        int before = cluster.writes;
        registries.beforeRead = () -> {
            registries.away = true;
            loop.stop();
        };
        registries.demand("shop", 3, 0);
        time.advance(MOMENT);

        assertThat(registries.shown).as("nobody looks after it").isEmpty();
        assertThat(cluster.writes).isEqualTo(before);
        assertThat(cluster.events).doesNotContain("shop: RegistryUnavailable");

        registries.beforeRead = () -> {};
        registries.away = false;
        loop.start();
        time.advance(MOMENT);
        assertThat(cluster.created).hasSize(3);
        assertThat(registries.shown).containsKey("shop");
    }

    @Test
    void anApplicationThatIsAppliedAgainIsLookedAtAgain() {
        introduced("shop");
        cluster.remove("shop");
        time.advance(MOMENT);

        cluster.put("shop", spec("shop:1.5"));
        time.advance(MOMENT);

        assertThat(cluster.created).hasSize(2);
    }

    @Test
    void anApplicationThatComesBackWhileItIsLookedForIsLookedAt() {
        cluster.afterRead = () -> {
            cluster.afterRead = () -> {};
            cluster.put("shop", spec("shop:1.5"));
        };
        cluster.tell("shop");
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1");
    }

    @Test
    void afterAnErrorOneLooksAgain() {
        cluster.afterRead = () -> {
            cluster.afterRead = () -> {};
            throw new StackOverflowError();
        };
        cluster.put("shop", spec("shop:1.5"));
        time.advance(Duration.ofSeconds(5));

        assertThat(cluster.created).containsExactly("shop-default-0-1");
    }

    @Test
    void thePodsOfAPoolThatWasRenamedAreEnded() {
        Map<String, Object> before = new HashMap<>(spec("shop:1.4"));
        before.put("pools", List.of(Map.of("name", "old", "maxWorkers", 20, "baseWorkers", 1)));
        cluster.put("shop", before);
        time.advance(MOMENT);
        before.put("pools", List.of(Map.of("name", "old", "maxWorkers", 20)));
        cluster.put("shop", before);
        time.advance(MOMENT);
        cluster.bases.clear();
        cluster.bases.addAll(oldBase());
        assertThat(cluster.stopped).isEmpty();

        cluster.put("shop", spec("shop:1.4"));
        time.advance(MOMENT);

        assertThat(cluster.stopped).containsExactly("shop-old");
        assertThat(cluster.workers.keySet()).noneMatch(name -> name.startsWith("shop-old-"));
    }

    private static List<Deployment> oldBase() {
        return List.of(new DeploymentBuilder()
                .withNewMetadata()
                .withName("shop-old")
                .withLabels(Map.of(Injected.POOL, "old", Injected.TEMPLATE, "t"))
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .endSpec()
                .build());
    }

    @Test
    void whatAnOperatorSuspendsGetsNoWorkersUntilItIsResumed() {
        introduced("shop");
        registries.suspensions.put("shop", new Suspension("ann", "the database moves", NOON));
        registries.demand("shop", 3, 0);
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1");
        assertThat(cluster.status("shop").toString())
                .contains("suspended by \"ann\" since 2026-03-01T12:00:00Z (the database moves)")
                .contains("what is due stays owed");
        assertThat(cluster.reason("shop", "Ready")).isEqualTo("Suspended");
        assertThat(registries.shown.get("shop").suspend())
                .as("its resource doesn't say so")
                .isFalse();

        registries.suspensions.clear();
        registries.demand("shop", 3, 0);
        time.advance(MOMENT);
        assertThat(cluster.created).hasSize(3);
    }

    @Test
    void peopleAreShownPoolsWorkersAndWhy() {
        introduced("shop");
        registries.demand("shop", 2, 1, Optional.of(NOON.plusSeconds(600)));
        time.advance(MOMENT);
        cluster.move("shop-default-1-1", Phase.FAILED);
        time.advance(MOMENT);

        PublishedApp shown = registries.shown.get("shop");
        assertThat(shown.id()).isEqualTo("jobs.shop");
        assertThat(shown.conditions()).map(PublishedApp.Condition::type).contains("Ready", "WorkersBlocked");
        PublishedApp.Pool pool = shown.pools().get(0);
        assertThat(pool.jobs()).containsExactly("shop");
        assertThat(List.of(pool.open(), pool.running(), pool.need())).containsExactly(2, 1, 3);
        assertThat(pool.nextFiring()).isEqualTo(NOON.plusSeconds(600));
        assertThat(pool.workers())
                .map(worker -> worker.phase() + " " + worker.name() + " " + worker.instance())
                .startsWith("FAILED shop-default-1-1 ")
                .endsWith("RUNNING shop-default-0-1 10.0.0.1@-@shop-default-0-1");
    }

    @Test
    void ofAnApplicationThatBecomesInvalidPeopleSeeWhyAndTheLastFigures() {
        introduced("shop");
        registries.demand("shop", 2, 0);
        time.advance(MOMENT);

        cluster.put("shop", Map.of("pools", List.of()));
        time.advance(MOMENT);

        PublishedApp shown = registries.shown.get("shop");
        assertThat(shown.conditions().get(0).reason()).isEqualTo("Invalid");
        assertThat(shown.pools().get(0).open()).isEqualTo(2);
        assertThat(shown.pools().get(0).jobs()).containsExactly("shop");
    }

    @Test
    void ofAnInvalidApplicationPeopleSeeThatItIsSuspendedAndNotWhatBlockedItBefore() {
        introduced("shop");
        registries.demand("shop", 2, 0);
        cluster.beforeCreate = worker -> {
            throw new ClusterRefusedException("exceeded quota: count/jobs.batch", new IllegalStateException());
        };
        time.advance(MOMENT);
        assertThat(cluster.reason("shop", "WorkersBlocked")).isEqualTo("Refused");

        cluster.put("shop", Map.of("pools", List.of(), "suspend", true));
        time.advance(MOMENT);

        PublishedApp shown = registries.shown.get("shop");
        assertThat(shown.suspend()).isTrue();
        assertThat(shown.conditions()).extracting(PublishedApp.Condition::type).doesNotContain("WorkersBlocked");
    }

    @Test
    void aDeletedApplicationIsForgotten() {
        introduced("shop");
        cluster.remove("shop");
        time.advance(MOMENT);

        assertThat(registries.users).isEmpty();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aChangedTemplateIsIntroducedByANewWorkerAndNothingThatRunsIsEnded() {
        introduced("shop");
        cluster.put("shop", spec("shop:1.5"));
        time.advance(MOMENT);

        assertThat(cluster.created).containsExactly("shop-default-0-1", "shop-default-1-1");
        assertThat(cluster.workers).containsKey("shop-default-0-1");
    }

    @Test
    void aWorkerOfAnOlderTemplateThatHasNotStartedIsDeleted() {
        cluster.put("shop", spec("shop:wrong"));
        time.advance(MOMENT);
        cluster.put("shop", spec("shop:1.5"));
        time.advance(MOMENT);

        assertThat(cluster.workers.keySet()).containsExactly("shop-default-1-1");
    }

    @Test
    void idleApplicationsCostNothing() {
        for (int number = 0; number < 500; number++) {
            introduced("app" + number);
            allLeave("app" + number);
        }
        time.advance(MOMENT);
        int writes = cluster.writes;
        int reads = registries.reads;

        time.advance(Duration.ofHours(1));

        assertThat(cluster.writes).isEqualTo(writes);
        assertThat(registries.reads - reads).isLessThanOrEqualTo(500 * 4);
    }

    // ------------------------------------------------------------------ meters

    @Test
    void metersShowWhatAPoolHasAndNeeds() {
        introduced("shop");
        registries.demand("shop", 2, 1);
        time.advance(MOMENT);
        run("shop-default-1-1");
        time.advance(MOMENT);

        assertThat(meter("items", "open")).isEqualTo(2);
        assertThat(meter("items", "running")).isEqualTo(1);
        assertThat(meter("need")).isEqualTo(3);
        assertThat(meter("workers", "registered")).isEqualTo(2);
        assertThat(meter("workers", "waiting")).isEqualTo(1);
        assertThat(meter("workers", "started")).isZero();
        assertThat(meters.get("elasticjob.kubernetes.starts").counter().count()).isEqualTo(3);
        assertThat(meter("blocked")).isZero();

        cluster.move("shop-default-2-1", Phase.FAILED);
        time.advance(MOMENT);

        assertThat(meters.get("elasticjob.kubernetes.start.failures").counter().count())
                .isEqualTo(1);
        assertThat(meter("blocked")).isEqualTo(1);
    }

    @Test
    void aFailedStartCountsOnceHoweverOftenItIsNoticed() {
        introduced("shop");
        registries.demand("shop", 2, 0);
        time.advance(MOMENT);
        cluster.refusesStatus = true;
        cluster.move("shop-default-1-1", Phase.FAILED);
        time.advance(Duration.ofSeconds(20));
        cluster.refusesStatus = false;
        time.advance(Duration.ofSeconds(40));
        assertThat(failures()).isEqualTo(1);

        for (int number = 2; number <= 4; number++) {
            time.advance(Duration.ofMinutes(5));
            run("shop-default-1-" + number);
            time.advance(MOMENT);
            registries.unregisterAll("shop");
            registries.register("shop", "shop-default-0-1");
            cluster.move("shop-default-1-" + number, Phase.FAILED);
            time.advance(MOMENT);
        }
        assertThat(failures()).as("three more, each after it had registered").isEqualTo(4);
    }

    private double failures() {
        return meters.get("elasticjob.kubernetes.start.failures").counter().count();
    }

    @Test
    void metersSayNothingWhileNothingCanBeDecided() {
        introduced("shop");
        assertThat(meter("decided")).isEqualTo(1);

        registries.away = true;
        registries.demand("shop", 9, 0);
        time.advance(MOMENT);

        assertThat(meter("decided")).isZero();
        assertThat(meter("need")).isNaN();
        assertThat(meter("blocked")).isNaN();

        registries.comeBack();
        time.advance(MOMENT);
        assertThat(meter("decided")).isEqualTo(1);
        assertThat(meter("need")).isEqualTo(9);
    }

    @Test
    void aSuspendedApplicationNeedsNothing() {
        introduced("shop");
        registries.demand("shop", 4, 0);
        Map<String, Object> suspended = new HashMap<>(spec("shop:1.4"));
        suspended.put("suspend", true);
        cluster.put("shop", suspended);
        time.advance(MOMENT);

        assertThat(meter("items", "open")).isEqualTo(4);
        assertThat(meter("need")).isZero();
    }

    @Test
    void metersGoWithTheApplicationItsPoolsAndTheLead() {
        introduced("shop");
        introduced("bills");
        assertThat(apps()).containsOnly("bills", "shop");

        cluster.remove("bills");
        time.advance(MOMENT);
        assertThat(apps()).containsOnly("shop");

        cluster.put(
                "shop",
                Map.of(
                        "pools", List.of(Map.of("name", "night", "maxWorkers", 2)),
                        "template",
                                Map.of(
                                        "spec",
                                        Map.of("containers", List.of(Map.of("name", "app", "image", "shop:1.4"))))));
        time.advance(MOMENT);
        assertThat(meters.get("elasticjob.kubernetes.need").gauges())
                .extracting(gauge -> gauge.getId().getTag("pool"))
                .containsExactly("night");

        loop.stop();
        assertThat(apps()).isEmpty();
        assertThat(meter("leads")).isZero();
    }

    @Test
    void theAgeOfTheOldestOpenItemGrowsUntilItIsBegun() {
        introduced("shop");
        assertThat(meter("open.age")).as("nothing is open").isZero();

        registries.demandSince("shop", 2, Optional.of(time.instant().minusSeconds(40)));
        time.advance(MOMENT);
        double age = meter("open.age");
        assertThat(age).isEqualTo(40 + MOMENT.toMillis() / 1_000.0);
        time.advance(Duration.ofSeconds(30));
        assertThat(meter("open.age")).isEqualTo(age + 30);

        registries.demandSince("shop", 2, Optional.empty());
        time.advance(MOMENT);
        assertThat(meter("open.age")).as("nobody knows").isNaN();
    }

    private double meter(String name, String state) {
        return meters.get("elasticjob.kubernetes." + name)
                .tag("state", state)
                .gauge()
                .value();
    }

    private double meter(String name) {
        return meters.get("elasticjob.kubernetes." + name).gauge().value();
    }

    private Set<String> apps() {
        return meters.find("elasticjob.kubernetes.need").gauges().stream()
                .map(gauge -> String.valueOf(gauge.getId().getTag("app")))
                .collect(Collectors.toSet());
    }

    private AppLoop loop() {
        Executor executor = Runnable::run;
        var appMeters = new AppMeters(meters, "jobs", time);
        var look = new AppLook(
                cluster,
                registries,
                new ElasticAppCheck(SERIALIZATION),
                new WorkerObjects(SERIALIZATION, new RegistryAccess("zookeeper:2181", Optional.empty())),
                appMeters,
                time);
        return new AppLoop(cluster, look, appMeters, time, time, executor);
    }

    /** The application has one worker, which is registered and has nothing to do. */
    private void introduced(String app) {
        cluster.put(app, spec(app + ":1.4"));
        registries.demand(app, 0, 0);
        time.advance(MOMENT);
        run(app + "-default-0-1");
        time.advance(MOMENT);
    }

    private void run(String worker) {
        cluster.move(worker, Phase.RUNNING);
        registries.register(worker.substring(0, worker.indexOf('-')), worker);
    }

    private void allLeave(String app) {
        registries.unregisterAll(app);
        cluster.move(app + "-default-0-1", Phase.SUCCEEDED);
        time.advance(MOMENT);
    }

    private static List<Long> pauses(List<Instant> times) {
        List<Long> pauses = new ArrayList<>();
        for (int number = 1; number < times.size(); number++) {
            pauses.add(
                    Duration.between(times.get(number - 1), times.get(number)).toSeconds());
        }
        return pauses;
    }

    private static Map<String, Object> spec(String image) {
        return Map.of(
                "pools", List.of(Map.of("name", "default", "maxWorkers", 20)),
                "template", Map.of("spec", Map.of("containers", List.of(Map.of("name", "app", "image", image)))));
    }
}
