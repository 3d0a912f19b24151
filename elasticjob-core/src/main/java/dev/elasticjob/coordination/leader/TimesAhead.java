package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AheadPlanner.Correction;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's corrections of times that are ahead of the registry's clock: nobody waits for them. It corrects what is
 * ahead by two answers of the registry with a minute between them, because everything seems to be ahead while that
 * clock is behind.
 *
 * <p>Confined to the coordination executor.
 */
final class TimesAhead {
    private static final Logger log = LoggerFactory.getLogger(TimesAhead.class);
    /** Between two answers by which a time is ahead. */
    private static final Duration CONFIRMED = Duration.ofMinutes(1);
    /** An answer that was given for this. */
    private static final Duration FRESH = Duration.ofSeconds(5);
    /** After which a time that is much later than this machine's is asked for again. */
    private static final Duration DOUBTED = Duration.ofSeconds(30);

    private final JobScope scope;
    private final JobTransactions transactions;
    private final Reconciliation reconciliation;
    private final Runnable lookAgain;
    /** Nodes that this application must not write. */
    private final Set<String> denied = new HashSet<>();

    private OptionalLong aheadSince = OptionalLong.empty();
    private TaskTimer.Cancellable timer = () -> {};
    private boolean waits;

    /** @param lookAgain called when another round is due */
    TimesAhead(JobScope scope, Reconciliation reconciliation, Runnable lookAgain) {
        this.scope = scope;
        this.transactions = new JobTransactions(scope.tree());
        this.reconciliation = reconciliation;
        this.lookAgain = lookAgain;
    }

    void stop() {
        aheadSince = OptionalLong.empty();
        timer.cancel();
        waits = false;
    }

    /** Whether a round has to read the items. */
    boolean concerns(JobView view) {
        return aheadSince.isPresent() || !corrections(view).isEmpty();
    }

    /**
     * Asks for the registry's time if the known one is much later than this machine's: the registry's clock may have been
     * set since. Nothing else may do that, if this instance has nothing to write.
     *
     * @return empty if there is no reason
     */
    Optional<CompletionStage<Next>> askIfDoubtful(RegistrySession session) {
        RegistryMoment here = new RegistryMoment(scope.clock().instant());
        if (!here.isAhead(scope.registryTime().now())) {
            return Optional.empty();
        }
        Duration left = DOUBTED.minus(scope.registryTime().age());
        if (left.isNegative() || left.isZero()) {
            return Optional.of(scope.askTime(session).thenApply(asked -> Next.AGAIN));
        }
        wakeIn(left);
        return Optional.empty();
    }

    /**
     * Corrects what is ahead.
     *
     * @return empty if there is nothing to do at present; another round follows otherwise
     */
    Optional<CompletionStage<Next>> correct(RegistrySession session, LeaderView view) {
        List<Correction> found = corrections(view.job());
        boolean records = hasRecordsAhead(view);
        if (found.isEmpty() && !records) {
            aheadSince = OptionalLong.empty();
            return Optional.empty();
        }
        if (scope.registryTime().age().compareTo(FRESH) > 0) {
            return Optional.of(scope.askTime(session).thenApply(asked -> Next.AGAIN));
        }
        long now = scope.connection().nanoTime();
        aheadSince = OptionalLong.of(aheadSince.orElse(now));
        Duration left = CONFIRMED.minusNanos(now - aheadSince.getAsLong());
        if (!left.isNegative() && !left.isZero()) {
            wakeIn(left);
            return Optional.empty();
        }
        aheadSince = OptionalLong.empty();
        if (records) {
            // One that executes is set back once it has ended.
            aheadSince = OptionalLong.of(now);
            wakeIn(CONFIRMED);
            reconciliation.compareNow();
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(correctAll(session, found));
    }

    /** What somebody else has written meanwhile is read again, and corrected at once. */
    private CompletionStage<Next> correctAll(RegistrySession session, List<Correction> found) {
        long confirmed = scope.connection().nanoTime() - CONFIRMED.toNanos();
        return Stages.inOrder(found, each -> correct(session, each)).thenApply(done -> {
            aheadSince = done.contains(false) ? OptionalLong.of(confirmed) : OptionalLong.empty();
            return Next.AGAIN;
        });
    }

    private void wakeIn(Duration left) {
        if (!waits) {
            waits = true;
            timer = scope.connection().later(left, () -> {
                waits = false;
                lookAgain.run();
            });
        }
    }

    private List<Correction> corrections(JobView view) {
        return new AheadPlanner(view, present())
                .corrections().stream()
                        .filter(found -> !denied.contains(found.path()))
                        .toList();
    }

    private boolean hasRecordsAhead(LeaderView view) {
        return view.job().assignment().isPresent()
                && !new ReconcilePlanner(view)
                        .recordsFromTheFuture(present(), scope.clock().instant())
                        .isEmpty();
    }

    private RegistryMoment present() {
        return new RegistryMoment(scope.registryTime().now());
    }

    /** Whether it is done with the node: a refusal means that somebody else has written it. */
    private CompletionStage<Boolean> correct(RegistrySession session, Correction found) {
        Instant now = scope.registryTime().now();
        return scope.connection().commit(session, transactions.correct(found)).handle((outcome, error) -> {
            if (error == null && outcome.isCommitted()) {
                report(found, now);
            } else if (error != null) {
                refused(found, Stages.unwrap(error));
            }
            return error == null;
        });
    }

    private void report(Correction found, Instant now) {
        log.warn(
                "Job \"{}\": \"{}\" held a time in the future, {}: the clock of the ZooKeeper servers was ahead when it was"
                        + " written, or somebody wrote it by hand. Firings would have waited for it; now the registry's present"
                        + " time counts instead, {}. What came due before that under a changed schedule does not run: trigger"
                        + " the job if it is needed, and check the servers' clocks",
                scope.jobName(),
                found.path(),
                found.ahead(),
                now);
        scope.events().accept(new JobEvent.TimeCorrected(scope.jobName(), found.path(), found.ahead(), now));
    }

    private void refused(Correction found, Throwable error) {
        if (!(error instanceof RegistryAccessDeniedException)) {
            throw new CompletionException(error);
        }
        denied.add(found.path());
        log.warn(
                "Job \"{}\": \"{}\" holds a time in the future, {}, but this application must not write the node. Until that"
                        + " time, the pause that it describes does not count. Correct the node, or delete it",
                scope.jobName(),
                found.path(),
                found.ahead());
    }
}
