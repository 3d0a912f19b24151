package dev.elasticjob.spring.test;

import dev.elasticjob.spring.test.Execution.State;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on items of a job. Each assertion applies to all of these items. An item <em>ran</em> if its execution
 * ended, successfully or not; an execution that a kill interrupted doesn't count.
 */
public final class ItemsAssert extends AbstractAssert<ItemsAssert, List<Execution>> {
    private final String jobName;
    private final SortedSet<Integer> items;

    /** @param executions the executions of the job, of any item */
    ItemsAssert(String jobName, Set<Integer> items, List<Execution> executions) {
        super(executions, ItemsAssert.class);
        this.jobName = jobName;
        this.items = new TreeSet<>(items);
        if (items.isEmpty()) {
            throw failure(
                    "Expected job \"%s\" to have items to run, but it has none: are all of them disabled?", jobName);
        }
    }

    /** Selects one of these items by its number. */
    public ItemsAssert item(int number) {
        if (!items.contains(number)) {
            throw failure("Expected job \"%s\" to have an item %d, but it has %s", jobName, number, items);
        }
        return new ItemsAssert(jobName, Set.of(number), actual);
    }

    public ItemsAssert ranOnce() {
        return ranTimes(1);
    }

    public ItemsAssert neverRan() {
        return ranTimes(0);
    }

    public ItemsAssert ranTimes(int times) {
        return each(
                "to have run %s".formatted(times(times)),
                runs -> runs.stream().filter(Execution::isOver).count() == times,
                runs -> "it ran %s"
                        .formatted(times(runs.stream().filter(Execution::isOver).count())));
    }

    /** Verifies that every execution ended on this instance. */
    public ItemsAssert ranOn(String instance) {
        return each(
                "to have run on \"%s\"".formatted(instance),
                runs -> ranAnd(runs, run -> run.instance().equals(instance)),
                runs -> "it ran on "
                        + runs.stream()
                                .filter(Execution::isOver)
                                .map(run -> "\"" + run.instance() + "\"")
                                .distinct()
                                .toList());
    }

    /** Verifies that an execution on this instance was interrupted, because the instance was killed. */
    public ItemsAssert wereInterruptedOn(String instance) {
        return each(
                "to have been interrupted on \"%s\"".formatted(instance),
                runs -> runs.stream()
                        .anyMatch(run -> run.state() == State.INTERRUPTED
                                && run.instance().equals(instance)),
                runs -> "it was not");
    }

    /** An alias of {@link #wereInterruptedOn} for a single item. */
    public ItemsAssert wasInterruptedOn(String instance) {
        return wereInterruptedOn(instance);
    }

    /** Verifies that the items ran, and that no execution failed. */
    public ItemsAssert succeeded() {
        return each(
                "to have succeeded",
                runs -> ranAnd(runs, run -> run.state() == State.COMPLETED),
                ItemsAssert::failuresOf);
    }

    /** Verifies that the items ran, and that every execution threw such an exception. */
    public ItemsAssert failedWith(Class<? extends Throwable> type) {
        return each(
                "to have failed with " + type.getName(),
                runs -> ranAnd(
                        runs, run -> run.failure().filter(type::isInstance).isPresent()),
                ItemsAssert::failuresOf);
    }

    private static boolean ranAnd(List<Execution> runs, Predicate<Execution> such) {
        List<Execution> over = runs.stream().filter(Execution::isOver).toList();
        return !over.isEmpty() && over.stream().allMatch(such);
    }

    private static String failuresOf(List<Execution> runs) {
        if (runs.stream().noneMatch(Execution::isOver)) {
            return "it did not run";
        }
        List<Throwable> failures = runs.stream()
                .flatMap(run -> run.failure().stream())
                .filter(Objects::nonNull)
                .toList();
        return failures.isEmpty() ? "it succeeded" : "it failed with " + failures;
    }

    private ItemsAssert each(
            String expected, Predicate<List<Execution>> holds, Function<List<Execution>, String> found) {
        for (int item : items) {
            List<Execution> runs =
                    actual.stream().filter(run -> run.item() == item).toList();
            if (!holds.test(runs)) {
                throw failure(
                        "Expected item %d of job \"%s\" %s, but %s.%n%s",
                        item, jobName, expected, found.apply(runs), ExecutionTexts.text(jobName, actual));
            }
        }
        return this;
    }

    private static String times(long times) {
        return times == 1 ? "once" : times + " times";
    }
}
