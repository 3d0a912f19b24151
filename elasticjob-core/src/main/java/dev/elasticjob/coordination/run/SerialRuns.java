package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.FormerRun.Progress;
import dev.elasticjob.coordination.run.ManualRuns.Answer;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runs that a leader asks for one after the other, each once: a loop that goes on while this instance leads. Which
 * run is next is noted in a node of the leader's, which the requests write too.
 *
 * <p>Confined to the coordination executor.
 */
final class SerialRuns implements AutoCloseable {
    private final JobScope scope;
    private final ReconcileLoop loop;
    private final FormerRun formerRun;
    private Optional<LeaderDuty> duty = Optional.empty();
    private @Nullable Subscription watch;
    private String watched = "";

    /** @param round one look, and one step */
    SerialRuns(JobScope scope, String name, Function<LeaderDuty, CompletionStage<Next>> round) {
        this.scope = scope;
        this.formerRun = new FormerRun(scope);
        this.loop = scope.loop(name, () -> duty.map(round).orElseGet(Next.WAIT::stage));
    }

    /**
     * A run, and what notes it.
     *
     * @param before runs that it may wait behind
     * @param withFirst goes with the first of the request's transactions
     * @param withLast goes with the last
     */
    record SerialRun(ManualRun run, Predicate<ManualRun> before, RegistryCommit withFirst, RegistryCommit withLast) {}

    /** What this instance leads by; empty if it doesn't lead. */
    Optional<LeaderDuty> duty() {
        return duty;
    }

    void lead(LeaderDuty next) {
        duty = Optional.of(next);
    }

    void resign() {
        duty = Optional.empty();
        unwatch();
    }

    /** Has another round begin. */
    void again() {
        loop.again();
    }

    @Override
    public void close() {
        resign();
        loop.stop();
    }

    /** Whether these items have ended a run that was asked for. */
    CompletionStage<Progress> progress(LeaderDuty now, List<Integer> items, String runId) {
        return formerRun.progress(now, items, Optional.of(runId));
    }

    /** Goes on when the items of the plan have ended the former run: they would begin the next one beside it. */
    CompletionStage<Next> after(LeaderDuty now, Optional<String> formerRunId, Supplier<CompletionStage<Next>> goOn) {
        return formerRun
                .progress(now, formerRunId)
                .thenCompose(progress -> progress.busyItem()
                        .map(item -> awaitChange(scope.tree().item(item)).stage())
                        .orElseGet(goOn));
    }

    /** @param asked receives the items that have been asked, if it is all of them */
    CompletionStage<Next> ask(LeaderDuty now, SerialRun next, Consumer<Answer> asked) {
        return new ManualRuns(scope, now.session())
                .askExclusively(next.run(), next.before(), next.withFirst(), next.withLast())
                .thenApply(answer -> {
                    if (answer.behind().isPresent()) {
                        return awaitChange(scope.tree().trigger(answer.behind().get()));
                    }
                    answer.asked().ifPresent(asked);
                    return answer.nobody() ? Next.WAIT : Next.AGAIN;
                });
    }

    /** One node of one item at a time. What was read before it was watched may be outdated. */
    Next awaitChange(String path) {
        if (path.equals(watched)) {
            return Next.WAIT;
        }
        unwatch();
        watch = scope.registry().watch(path, WatchScope.DATA, loop::again);
        watched = path;
        return Next.AGAIN;
    }

    void unwatch() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
        watched = "";
    }
}
