package dev.elasticjob.job;

import org.jspecify.annotations.Nullable;

/**
 * An operator cancelled an execution, and its thread was interrupted. The cause is the exception that the job threw then.
 * There is no cause if the job returned normally; the execution counts as failed even so, as the operator was told.
 */
public final class ItemCancelledException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param reason who cancelled it, and why: {@code cancelled by alice: wrong data} */
    public ItemCancelledException(String reason, @Nullable Throwable thrown) {
        super(reason, thrown);
    }
}
