package dev.elasticjob.spring.test;

import org.springframework.context.SmartLifecycle;

/**
 * Lets the application's engine end though an item ignores its interruption: the engine waits for it up to the shutdown
 * timeout, which does not pass by itself where time stands still.
 */
final class EndOfTime implements SmartLifecycle {
    private final ClusterResources world;
    private volatile boolean running;

    EndOfTime(ClusterResources world) {
        this.world = world;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        world.pace().leaveItemsBehind();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
