package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.LeaderTask;
import dev.elasticjob.coordination.watchdog.OwnExecutions.PendingReport;
import dev.elasticjob.coordination.watchdog.ReportStore.Stored;
import dev.elasticjob.coordination.watchdog.WatchdogState.Answer;
import dev.elasticjob.coordination.watchdog.WatchdogState.Kind;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Reports executions of a job that take too long, and firings that nobody begins. An instance reports what it executes
 * itself. The leader reports the rest: what an instance is silent about, and firings. A job without these settings costs
 * nothing.
 *
 * <p>Confined to the coordination executor.
 */
public final class Watchdog implements LeaderTask {
    /** Of what an answer says of threads. */
    private static final int BYTES = 200;

    private final JobScope scope;
    private final ReconcileLoop loop;
    private final WatchdogReports reports;
    private final ReportStore store;
    private final OwnExecutions own;
    private final LeaderWatch leader;

    public Watchdog(JobScope scope) {
        this.scope = scope;
        this.loop = scope.loop("what is stuck", this::round);
        this.reports = new WatchdogReports(scope);
        this.store = new ReportStore(scope);
        this.own = new OwnExecutions(scope, reports, loop::again);
        this.leader = new LeaderWatch(scope, store, reports, loop::again);
    }

    /**
     * This instance has claimed items, and is about to execute them.
     *
     * @param progress of what executes here
     */
    public void claimed(List<ClaimedItem> items, OwnProgress progress) {
        own.claimed(items, progress);
    }

    /** An execution has ended here, or will never begin. */
    public void ended(ClaimedItem item) {
        own.ended(item);
    }

    /** This instance leads, and has read the job's nodes. */
    @Override
    public void lead(LeaderDuty duty) {
        leader.lead(duty);
    }

    /** This instance doesn't lead, or the definition can't be read. */
    @Override
    public void resign() {
        leader.resign();
    }

    @Override
    public void close() {
        leader.close();
        own.close();
        loop.stop();
    }

    private CompletionStage<Next> round() {
        Map<Integer, PendingReport> pending = own.pendingReports();
        if (pending.isEmpty()) {
            return reports.areOpen() ? learn() : leader.round();
        }
        return say(pending);
    }

    /** What was sent may be stored, though its answer was lost; and nothing else has to be said. */
    private CompletionStage<Next> learn() {
        return store.read().thenApply(stored -> {
            reports.stored(stored.value());
            return Next.AGAIN;
        });
    }

    // ------------------------------------------------------------------ what executes here

    private CompletionStage<Next> say(Map<Integer, PendingReport> pending) {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty()) {
            return scope.connection().whenConnected().thenApply(connected -> Next.AGAIN);
        }
        return store.read().thenCompose(stored -> say(session.get(), pending, stored));
    }

    private CompletionStage<Next> say(RegistrySession session, Map<Integer, PendingReport> pending, Stored stored) {
        WatchdogState next = stored.value();
        List<StuckItem> stuck = new ArrayList<>();
        for (PendingReport report : pending.values()) {
            ClaimedItem item = report.item();
            Optional<Answer> said = next.of(item.item(), item.token());
            boolean ofThisSession = item.sessionId() == session.id();
            Kind kind = report.progress().isPresent() ? Kind.STUCK : Kind.WAITS;
            // Nothing is said of an execution whose session is over: its item isn't locked any more.
            if (ofThisSession
                    && said.map(Answer::kind)
                            .filter(known -> known == kind || known == Kind.STUCK)
                            .isEmpty()) {
                next = next.with(
                        item.item(),
                        new Answer(item.token(), kind, item.instance(), RequestedBy.cut(report.threads(), BYTES)));
                report.progress()
                        .ifPresent(known ->
                                stuck.add(StuckItem.here(item, scope.clock().instant(), known)));
            }
        }
        String instance = pending.values().iterator().next().item().instance();
        reports.stored(stored.value());
        if (next.equals(stored.value())) {
            own.said(pending);
            return Next.AGAIN.stage();
        }
        reports.sent(stuck, instance);
        RegistryCommit commit = store.write(next, stored, RegistryCommit.ANY_VERSION);
        WatchdogState written = next;
        return scope.connection().commit(session, commit).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                reports.stored(written);
            }
            if (outcome.isCommitted() || store.isRemoved(outcome)) {
                own.said(pending);
            }
            return Next.AGAIN;
        });
    }
}
