package dev.elasticjob.simulation;

import dev.elasticjob.engine.ElasticJobEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A controller gone mad: it starts pods and ends them at any time, one or many or all of them, at work or not. A pod is a
 * process; it ends when its engine has stopped. Nothing here knows what there is to be done.
 */
final class MadController {
    /** At once. */
    private static final int MOST_STARTED = 5;
    /** More would only take longer. */
    private static final int MOST_ALIVE = 8;

    private final World world;
    private final Scenario scenario;
    private final Random random;
    private final Consumer<SimulatedProcess> started;
    private final Runnable ended;
    private final List<SimulatedProcess> leavingByThemselves = new ArrayList<>();
    private int number;
    private boolean over;

    /**
     * @param started is told of each pod
     * @param ended is told when one has ended in good order
     */
    MadController(World world, Scenario scenario, Random random, Consumer<SimulatedProcess> started, Runnable ended) {
        this.world = world;
        this.scenario = scenario;
        this.random = random;
        this.started = started;
        this.ended = ended;
    }

    /** Whatever comes to its mind. */
    void act() {
        switch (random.nextInt(6)) {
            case 0, 1 -> start(1 + random.nextInt(MOST_STARTED));
            case 2 -> some().forEach(this::end);
            case 3 -> some().forEach(world::crash);
            case 4 -> toZero();
            default -> {
                List<SimulatedProcess> former = world.living();
                start(MOST_STARTED);
                former.forEach(this::end);
            }
        }
    }

    /** It starts none and ends none any more; those that would leave by themselves have left, so that others can be judged. */
    void end() {
        over = true;
        leavingByThemselves.forEach(world::crash);
    }

    private List<SimulatedProcess> some() {
        return world.living().stream().filter(process -> random.nextBoolean()).toList();
    }

    /** All at once, in good order or not. */
    void toZero() {
        world.living().forEach(process -> {
            if (random.nextInt(3) == 0) {
                world.crash(process);
            } else {
                end(process);
            }
        });
    }

    private void start(int many) {
        int room = MOST_ALIVE - world.living().size();
        IntStream.range(0, Math.min(many, room)).forEach(pod -> start());
    }

    /** It stays, or ends by itself: when nothing is left to be done, or after its first items. */
    private void start() {
        boolean endsByItself = scenario.rebalanceDelay().isZero() && random.nextInt(3) == 0;
        SimulatedProcess pod = endsByItself ? startOneThatEnds() : world.start(nextId(), world.skew());
        started.accept(pod);
    }

    private SimulatedProcess startOneThatEnds() {
        Duration idleAfter = millis(5_000);
        boolean fresh = random.nextBoolean();
        SimulatedProcess pod = fresh
                ? world.start(nextId(), world.skew(), ElasticJobEngine::finishAfterFirstItems)
                : world.start(nextId(), world.skew(), engine -> engine.finishWhenIdle(idleAfter));
        leavingByThemselves.add(pod);
        return pod;
    }

    /** With the right time. They stay until they are ended. */
    void startInTime(int many) {
        IntStream.range(0, many).forEach(pod -> world.start(nextId(), Duration.ZERO));
    }

    /**
     * With the right time. They leave when nothing of their jobs has to be done within that time.
     *
     * @param leaves is called when one has found that
     */
    void startUntilIdle(int many, Duration idleAfter, Runnable leaves) {
        IntStream.range(0, many)
                .forEach(pod -> world.start(
                        nextId(),
                        Duration.ZERO,
                        engine -> engine.finishWhenIdle(idleAfter).thenRun(leaves)));
    }

    /** Ends it as Kubernetes does: in good order, and after a while by a kill, whether it has left or not. */
    void end(SimulatedProcess pod) {
        world.note(pod.name(), "is told to end");
        pod.stop(() -> {
            world.exits(pod);
            ended.run();
        });
        if (random.nextBoolean()) {
            world.time().after(millis(6_000), () -> {
                if (!over && pod.isAlive()) {
                    world.crash(pod);
                }
            });
        }
    }

    private String nextId() {
        number++;
        return "10.0.7.%d@-@shop-default-%d-1".formatted(number, number);
    }

    private Duration millis(int most) {
        return Duration.ofMillis(1 + random.nextInt(most));
    }
}
