package dev.elasticjob.engine;

import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.job.event.RegistryRequestListener.Kind;
import dev.elasticjob.job.event.RegistryRequestListener.Outcome;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A registry that reports how long its requests take. */
final class TimedRegistry extends DelegatingRegistry {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);

    private final Registry registry;
    private final TaskTimer timer;
    private final List<RegistryRequestListener> listeners;
    private final FailureLog failures;

    private TimedRegistry(Registry registry, TaskTimer timer, List<RegistryRequestListener> listeners) {
        this.registry = registry;
        this.timer = timer;
        this.listeners = listeners;
        this.failures = new FailureLog(log, timer);
    }

    /** The registry itself if nobody listens. */
    static Registry of(Registry registry, TaskTimer timer, List<RegistryRequestListener> listeners) {
        return listeners.isEmpty() ? registry : new TimedRegistry(registry, timer, listeners);
    }

    @Override
    protected Registry delegate() {
        return registry;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        long from = timer.nanoTime();
        return timed(from, Kind.READ, registry.read(reads), answer -> Outcome.SUCCESS);
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        long from = timer.nanoTime();
        return timed(
                from,
                Kind.COMMIT,
                registry.commit(session, commit),
                outcome -> outcome.isCommitted() ? Outcome.SUCCESS : Outcome.REFUSED);
    }

    private <T> CompletionStage<T> timed(
            long from, Kind kind, CompletionStage<T> answer, Function<T, Outcome> outcome) {
        return answer.whenComplete((value, error) -> {
            Duration took = Duration.ofNanos(timer.nanoTime() - from);
            tell(kind, error == null ? outcome.apply(value) : failed(error), took);
        });
    }

    private static Outcome failed(@Nullable Throwable error) {
        Throwable failure = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return failure instanceof RegistryUnavailableException ? Outcome.UNAVAILABLE : Outcome.ERROR;
    }

    private void tell(Kind kind, Outcome outcome, Duration took) {
        for (RegistryRequestListener listener : listeners) {
            try {
                listener.answered(kind, outcome, took);
            } catch (Throwable e) {
                failures.error("A listener failed to handle a registry request; nothing else is affected", e);
            }
        }
    }
}
