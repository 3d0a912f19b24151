package dev.elasticjob.spring.actuate;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names and values that come with a request, besides its address. What asks for a value makes its name known, and what
 * can't be used is collected, so that {@link #end} refuses everything that is wrong at once: also each name that nobody has
 * asked for. A name that is mistyped, or belongs to another command, never widens a command.
 *
 * <p>Used by the thread of the request only.
 */
public final class GivenValues {
    private static final int MOST_SHOWN = 40;

    private final Map<String, Object> values;
    private final NavigableSet<String> known = new TreeSet<>();
    private final List<Violation> violations = new ArrayList<>();

    /** @param values texts, numbers, or several of them; a null that was written is one, too */
    private GivenValues(Map<String, Object> values) {
        this.values = values;
    }

    static GivenValues of(Map<String, ? extends @Nullable Object> values) {
        Map<String, Object> given = new LinkedHashMap<>();
        values.forEach((name, value) -> given.put(name, value == null ? Absent.WRITTEN : value));
        return new GivenValues(given);
    }

    /** For parameters of a method: what is null was left out. */
    static GivenValues ofPresent(Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> present = new LinkedHashMap<>(values);
        present.values().removeIf(value -> value == null);
        return of(present);
    }

    private enum Absent {
        WRITTEN
    }

    // ------------------------------------------------------------------ one value

    Optional<String> text(String name) {
        return value(name, Function.identity());
    }

    /** A text that isn't blank. */
    Optional<String> name(String name) {
        return value(name, text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("expected a text");
            }
            return text.strip();
        });
    }

    Optional<Integer> number(String name) {
        return value(name, GivenValues::parsed);
    }

    Optional<Instant> time(String name) {
        return value(name, text -> {
            try {
                return Instant.parse(text.strip());
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(
                        "expected a time with its zone, such as 2026-11-01T00:00:00Z or 2026-11-01T08:00:00+08:00", e);
            }
        });
    }

    /**
     * What a text means.
     *
     * @param reading fails with an {@link IllegalArgumentException} whose message says what was expected
     */
    <T> Optional<T> value(String name, Function<String, T> reading) {
        known.add(name);
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value == Absent.WRITTEN) {
            violations.add(new Violation(name, "null", "expected a value; to give none, leave the name out"));
            return Optional.empty();
        }
        String text = text(value);
        try {
            return Optional.of(reading.apply(text));
        } catch (IllegalArgumentException e) {
            violations.add(new Violation(name, shown(text), String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    /** A value that must be there. Empty only if {@link #end} fails. */
    <T> Optional<T> required(String name, Function<String, Optional<T>> value) {
        if (!values.containsKey(name)) {
            violations.add(new Violation(name, "", "expected \"%s\" in the body of the request".formatted(name)));
        }
        return value.apply(name);
    }

    // ------------------------------------------------------------------ items

    /** One or several items, as "item" or as "items"; empty if neither is there, which means all of them. */
    NavigableSet<Integer> someItems() {
        Optional<Integer> one = value("item", GivenValues::item);
        Optional<NavigableSet<Integer>> several = value("items", GivenItems::read);
        if (values.containsKey("item") && values.containsKey("items")) {
            violations.add(new Violation("items", shown(text(values.get("items"))), "expected either item or items"));
        }
        NavigableSet<Integer> all = new TreeSet<>(several.orElse(Collections.emptyNavigableSet()));
        one.ifPresent(all::add);
        return all;
    }

    /** The same where at least one must be there. Empty only if {@link #end} fails. */
    NavigableSet<Integer> requiredItems() {
        if (!values.containsKey("item") && !values.containsKey("items")) {
            violations.add(new Violation("item", "", "expected \"item\" or \"items\" in the body of the request"));
        }
        return someItems();
    }

    private static int item(String text) {
        return parsed(text, "expected the number of an item; for several, use \"items\", separated by commas");
    }

    /** @throws IllegalArgumentException if it is none */
    static int parsed(String text) {
        return parsed(text, "expected a number");
    }

    private static int parsed(String text, String expected) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }

    // ------------------------------------------------------------------ the end

    /**
     * To be called when every value has been asked for.
     *
     * @param taker what takes the values, such as {@code command "trigger"}
     * @throws InvalidValuesException with everything that is wrong
     */
    void end(String taker) {
        List<Violation> all = new ArrayList<>(violations);
        String expected = known.isEmpty()
                ? "no such name: %s takes no values".formatted(taker)
                : "no such name: %s takes only %s".formatted(taker, String.join(", ", known));
        values.forEach((name, value) -> {
            if (!known.contains(name)) {
                all.add(new Violation(name, shown(text(value)), expected));
            }
        });
        if (!all.isEmpty()) {
            throw new InvalidValuesException(taker, all);
        }
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return value == Absent.WRITTEN ? "null" : String.valueOf(value);
    }

    private static String shown(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }
}
