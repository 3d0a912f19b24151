package dev.elasticjob.spring.observation;

import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.time.DurationText;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates an observation for each firing, a child of it for each item, and one for each call of cluster listeners. The
 * scope of the last two is open while the application's code runs.
 */
final class ObservedExecutions implements ExecutionObserver {
    private static final FiringObservationConvention FIRING = new DefaultFiringObservationConvention();
    private static final ItemObservationConvention ITEM = new DefaultItemObservationConvention();
    private static final HookObservationConvention HOOK = new DefaultHookObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable FiringObservationConvention firingConvention;
    private final @Nullable ItemObservationConvention itemConvention;
    private final @Nullable HookObservationConvention hookConvention;

    ObservedExecutions(
            ObservationRegistry registry,
            @Nullable FiringObservationConvention firingConvention,
            @Nullable ItemObservationConvention itemConvention,
            @Nullable HookObservationConvention hookConvention) {
        this.registry = registry;
        this.firingConvention = firingConvention;
        this.itemConvention = itemConvention;
        this.hookConvention = hookConvention;
    }

    @Override
    public Firing begins(ShardingContexts items) {
        if (registry.isNoop()) {
            return Firing.NONE;
        }
        return new ObservedFiring(JobObservation.FIRING
                .observation(firingConvention, FIRING, () -> new FiringObservationContext(items), registry)
                .start());
    }

    @Override
    public Item begins(HookStart hook) {
        if (registry.isNoop()) {
            return Item.NONE;
        }
        var context = new HookObservationContext(hook);
        Observation call = JobObservation.HOOK
                .observation(hookConvention, HOOK, () -> context, registry)
                .start();
        return new ObservedItem(call, context::ended, Optional.empty());
    }

    /** Stops when it has ended and the last of its items has stopped: the end of both is reported within the item's scope. */
    private final class ObservedFiring implements Firing {
        private final Observation observation;
        /** The firing itself, and its items. */
        private final AtomicInteger open = new AtomicInteger(1);

        ObservedFiring(Observation observation) {
            this.observation = observation;
        }

        @Override
        public Item begins(ItemStart item) {
            var context = new ItemObservationContext(item.context(), item.trigger());
            Observation child = JobObservation.ITEM
                    .observation(itemConvention, ITEM, () -> context, registry)
                    .parentObservation(observation)
                    .start();
            open.incrementAndGet();
            return new ObservedItem(child, context::ended, Optional.of(this));
        }

        @Override
        public void around(Runnable listeners) {
            observation.scoped(listeners);
        }

        @Override
        public void ended() {
            close();
        }

        void close() {
            if (open.decrementAndGet() == 0) {
                observation.stop();
            }
        }
    }

    /** An item or a call of cluster listeners. Stops when it has ended and its scope is closed. Thread-safe; its monitor guards the two flags. */
    private static final class ObservedItem implements Item {
        private final Observation observation;
        private final Consumer<ExecutionOutcome> ends;
        private final Optional<ObservedFiring> firing;
        private boolean inScope;
        private boolean over;

        ObservedItem(Observation observation, Consumer<ExecutionOutcome> ends, Optional<ObservedFiring> firing) {
            this.observation = observation;
            this.ends = ends;
            this.firing = firing;
        }

        @Override
        public void around(Runnable attempt) {
            synchronized (this) {
                inScope = true;
            }
            try {
                observation.scoped(attempt);
            } finally {
                leaveScope();
            }
        }

        private void leaveScope() {
            boolean stops;
            synchronized (this) {
                inScope = false;
                stops = over;
            }
            if (stops) {
                stop();
            }
        }

        @Override
        public void retried(int failures, Duration pause, Throwable failure) {
            observation.event(Observation.Event.of(
                    "elasticjob.retry",
                    "attempt %d failed with %s, retried in %s"
                            .formatted(failures, failure.getClass().getName(), DurationText.of(pause))));
        }

        @Override
        public void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
            ends.accept(outcome);
            failure.ifPresent(thrown -> {
                observation.error(thrown);
                firing.ifPresent(of -> of.observation.error(thrown));
            });
            boolean stops;
            synchronized (this) {
                over = true;
                stops = !inScope;
            }
            if (stops) {
                stop();
            }
        }

        private void stop() {
            observation.stop();
            firing.ifPresent(ObservedFiring::close);
        }
    }
}
