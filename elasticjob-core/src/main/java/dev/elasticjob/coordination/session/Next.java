package dev.elasticjob.coordination.session;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The action that follows a step of coordination. */
public enum Next {
    /** Read and plan again at once. */
    AGAIN,
    /** Nothing, until the next event. */
    WAIT;

    public static Next againIf(boolean more) {
        return more ? AGAIN : WAIT;
    }

    /** The action that follows several steps: {@link #AGAIN} if any of them returned it. */
    public static Next of(Collection<Next> steps) {
        return againIf(steps.contains(AGAIN));
    }

    public CompletionStage<Next> stage() {
        return CompletableFuture.completedFuture(this);
    }
}
