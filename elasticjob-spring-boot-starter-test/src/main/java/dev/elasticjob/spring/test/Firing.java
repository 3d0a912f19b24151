package dev.elasticjob.spring.test;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.assertj.core.api.AssertProvider;

/**
 * What became of one firing of a job. AssertJ's {@code assertThat(firing)} has sentences for it.
 *
 * @param items that were to run: all but the disabled ones
 * @param executions in the order in which they began; several of an item when one was interrupted
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
