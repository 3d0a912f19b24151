package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names and values that come with a request, besides its address: of a command, by the arguments of its row, and of a
 * question, by their names. {@link #end} refuses everything that is wrong at once.
 *
 * <p>Used by the thread of the request only.
 */
public final class GivenValues {
    private final GivenArguments arguments;

    private GivenValues(GivenTexts texts) {
        this.arguments = new GivenArguments(texts);
    }

    static GivenValues of(Map<String, ? extends @Nullable Object> values) {
        return new GivenValues(GivenTexts.of(values));
    }

    /** For parameters of a method: what is null was left out. */
    static GivenValues ofPresent(Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> present = new LinkedHashMap<>(values);
        present.values().removeIf(value -> value == null);
        return of(present);
    }

    GivenArguments arguments() {
        return arguments;
    }

    Optional<String> text(String name) {
        return value(name, Function.identity());
    }

    Optional<Integer> number(String name) {
        return value(name, GivenValues::parsed);
    }

    Optional<Instant> time(String name) {
        return value(name, Argument::time);
    }

    /**
     * What a text means.
     *
     * @param reading fails with an {@link IllegalArgumentException} whose message says what was expected
     */
    <T> Optional<T> value(String name, Function<String, T> reading) {
        return arguments.find(Argument.ofText(name, reading));
    }

    /** @throws IllegalArgumentException if it is none */
    static int parsed(String text) {
        return GivenTexts.parsed(text, "expected a number");
    }

    /**
     * To be called when every value has been asked for.
     *
     * @param taker what takes the values, such as {@code command "trigger"}
     * @throws InvalidArgumentsException with everything that is wrong
     */
    void end(String taker) {
        arguments.end(taker);
    }
}
