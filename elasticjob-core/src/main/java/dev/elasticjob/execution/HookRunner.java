package dev.elasticjob.execution;

import dev.elasticjob.coordination.firing.FiringHooks;
import dev.elasticjob.coordination.firing.HookClaim;
import dev.elasticjob.coordination.firing.HookClaim.Result;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * Calls the cluster listeners of one job, each call on a thread of its own: items that occupy all of the job's threads must
 * not delay what other items wait for. A call begins only while its lease holds.
 *
 * <p>Called on the coordination executor, on which it also reports.
 */
public final class HookRunner implements FiringHooks.Calls {
    private final RunScope scope;
    private final LongConsumer begins;
    private final BiConsumer<HookClaim, Result> ended;
    private final Set<HookCall> calls = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean stopped;

    /**
     * @param begins receives the session of each call before it starts
     * @param ended receives the end of each call, on the coordination executor
     */
    public HookRunner(RunScope scope, LongConsumer begins, BiConsumer<HookClaim, Result> ended) {
        this.scope = scope;
        this.begins = begins;
        this.ended = ended;
    }

    @Override
    public boolean exist() {
        return !scope.clusterListeners().isEmpty() && !stopped;
    }

    @Override
    public void begin(HookClaim claim) {
        if (stopped) {
            ended.accept(claim, new Result.NotBegun());
            return;
        }
        begins.accept(claim.sessionId());
        HookCall call = new HookCall(claim, scope, new HookCall.Surroundings() {
            @Override
            public void ended(HookCall over, Result result) {
                scope.coordination().execute(() -> ended.accept(over.claim(), result));
            }

            @Override
            public void left(HookCall over) {
                calls.remove(over);
                tellIdle();
            }
        });
        calls.add(call);
        try {
            scope.workers().execute(call);
        } catch (Throwable e) {
            call.refused(e);
        }
    }

    @Override
    public void cancel(HookClaim claim, String reason) {
        calls.stream().filter(call -> call.claim().equals(claim)).forEach(call -> call.cancel(reason));
    }

    @Override
    public void failed(String jobName, Throwable failure) {
        scope.report(jobName, failure);
    }

    /** Calls that have not begun never will, and are given back now. */
    public void beginNothingMore() {
        stopped = true;
        calls.forEach(HookCall::cancel);
        tellIdle();
    }

    /** Completes, on the coordination executor, once nothing more may start and all calls have returned. */
    public CompletionStage<Void> idle() {
        return idle.copy();
    }

    public boolean isIdle() {
        return calls.isEmpty();
    }

    private void tellIdle() {
        if (stopped && calls.isEmpty()) {
            scope.coordination().execute(() -> idle.complete(null));
        }
    }

    public void interruptAll(String reason) {
        calls.forEach(call -> call.interrupt(reason));
    }

    /** Interrupts the calls whose lease has ended. */
    public void interruptWithoutLease() {
        calls.stream()
                .filter(HookCall::isLeaseLost)
                .forEach(call -> call.interrupt("its registry session may have expired"));
    }

    /** Lets the calls whose lease has ended continue, and logs it once for each. */
    public void goOnWithoutLease() {
        calls.stream().filter(HookCall::isLeaseLost).forEach(HookCall::goOn);
    }
}
