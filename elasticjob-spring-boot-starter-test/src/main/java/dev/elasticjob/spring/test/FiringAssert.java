package dev.elasticjob.spring.test;

import dev.elasticjob.spring.test.Execution.State;
import org.assertj.core.api.AbstractAssert;

/** Assertions on one firing of a job. */
public final class FiringAssert extends AbstractAssert<FiringAssert, Firing> {
    FiringAssert(Firing firing) {
        super(firing, FiringAssert.class);
    }

    /** Verifies that every item of the firing ran, and that none failed. */
    public FiringAssert succeeded() {
        everyItem().succeeded();
        return this;
    }

    /**
     * Verifies that at least one item of the firing threw such an exception. For assertions on one item or on all of
     * them, see {@link ItemsAssert}.
     */
    public FiringAssert failedWith(Class<? extends Throwable> type) {
        boolean failed = actual.executions().stream()
                .filter(run -> run.state() == State.FAILED)
                .anyMatch(run -> run.failure().filter(type::isInstance).isPresent());
        if (!failed) {
            throw failure(
                    "Expected an item of job \"%s\" to have failed with %s, but none did.%n%s",
                    actual.jobName(), type.getName(), ExecutionTexts.text(actual.jobName(), actual.executions()));
        }
        return this;
    }

    public ItemsAssert everyItem() {
        return new ItemsAssert(actual.jobName(), actual.items(), actual.executions());
    }

    public ItemsAssert item(int number) {
        return everyItem().item(number);
    }
}
