package dev.elasticjob.spring.test;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.assertj.core.api.AssertProvider;

/**
 * The outcome of one firing of a job. AssertJ's {@code assertThat(firing)} offers assertions on it.
 *
 * @param items the items of the firing: all except the disabled ones
 * @param executions the executions, in the order in which they started; several for an item if one was interrupted
 */
public record Firing(String jobName, SortedSet<Integer> items, List<Execution> executions)
        implements AssertProvider<FiringAssert> {
    public Firing {
        items = new TreeSet<>(items);
        executions = List.copyOf(executions);
    }

    /** For AssertJ, which calls it in its own {@code assertThat}. */
    @Override
    public FiringAssert assertThat() {
        return new FiringAssert(this);
    }
}
