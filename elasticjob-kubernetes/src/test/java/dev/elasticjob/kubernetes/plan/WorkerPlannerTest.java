package dev.elasticjob.kubernetes.plan;

import static dev.elasticjob.kubernetes.plan.PlannedApp.NOON;
import static dev.elasticjob.kubernetes.plan.PlannedApp.because;
import static dev.elasticjob.kubernetes.plan.PlannedApp.demand;
import static dev.elasticjob.kubernetes.plan.PlannedApp.ofTemplate;
import static dev.elasticjob.kubernetes.plan.PlannedApp.pool;
import static dev.elasticjob.kubernetes.plan.PlannedApp.withoutPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.AppAttention;
import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.kubernetes.plan.Condition.Kind;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WorkerPlannerTest {
    private final PlannedApp app = new PlannedApp();

    @Test
    void tenItemsGetThreeWorkersOfFour() {
        app.work(demand("orders", 10, 0));

        assertThat(app.started()).containsExactly("shop-default-0-1", "shop-default-1-1", "shop-default-2-1");
    }

    @Test
    void whatRunsIsPartOfTheNeed() {
        app.work(demand("orders", 3, 6)).instance("10.0.0.9@-@7", "orders").instance("10.0.0.8@-@7", "orders");

        assertThat(app.started()).containsExactly("shop-default-0-1");
    }

    @Test
    void moreThanTheMostIsNeverStarted() {
        app.work(demand("orders", 1_000, 0));

        assertThat(app.started()).hasSize(10);
    }

    @Test
    void instancesElsewhereArePartOfTheMost() {
        app.pool(pool(List.of(), 1, 0, 2)).work(demand("orders", 1_000, 0));
        app.instance("10.0.0.9@-@7", "orders").instance("10.0.0.8@-@7", "orders");

        assertThat(app.started()).isEmpty();
    }

    @Test
    void workersOnTheirWayCount() {
        app.work(demand("orders", 10, 0)).worker(0, Phase.PENDING).worker(2, Phase.RUNNING);

        assertThat(app.started()).containsExactly("shop-default-1-1");
    }

    @Test
    void aPlaceIsTakenAgainUnderTheNextNumber() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.RUNNING).registered(0, "orders");
        app.plan();
        app.unregisterAll().worker(0, Phase.SUCCEEDED);

        assertThat(app.started()).containsExactly("shop-default-0-2");
    }

    @Test
    void aWorkerThatHasLostItsSessionIsReplacedAtOnce() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.RUNNING).registered(0, "orders");
        assertThat(app.started()).isEmpty();

        app.unregisterAll();

        assertThat(app.started()).containsExactly("shop-default-1-1");
    }

    @Test
    void aFiringThatIsNearIsStartedFor() {
        app.work(demand("orders", 0, 0, Optional.of(NOON.plusSeconds(20)), Optional.empty()))
                .workAhead(demand("orders", 8, 0));

        assertThat(app.started()).hasSize(2);
    }

    @Test
    void aFiringThatIsFarIsLookedAtBeforeItIsNear() {
        JobDemand far = demand("orders", 0, 0, Optional.of(NOON.plusSeconds(100)), Optional.empty());
        app.work(far);

        assertThat(app.started()).isEmpty();
        assertThat(app.plan().lookAgain()).contains(NOON.plusSeconds(70));
    }

    @Test
    void aFiringThatIsStartedForIsLookedAtAgainWhenItIsDue() {
        app.work(demand("orders", 0, 0, Optional.of(NOON.plusSeconds(20)), Optional.empty()))
                .workAhead(demand("orders", 8, 0));

        assertThat(app.plan().lookAgain()).contains(NOON.plusSeconds(20));
    }

    @Test
    void aNewTemplateIsIntroducedByOneWorker() {
        app.memory(PoolMemory.NONE);
        assertThat(app.condition(Kind.Ready).reason()).isEqualTo("Introducing");
        assertThat(app.started()).containsExactly("shop-default-0-1");

        app.work(demand("orders", 12, 0)).worker(0, Phase.RUNNING);
        assertThat(app.started()).isEmpty();

        app.registered(0, "orders");
        assertThat(app.started()).containsExactly("shop-default-1-1", "shop-default-2-1");
        assertThat(app.condition(Kind.Ready).holds()).isTrue();
    }

    @Test
    void aChangedTemplateIsIntroducedWhileWorkersFinishWithTheOldOne() {
        app.memory(new PoolMemory("t1", Optional.of(NOON), Set.of("orders"), Set.of(), Set.of(), Starts.NONE))
                .worker(0, 1, Phase.RUNNING, ofTemplate("t1"))
                .registered(0, "orders")
                .worker(1, 1, Phase.PENDING, ofTemplate("t1"));

        PoolPlan plan = app.plan().pools().get(0);

        assertThat(plan.start()).containsExactly(new PoolPlan.Place(2, 1));
        assertThat(plan.delete()).containsExactly("shop-default-1-1");
    }

    @Test
    void jobsThatTheRegistryHasForgottenAreIntroducedAgain() {
        app.work();

        assertThat(app.started()).containsExactly("shop-default-0-1");
    }

    @Test
    void pausesGrowWhileStartsFail() {
        app.work(demand("orders", 12, 0));
        List<Duration> pauses = new ArrayList<>();
        for (int failure = 1; failure <= 7; failure++) {
            app.worker(0, failure, Phase.FAILED, because("Error", "exit code 1: no database"));
            assertThat(app.started()).isEmpty();
            Duration pause = Duration.between(app.now(), app.plan().lookAgain().orElseThrow());
            pauses.add(pause);
            app.later(pause);
            assertThat(app.started()).containsExactly("shop-default-0-" + (failure + 1));
        }

        assertThat(pauses.stream().map(Duration::toSeconds)).containsExactly(10L, 20L, 40L, 80L, 160L, 300L, 300L);
        assertThat(app.condition(Kind.WorkersBlocked).message()).contains("no database", "7 starts in a row");
    }

    @Test
    void attentionSaysWhyStartsFailWithoutTheLogOfTheWorker() {
        app.work(demand("orders", 12, 0))
                .worker(
                        0,
                        1,
                        Phase.FAILED,
                        because("Error", "exit code 1" + PublishedApp.LAST_LINES + "at (Db.java:7)\npassword=geheim"));
        app.plan();
        Condition blocked = app.condition(Kind.WorkersBlocked);
        assertThat(blocked.message()).contains("geheim). 1 starts in a row have failed");

        AppReport report = new AppReport(
                "jobs.shop",
                new PublishedApp(
                        "shop",
                        "jobs",
                        false,
                        List.of(),
                        List.of(new PublishedApp.Condition(
                                "WorkersBlocked", true, blocked.reason(), blocked.message(), null))),
                true,
                NOON,
                Optional.empty());

        assertThat(AppAttention.of(report, NOON).get(0).fact().text())
                .isEqualTo("Workers don't get to work, StartFailed: worker \"shop-default-0-1\" ended before it"
                        + " registered (Error: exit code 1…)");
    }

    @Test
    void aContainerThatDoesNotStartIsTold() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.PENDING);
        app.plan();
        app.later(Duration.ofSeconds(119));
        assertThat(app.condition(Kind.WorkersBlocked).holds()).isFalse();
        assertThat(app.plan().lookAgain()).contains(app.now().plusSeconds(1));

        app.later(Duration.ofSeconds(1));

        assertThat(app.condition(Kind.WorkersBlocked).reason()).isEqualTo("NotStarted");
        assertThat(app.condition(Kind.WorkersBlocked).message()).contains("kubectl describe pod shop-default-0-1-x");
    }

    @Test
    void workersThatWereStartedTogetherFailAsOne() {
        app.work(demand("orders", 8, 0)).worker(0, Phase.FAILED).worker(1, Phase.RUNNING);
        app.plan();
        app.worker(1, Phase.FAILED);

        assertThat(app.plan().pools().get(0).memory().starts().failed()).isEqualTo(1);
    }

    @Test
    void aStartThatSucceedsEndsThePauses() {
        app.work(demand("orders", 8, 0)).worker(0, Phase.FAILED);
        app.plan();
        app.later(Duration.ofSeconds(10)).worker(1, Phase.RUNNING).registered(1, "orders");

        assertThat(app.started()).containsExactly("shop-default-0-2");
        assertThat(app.condition(Kind.WorkersBlocked).holds()).isFalse();
    }

    @Test
    void pausesGrowThoughEachWorkerRegistersBeforeItFails() {
        app.work(demand("orders", 4, 0));
        List<Long> pauses = new ArrayList<>();
        for (int failure = 1; failure <= 4; failure++) {
            pauses.add(pauseAfterLife(failure, Duration.ofSeconds(40)));
        }
        assertThat(pauses).containsExactly(10L, 20L, 40L, 80L);

        assertThat(pauseAfterLife(5, Duration.ofHours(2)))
                .as("one that has worked for long")
                .isEqualTo(10);
        app.later(Duration.ofHours(1));
        assertThat(pauseAfterLife(6, Duration.ofSeconds(40)))
                .as("the last failure was long ago")
                .isEqualTo(10);
    }

    @Test
    void whoFailsBesideOthersThatEndAsTheyShouldIsReplacedSoon() {
        app.work(demand("orders", 8, 0));
        Place other = new Place(1, 1);
        app.worker(1, 1, Phase.RUNNING, UnaryOperator.identity()).registered(other, "orders");
        assertThat(pauseAfterLife(1, Duration.ofSeconds(40))).isEqualTo(10);

        app.later(Duration.ofSeconds(1)).ends(other, Phase.SUCCEEDED);

        assertThat(pauseAfterLife(2, Duration.ofSeconds(40))).isEqualTo(10);
        assertThat(pauseAfterLife(3, Duration.ofSeconds(40))).isEqualTo(20);
    }

    /** The worker registers, and fails when it has lived so long. */
    private long pauseAfterLife(int number, Duration life) {
        Place place = new Place(0, number);
        app.worker(0, number, Phase.RUNNING, UnaryOperator.identity()).registered(place, "orders");
        app.plan();
        app.later(life).unregisterAll().ends(place, Phase.FAILED);
        assertThat(app.started()).isEmpty();
        Duration pause = Duration.between(app.now(), app.plan().lookAgain().orElseThrow());
        app.later(pause);
        assertThat(app.started()).containsExactly("shop-default-0-" + (number + 1));
        return pause.toSeconds();
    }

    @Test
    void aFailedStartIsNotCountedAgainAfterASuccess() {
        app.work(demand("orders", 8, 0)).worker(0, Phase.FAILED);
        app.plan();
        app.later(Duration.ofSeconds(10)).worker(1, Phase.RUNNING).registered(1, "orders");
        app.plan();

        assertThat(app.started()).containsExactly("shop-default-0-2");
        assertThat(app.condition(Kind.WorkersBlocked).holds()).isFalse();
    }

    @Test
    void aWorkerThatRegistersAfterAnotherHasFailedEndsThePauses() {
        app.work(demand("orders", 8, 0)).worker(0, Phase.FAILED).worker(1, Phase.RUNNING);
        app.plan();
        app.registered(1, "orders");

        assertThat(app.started()).containsExactly("shop-default-0-2");
    }

    @Test
    void aWorkerThatWasDoneBetweenTwoLooksHasNotFailed() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.SUCCEEDED);

        assertThat(app.started()).containsExactly("shop-default-0-2");
        assertThat(app.condition(Kind.WorkersBlocked).holds()).isFalse();
    }

    @Test
    void oneThatIntroducesNothingHasFailed() {
        app.memory(PoolMemory.NONE).worker(0, Phase.SUCCEEDED);

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.WorkersBlocked).reason()).isEqualTo("StartFailed");
    }

    @Test
    void aWorkerThatFailsAfterItHasRegisteredIsReplacedAfterAPause() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.RUNNING).registered(0, "orders");
        app.plan();
        app.unregisterAll().worker(0, 1, Phase.FAILED, because("OOMKilled", "exit code 137"));

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.WorkersBlocked).message())
                .contains("failed after it had registered", "OOMKilled", "137");

        app.later(Duration.ofSeconds(10));
        assertThat(app.started()).containsExactly("shop-default-0-2");
    }

    @Test
    void aWorkerThatNeverRegistersIsReplacedAfterAPause() {
        app.work(demand("orders", 1, 0)).worker(0, Phase.RUNNING);
        assertThat(app.plan().lookAgain()).contains(NOON.plusSeconds(10));

        app.later(Duration.ofMinutes(5));
        assertThat(app.started()).isEmpty();

        app.later(Duration.ofSeconds(10));
        assertThat(app.started()).containsExactly("shop-default-1-1");
    }

    @Test
    void whatCanNotStartIsNotMultiplied() {
        app.work(demand("orders", 1, 0))
                .worker(0, 1, Phase.PENDING, because("ImagePullBackOff", "Back-off pulling image \"shop:1.5\""))
                .later(Duration.ofHours(1));

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.WorkersBlocked))
                .isEqualTo(new Condition(
                        Kind.WorkersBlocked,
                        true,
                        "ImagePullBackOff",
                        "worker \"shop-default-0-1\": Back-off pulling image \"shop:1.5\""));
    }

    @Test
    void aWorkerWithoutAPodIsToldAfterAMoment() {
        app.work(demand("orders", 1, 0)).worker(0, 1, Phase.PENDING, withoutPod());
        assertThat(app.condition(Kind.WorkersBlocked).holds()).isFalse();

        app.at(app.plan().lookAgain().orElseThrow());

        assertThat(app.condition(Kind.WorkersBlocked).reason()).isEqualTo("NoPod");
    }

    @Test
    void placesThatAreHeldByTheLostAreTold() {
        app.pool(pool(List.of(), 4, 0, 1))
                .work(demand("orders", 1, 0))
                .worker(0, Phase.RUNNING)
                .registered(0, "orders");
        app.plan();
        app.unregisterAll();

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.WorkersBlocked).reason()).isEqualTo("NoPlace");
    }

    @Test
    void oneWorkerIsKeptForJobsThatWouldLoseFirings() {
        app.work(demand("orders", 0, 0, Optional.empty(), Optional.of("misfire=false")));

        assertThat(app.plan().pools().get(0).base()).isEqualTo(OptionalInt.of(1));
        assertThat(app.condition(Kind.ScalesToZero).message()).contains("job \"orders\" has misfire=false");
    }

    @Test
    void workersThatAreAlwaysThereCount() {
        app.pool(pool(List.of(), 4, 2, 10)).base(2, "b1", "b2").work(demand("orders", 12, 0));
        app.instance("10.1.0.1@-@b1", "orders");

        assertThat(app.started()).containsExactly("shop-default-0-1");
    }

    @Test
    void workersThatAreAlwaysThereComeAsOthersLeaveTheirPlaces() {
        app.pool(pool(List.of(), 4, 1, 2)).worker(0, Phase.RUNNING).worker(1, Phase.RUNNING);
        assertThat(app.plan().pools().get(0).base()).isEqualTo(OptionalInt.of(0));

        app.worker(1, Phase.SUCCEEDED);
        assertThat(app.plan().pools().get(0).base()).isEqualTo(OptionalInt.of(1));
    }

    @Test
    void nothingIsStartedWhileItIsSuspended() {
        app.suspended().work(demand("orders", 12, 0));

        PoolPlan plan = app.plan().pools().get(0);

        assertThat(plan.start()).isEmpty();
        assertThat(plan.base()).isEmpty();
        assertThat(plan.figures().open()).isEqualTo(12);
        assertThat(app.condition(Kind.Ready).reason()).isEqualTo("Suspended");
    }

    /** A queue or the scheduler would start it later. */
    @Test
    void whatHasNotStartedIsDeletedWhileItIsSuspended() {
        app.suspended().work(demand("orders", 12, 2)).worker(0, Phase.RUNNING).worker(1, Phase.PENDING);

        assertThat(app.plan().pools().get(0).delete()).containsExactly("shop-default-1-1");
    }

    @Test
    void anUnknownJobAndATooHeavyItemAreToldTogether() {
        var heavy = new JobDemand(
                "orders", 1, 0, 5, 0, Optional.empty(), Optional.empty(), Optional.empty(), 5, Optional.empty());
        app.pool(pool(List.of("orders", "bils"), 4, 0, 10)).work(heavy, demand("bills", 0, 0));

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.Ready).message())
                .contains("found \"bils\", which is not in the registry", "there are bills, orders")
                .contains("at most its capacity, which is 4, found 5 in job \"orders\"");
    }

    @Test
    void jobsThatAreStillBeingRegisteredAreNotUnknown() {
        app.pool(pool(List.of("orders", "bills"), 4, 0, 10))
                .memory(PoolMemory.NONE)
                .worker(0, Phase.RUNNING);
        app.registered(0, "orders");

        assertThat(app.condition(Kind.Ready).holds()).isTrue();
        assertThat(app.plan().lookAgain()).contains(NOON.plusSeconds(30));

        app.later(Duration.ofSeconds(30));
        assertThat(app.condition(Kind.Ready).reason()).isEqualTo("Invalid");
    }

    @Test
    void aNamedJobThatIsDeletedWhileNobodyIsThereIsIntroducedAgain() {
        app.pool(pool(List.of("orders", "bills"), 4, 0, 10)).memory(PlannedApp.introduced("orders", "bills"));
        app.work(demand("orders", 0, 0));

        assertThat(app.started()).containsExactly("shop-default-0-1");
        assertThat(app.condition(Kind.Ready).reason()).isEqualTo("Introducing");

        app.worker(0, Phase.RUNNING).registered(0, "orders");
        app.plan();
        app.later(Duration.ofSeconds(30));
        assertThat(app.condition(Kind.Ready).message()).contains("found \"bills\", which is not in the registry");
        assertThat(app.started()).isEmpty();
    }

    @Test
    void whileAJobIsDeletedTheWorkersThatAreThereGoOn() {
        app.pool(pool(List.of("orders", "bills"), 4, 0, 10)).memory(PlannedApp.introduced("orders", "bills"));
        app.work(demand("orders", 8, 0)).worker(0, Phase.RUNNING).registered(0, "orders");

        assertThat(app.started()).containsExactly("shop-default-1-1");
        assertThat(app.condition(Kind.Ready).holds()).isTrue();
    }

    @Test
    void jobsThatAreNotRegisteredYetForANewTemplateStayInThePool() {
        app.memory(oldTemplate()).work(demand("orders", 0, 0), demand("bills", 8, 0));
        app.worker(0, Phase.RUNNING).registered(0, "orders");

        assertThat(app.plan().pools().get(0).jobs()).containsExactly("bills", "orders");
        assertThat(app.plan().lookAgain()).contains(NOON.plusSeconds(30));

        app.later(Duration.ofSeconds(30));
        assertThat(app.plan().pools().get(0).jobs()).containsExactly("orders");
    }

    @Test
    void aWorkerThatFailsWhileItIntroducesIsFollowedByAnother() {
        app.memory(oldTemplate()).work(demand("orders", 0, 0), demand("bills", 0, 0));
        app.worker(0, Phase.RUNNING).registered(0, "orders");
        app.plan();

        app.unregisterAll().worker(0, Phase.FAILED).plan();
        app.later(Duration.ofSeconds(10));

        assertThat(app.started()).containsExactly("shop-default-0-2");
        assertThat(app.plan().pools().get(0).jobs()).containsExactly("bills", "orders");
    }

    private static PoolMemory oldTemplate() {
        return new PoolMemory("t1", Optional.of(NOON), Set.of("orders", "bills"), Set.of(), Set.of(), Starts.NONE);
    }

    @Test
    void noMoreWorkersAreStartedForAJobThatTheyDoNotMatch() {
        app.work(demand("orders", 4, 0)).worker(0, Phase.RUNNING).mismatched(0, "orders");

        assertThat(app.started()).isEmpty();
        assertThat(app.condition(Kind.WorkersBlocked).message()).contains("don't match", "orders");
    }

    @Test
    void aFreshWorkerThatTakesNoMoreHasNoRoomForWhatIsOpen() {
        app.pool(PlannedApp.pool(List.of(), 4, 0, 10, true))
                .work(demand("orders", 3, 1))
                .worker(0, Phase.RUNNING)
                .registered(0, "orders");
        assertThat(app.started()).as("it has room for four, of which one runs").isEmpty();

        app.ending(0, "orders", 1);

        assertThat(app.started()).containsExactly("shop-default-1-1");
    }

    @Test
    void whatAFreshWorkerEndsAsksForNoOther() {
        app.pool(PlannedApp.pool(List.of(), 1, 0, 10, true))
                .work(demand("orders", 0, 1))
                .worker(0, Phase.RUNNING)
                .ending(0, "orders", 1);

        assertThat(app.started()).isEmpty();
    }

    @Test
    void drainedInstancesAreNoWorkers() {
        app.work(demand("orders", 1, 0)).drained("10.0.0.9@-@7", "orders");

        assertThat(app.started()).containsExactly("shop-default-0-1");
    }

    @Test
    void aPauseThatAnotherClockHasWrittenEnds() {
        app.work(demand("orders", 1, 0))
                .memory(new PoolMemory(
                        PlannedApp.TEMPLATE,
                        Optional.of(NOON),
                        Set.of("orders"),
                        Set.of(),
                        Set.of(),
                        new Starts(PlannedApp.TEMPLATE, 1, 0, Optional.of(NOON.plus(Duration.ofDays(1))), Set.of())));

        app.plan();

        assertThat(app.later(Duration.ofSeconds(10)).started()).containsExactly("shop-default-0-1");
    }

    @Test
    void nothingIsDoneTwice() {
        UnaryOperator<Worker> same = UnaryOperator.identity();
        app.work(demand("orders", 4, 0));
        assertThat(app.started()).containsExactly("shop-default-0-1");

        app.worker(0, 1, Phase.PENDING, same);
        assertThat(app.started()).isEmpty();
    }
}
