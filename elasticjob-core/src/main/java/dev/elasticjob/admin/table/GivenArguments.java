package dev.elasticjob.admin.table;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The values that come with a request. What asks for a value makes its name known, and what can't be used is collected, so
 * that {@link #end} refuses everything that is wrong at once: also each name that nobody has asked for. A name that is
 * mistyped, or belongs to another command, never widens a command.
 *
 * <p>Used by the thread of the request until it has ended, and not changed after that.
 */
public final class GivenArguments {
    private final ArgumentSource source;
    private final Map<Argument<?>, Optional<?>> read = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final List<Violation> violations = new ArrayList<>();

    public GivenArguments(ArgumentSource source) {
        this.source = source;
    }

    /** Empty if it wasn't given, and can be left out; also if {@link #end} fails. */
    @SuppressWarnings("unchecked") // It was put there by this method.
    public <T> Optional<T> find(Argument<T> argument) {
        if (!read.containsKey(argument)) {
            read.put(argument, read(argument).or(argument::standard));
        }
        return (Optional<T>) read.get(argument);
    }

    /** An argument that must be there, or is chosen if it isn't. Not before {@link #end}. */
    public <T> T get(Argument<T> argument) {
        return find(argument).orElseThrow();
    }

    // ------------------------------------------------------------------ of a question, which isn't in the table

    public Optional<String> text(String name) {
        return value(name, Function.identity());
    }

    public Optional<Integer> number(String name) {
        return value(name, Argument::number);
    }

    public Optional<Instant> time(String name) {
        return value(name, Argument::time);
    }

    /**
     * What a text means.
     *
     * @param reading fails with an {@link IllegalArgumentException} whose message says what was expected
     */
    public <T> Optional<T> value(String name, Function<String, T> reading) {
        return find(new Argument<>(List.of(name), source -> source.text(name).map(reading), "expected a text"));
    }

    // ------------------------------------------------------------------ what is wrong

    /** A name that is taken, but has no value of its own. */
    public void know(String name) {
        known.add(name);
    }

    /** Something else is wrong with the request. */
    public void refuse(String name, String found, String expected) {
        violations.add(new Violation(name, found, expected));
    }

    private <T> Optional<T> read(Argument<T> argument) {
        String name = source.nameOf(argument.name());
        if (argument.names().stream().noneMatch(source::isInAddress)) {
            argument.names().forEach(one -> known.add(source.nameOf(one)));
        }
        try {
            Optional<T> found =
                    argument.names().stream().anyMatch(source::has) ? argument.read(source) : Optional.empty();
            if (found.isEmpty() && argument.isRequiredOf(source)) {
                refuse(name, "", argument.expected());
            }
            return found;
        } catch (InvalidArgumentsException e) {
            violations.addAll(e.violations());
        } catch (IllegalArgumentException e) {
            refuse(name, source.shown(name), String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    /**
     * To be called when every value has been asked for.
     *
     * @param taker what takes the values, such as {@code command "trigger"}
     * @throws InvalidArgumentsException with everything that is wrong
     */
    public void end(String taker) {
        String expected = known.isEmpty()
                ? "no such name: %s takes no values".formatted(taker)
                : "no such name: %s takes only %s".formatted(taker, String.join(", ", known));
        for (String name : source.names()) {
            if (!known.contains(name)) {
                refuse(name, source.shown(name), expected);
            }
        }
        if (!violations.isEmpty()) {
            throw new InvalidArgumentsException(taker, violations);
        }
    }
}
