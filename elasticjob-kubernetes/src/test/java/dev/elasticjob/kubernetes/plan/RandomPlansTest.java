package dev.elasticjob.kubernetes.plan;

import static dev.elasticjob.kubernetes.plan.PlannedApp.NOON;
import static dev.elasticjob.kubernetes.plan.PlannedApp.demand;
import static dev.elasticjob.kubernetes.plan.PlannedApp.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds of every plan, whatever was seen. */
class RandomPlansTest {
    private static final int PLANS = 3_000;

    @Test
    void noMoreThanTheMostAreEverThere() {
        each((app, random) -> {
            PoolPlan plan = app.plan().pools().get(0);
            PoolView view = plan.view();
            long living = view.workers().stream()
                    .filter(worker -> !worker.isFinished())
                    .count();

            if (!plan.start().isEmpty()) {
                assertThat(living + plan.start().size() + plan.base().orElse(0))
                        .isLessThanOrEqualTo(view.pool().maxWorkers());
            }
            assertThat(plan.start())
                    .allMatch(place -> place.ordinal() < view.pool().maxWorkers());
        });
    }

    @Test
    void aPlaceIsNeverTakenTwiceAndNoNameIsUsedAgain() {
        each((app, random) -> {
            PoolPlan plan = app.plan().pools().get(0);
            Set<Integer> held = plan.view().workers().stream()
                    .filter(worker -> !worker.isFinished())
                    .map(Worker::ordinal)
                    .collect(Collectors.toSet());
            Set<String> names = plan.view().workers().stream().map(Worker::name).collect(Collectors.toSet());

            for (Place place : plan.start()) {
                assertThat(held.add(place.ordinal())).isTrue();
                assertThat(names.add(place.name("shop", "default"))).isTrue();
            }
        });
    }

    @Test
    void moreDemandNeverStartsFewer() {
        each((app, random) -> {
            AppView before = app.view();
            int started = app.plan().pools().get(0).start().size();
            int open = before.demands(Duration.ZERO).get(0).open() + random.nextInt(20);
            AppPlan more = WorkerPlanner.plan(
                    app.work(demand(
                                    "orders",
                                    open,
                                    before.demands(Duration.ZERO).get(0).running()))
                            .view(),
                    NOON);

            assertThat(more.pools().get(0).start().size()).isGreaterThanOrEqualTo(started);
        });
    }

    @Test
    void nothingIsDeletedThatHasStarted() {
        each((app, random) -> {
            PoolPlan plan = app.plan().pools().get(0);
            Set<String> pending = plan.view().workers().stream()
                    .filter(worker -> worker.phase() == Phase.PENDING)
                    .filter(worker -> !worker.template().equals(PlannedApp.TEMPLATE))
                    .map(Worker::name)
                    .collect(Collectors.toSet());

            assertThat(pending).containsAll(plan.delete());
        });
    }

    @Test
    void withoutDemandNothingIsStarted() {
        each((app, random) -> {
            app.memory(PlannedApp.introduced("orders"))
                    .work(demand(
                            "orders", 0, 0, Optional.of(NOON.plusSeconds(random.nextInt(1_000))), Optional.empty()));

            assertThat(app.started()).isEmpty();
        });
    }

    @Test
    void openWorkIsStartedForUnlessThereIsAReason() {
        each((app, random) -> {
            PoolPlan plan = app.plan().pools().get(0);
            boolean served = plan.figures().need() == 0
                    || !plan.start().isEmpty()
                    || plan.base().orElse(0) > 0
                    || plan.blocked().isPresent()
                    || plan.figures().workers() > 0
                    || !app.view().instances().isEmpty();

            assertThat(served).isTrue();
        });
    }

    @Test
    void whoSeesTheSameAsksForTheSame() {
        each((app, random) ->
                assertThat(WorkerPlanner.plan(app.view(), NOON)).isEqualTo(WorkerPlanner.plan(app.view(), NOON)));
    }

    private interface Property {
        void holds(PlannedApp app, Random random);
    }

    private static void each(Property property) {
        for (int seed = 0; seed < PLANS; seed++) {
            property.holds(any(new Random(seed)), new Random(seed));
        }
    }

    private static PlannedApp any(Random random) {
        int max = 1 + random.nextInt(8);
        var app = new PlannedApp()
                .pool(pool(List.of(), 1 + random.nextInt(4), random.nextInt(2), max))
                .work(demand("orders", random.nextInt(3) * random.nextInt(12), random.nextInt(4)));
        if (random.nextInt(4) == 0) {
            app.memory(PoolMemory.NONE);
        }
        Set<Integer> held = new HashSet<>();
        IntStream.range(0, random.nextInt(8)).forEach(number -> worker(app, held, max, random));
        if (random.nextInt(3) == 0) {
            app.instance("10.0.0.99@-@1", "orders");
        }
        return app;
    }

    private static void worker(PlannedApp app, Set<Integer> held, int max, Random random) {
        int ordinal = random.nextInt(max);
        Phase phase = Phase.values()[random.nextInt(4)];
        boolean finished = phase == Phase.SUCCEEDED || phase == Phase.FAILED;
        if (!finished && !held.add(ordinal)) {
            return;
        }
        app.worker(
                ordinal,
                finished ? 1 : 2,
                phase,
                random.nextBoolean() ? PlannedApp.ofTemplate("t1") : worker -> worker);
        if (!finished && random.nextBoolean()) {
            app.registered(new Place(ordinal, 2), "orders");
        }
    }
}
