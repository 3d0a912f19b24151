package dev.elasticjob.admin.table;

import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where the arguments of a command are read from: the texts of the endpoint, or the JSON of the console. Each kind of value
 * is read in one way, whichever argument it is of. A value of another kind is an {@link IllegalArgumentException} that says
 * what was expected.
 */
public interface ArgumentSource {
    /** What is said if both names of items are there. */
    String ONE_OR_SEVERAL = "expected either %s or %s";

    /** All names that were given, besides the address. */
    Set<String> names();

    /** Whether an argument was given, wherever. */
    boolean has(String argument);

    /** The value that was given under a name, for people; empty if there is none. */
    String shown(String name);

    /** Empty if it was left out. */
    Optional<String> text(String argument);

    /** Empty if it was left out. */
    Optional<Long> number(String argument);

    /** Several names with values, some of which may be groups. Empty if they were left out. */
    Optional<Map<String, Object>> settings(String argument);

    /**
     * One or several items.
     *
     * @throws InvalidArgumentsException if several things are wrong with them
     */
    NavigableSet<Integer> items(String one, String several);

    /** The name under which this source has the argument. */
    default String nameOf(String argument) {
        return argument;
    }

    /** Whether the address has the argument, or a header. It can't be given a second time then. */
    default boolean isInAddress(String argument) {
        return false;
    }

    /** Whether callers have to choose the ids of their runs, because they repeat requests that were not answered. */
    default boolean choosesIds() {
        return false;
    }
}
