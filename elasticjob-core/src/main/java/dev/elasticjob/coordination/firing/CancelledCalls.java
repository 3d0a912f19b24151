package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.Ownership;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Finds the calls of this instance before whose firing operators have cancelled: no item of it is left that would begin. The
 * items are read only when somebody has touched the instance's own node.
 *
 * <p>Confined to the coordination executor.
 */
final class CancelledCalls {
    private static final String REASON =
            "the firing was cancelled, or its items are disabled: none of them would begin it any more";

    private final EndedFirings endedFirings;
    private final HookClaims claims;
    private final FiringHooks.Calls calls;
    private final Supplier<Optional<Ownership>> own;
    private final ReconcileLoop loop;
    private boolean touched;

    /** @param own the present ownership */
    CancelledCalls(
            JobScope scope,
            EndedFirings endedFirings,
            HookClaims claims,
            FiringHooks.Calls calls,
            Supplier<Optional<Ownership>> own) {
        this.endedFirings = endedFirings;
        this.claims = claims;
        this.calls = calls;
        this.own = own;
        this.loop = scope.loop("cancelled calls of listeners", this::round);
    }

    /** The firing of a call may have been cancelled, also of one that is claimed without this instance knowing it yet. */
    void look() {
        touched = true;
        lookIfTouched();
    }

    /** A call may have been claimed. */
    void lookIfTouched() {
        boolean any =
                own.get().filter(now -> !claims.before(now.session()).isEmpty()).isPresent();
        if (touched && any) {
            touched = false;
            loop.again();
        } else if (claims.undecided().isEmpty()) {
            touched = false;
        }
    }

    private CompletionStage<Next> round() {
        return own.get()
                .map(now -> Stages.inOrder(claims.before(now.session()), claim -> look(now, claim))
                        .thenApply(looked -> Next.WAIT))
                .orElseGet(Next.WAIT::stage);
    }

    private CompletionStage<Void> look(Ownership now, HookClaim claim) {
        return endedFirings.isLeftBehind(now, claim.firing()).thenAccept(left -> {
            if (left) {
                calls.cancel(claim, REASON);
            }
        });
    }
}
