package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionOutcome;
import java.time.Duration;
import java.util.Optional;
import org.springframework.core.task.TaskDecorator;

/**
 * Applies the application's decorators to each attempt at an item and to each call of listeners and of cluster
 * listeners, on the thread that runs it, within what another observer opens. The engine's threads are reused by many items, so decorating their work as a
 * whole would be too little.
 */
record DecoratedExecutions(ExecutionObserver outer, TaskDecorator decorator) implements ExecutionObserver {
    @Override
    public Firing begins(ShardingContexts items) {
        return new DecoratedFiring(outer.begins(items), decorator);
    }

    @Override
    public Item begins(HookStart hook) {
        return new DecoratedItem(outer.begins(hook), decorator);
    }

    private record DecoratedFiring(Firing outer, TaskDecorator decorator) implements Firing {
        @Override
        public Item begins(ItemStart item) {
            return new DecoratedItem(outer.begins(item), decorator);
        }

        @Override
        public void around(Runnable listeners) {
            outer.around(() -> decorator.decorate(listeners).run());
        }

        @Override
        public void ended() {
            outer.ended();
        }
    }

    private record DecoratedItem(Item outer, TaskDecorator decorator) implements Item {
        @Override
        public void around(Runnable attempt) {
            outer.around(() -> decorator.decorate(attempt).run());
        }

        @Override
        public void retried(int failures, Duration pause, Throwable failure) {
            outer.retried(failures, pause, failure);
        }

        @Override
        public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
            outer.ended(outcome, failure);
        }
    }
}
