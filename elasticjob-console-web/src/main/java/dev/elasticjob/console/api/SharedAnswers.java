package dev.elasticjob.console.api;

import dev.elasticjob.console.live.Question;
import dev.elasticjob.console.live.Snapshots;
import dev.elasticjob.console.web.ConditionalRequest;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route.Call;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Answers that are read once for all who ask at the same time. */
final class SharedAnswers {
    private SharedAnswers() {}

    /**
     * The address names the question, so the same address is read once for all who see the same of it, whatever else is in
     * its query.
     *
     * @param of those of the query's parameters that the answer depends on
     * @param parameters what of the answer the caller sees
     */
    static CompletionStage<ConsoleResponse> of(
            Call call,
            Set<String> of,
            Parameters parameters,
            Snapshots snapshots,
            Duration pace,
            Supplier<? extends CompletionStage<?>> read) {
        ConditionalRequest conditional = call.conditional();
        return snapshots
                .ask(
                        new Question(call.question(of) + parameters, pace, read),
                        conditional.known(),
                        conditional.longestWait())
                .thenApply(snapshot -> conditional.response(
                        snapshot.tag(), snapshot.json(), snapshot.readAt(), snapshots.age(snapshot)));
    }
}
