package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader does for instances that have left and may come back: it tells who is awaited until when, looks again when
 * the time of the first one is over, and deletes marks that mean nothing any more. The rules are those of "Awaiting a
 * successor" in {@code docs/internals/protocol-placement.md}.
 *
 * <p>Confined to the coordination executor.
 */
final class AwaitedInstances {
    private static final Logger log = LoggerFactory.getLogger(AwaitedInstances.class);

    /** This clock may run ahead of the registry's by a little. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

    private final JobScope scope;
    private final JobTransactions transactions;
    private final Runnable lookAgain;
    /** The marks that were to be deleted, by their transactions: one that can't be is left to people. */
    private final Set<Long> forgotten = new HashSet<>();
    /** Until when instances are awaited, as the log says. */
    private final Map<String, Instant> told = new HashMap<>();
    /** Until the first instance is not awaited any more. */
    private TaskTimer.Cancellable timer = () -> {};

    private boolean stopped;

    /** @param lookAgain called when another round is due */
    AwaitedInstances(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.transactions = new JobTransactions(scope.tree());
        this.lookAgain = lookAgain;
    }

    void begin() {
        stopped = false;
    }

    void stop() {
        stopped = true;
        timer.cancel();
        forgotten.clear();
        told.clear();
    }

    /** No event tells that the time of an instance that has left is over. */
    void follow(Candidates candidates) {
        timer.cancel();
        candidates.awaited().values().forEach(leaver -> leaver.until().ifPresent(end -> tell(leaver, end)));
        told.keySet().removeIf(left -> isOver(left, candidates));
        candidates.firstEnd().filter(end -> !stopped).ifPresent(end -> {
            Duration left = Duration.between(scope.registryTime().now(), end);
            timer = scope.connection().later(left.compareTo(SHORTEST_WAIT) > 0 ? left : SHORTEST_WAIT, lookAgain);
        });
    }

    private void tell(Leaver leaver, Instant end) {
        if (!end.equals(told.put(leaver.id(), end))) {
            tell("Job \"{}\": the items of \"{}\" wait for its successor until {}", leaver.id(), end);
        }
    }

    /** If nobody waits for it any more, the log says who has come. */
    private boolean isOver(String left, Candidates candidates) {
        if (candidates.awaited().containsKey(left)) {
            return false;
        }
        if (candidates.present().containsKey(left)) {
            tell("Job \"{}\": \"{}\" is back, and has its items again", left);
        } else {
            Optional.ofNullable(candidates.successors().get(left))
                    .ifPresentOrElse(
                            heir -> tell("Job \"{}\": the items of \"{}\" go to its successor \"{}\"", left, heir),
                            () -> tell("Job \"{}\": the items of \"{}\" wait for its successor no longer", left));
        }
        return true;
    }

    private void tell(String text, Object... instances) {
        scope.announcements()
                .log(
                        log,
                        text,
                        Stream.concat(Stream.of(scope.jobName()), Stream.of(instances))
                                .toArray());
    }

    /** Under a plan that doesn't need them. Nothing waits for it: a mark that stays means nothing any more. */
    void forget(RegistrySession session, List<Leaver> over) {
        over.stream()
                .filter(leaver -> forgotten.add(leaver.left()))
                .forEach(leaver -> scope.connection()
                        .commit(session, transactions.awaitNoMore(leaver))
                        .whenComplete((outcome, error) -> {
                            if (error != null) {
                                log.debug("Job \"{}\": the mark of \"{}\" stays", scope.jobName(), leaver.id(), error);
                            }
                        }));
    }
}
