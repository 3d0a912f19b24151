package dev.elasticjob.console.api;

import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.console.api.Bodies.BulkResult;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.web.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Does something with each of several jobs, ten at a time. Thread-safe; doesn't block.
 *
 * @param command for a job; what comes of it is a {@link DryRun}, or is not looked at
 */
record BulkRunner(Queries queries, Function<String, ? extends CompletionStage<?>> command) {
    private static final int TOGETHER = 10;

    /** @return a result for each job, in their order. The stage doesn't fail */
    CompletionStage<List<BulkResult>> run(List<String> jobs, Duration longest) {
        Run run = new Run(jobs, queries.timer().nanoTime() + longest.toNanos());
        for (int line = 0; line < Math.min(TOGETHER, jobs.size()); line++) {
            next(run);
        }
        return run.all;
    }

    private static final class Run {
        private final List<String> jobs;
        private final long untilNanos;
        private final List<Optional<BulkResult>> results;
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger left;
        private final CompletableFuture<List<BulkResult>> all = new CompletableFuture<>();

        Run(List<String> jobs, long untilNanos) {
            this.jobs = jobs;
            this.untilNanos = untilNanos;
            this.results =
                    Collections.synchronizedList(new ArrayList<>(Collections.nCopies(jobs.size(), Optional.empty())));
            this.left = new AtomicInteger(jobs.size());
        }

        void ended(int place, BulkResult result) {
            results.set(place, Optional.of(result));
            if (left.decrementAndGet() == 0) {
                all.complete(results.stream().flatMap(Optional::stream).toList());
            }
        }
    }

    private void next(Run run) {
        int place = run.begun.getAndIncrement();
        if (place >= run.jobs.size()) {
            return;
        }
        String job = run.jobs.get(place);
        if (queries.timer().nanoTime() - run.untilNanos >= 0) {
            run.ended(place, BulkResult.notBegun(job));
            next(run);
            return;
        }
        queries.ask(() -> command.apply(job).thenApply(Optional::ofNullable), done -> done)
                .whenComplete((done, failure) -> {
                    run.ended(
                            place,
                            failure == null
                                    ? result(job, done)
                                    : BulkResult.failed(job, Problem.of(CommandResponses.cause(failure))));
                    next(run);
                });
    }

    private static BulkResult result(String job, Optional<?> done) {
        return done.filter(DryRun.class::isInstance)
                .map(preview -> BulkResult.expected(job, (DryRun) preview))
                .orElseGet(() -> BulkResult.done(job));
    }
}
