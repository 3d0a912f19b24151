package dev.elasticjob.admin.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One value that commands take, with all that is known about it. It changes only while it is written in {@link CommandArguments}.
 *
 * @param <T> its values, which are immutable and never null
 */
public final class Argument<T> {
    static final String A_TIME =
            "expected a time with its zone, such as 2026-11-01T00:00:00Z or 2026-11-01T08:00:00+08:00";

    private final List<String> names;
    private final Function<ArgumentSource, Optional<T>> reader;
    private final String expected;
    private final Map<String, Map<String, Object>> schemas = new LinkedHashMap<>();
    private UnaryOperator<T> check = UnaryOperator.identity();
    private Supplier<Optional<T>> standard = Optional::empty;
    private boolean required;
    private boolean isId;

    /**
     * @param names one, or several ways to say it
     * @param expected what is said if it is missing
     */
    Argument(List<String> names, Function<ArgumentSource, Optional<T>> reader, String expected) {
        this.names = names;
        this.reader = reader;
        this.expected = expected;
    }

    /** One that isn't a command's, and must be there. */
    public static <T> Argument<T> needed(String name, Function<ArgumentSource, Optional<T>> reader) {
        return new Argument<>(List.of(name), reader, "expected \"%s\"".formatted(name)).required();
    }

    /** @throws IllegalArgumentException if the text is no time */
    public static Instant time(String text) {
        try {
            return Instant.parse(text.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(A_TIME, e);
        }
    }

    /** @throws IllegalArgumentException if the text is no number of 32 bits */
    public static int number(String text) {
        return read(text, Integer::parseInt);
    }

    /** @throws IllegalArgumentException if the text is no number of 64 bits */
    public static long longNumber(String text) {
        return read(text, Long::parseLong);
    }

    private static <N> N read(String text, Function<String, N> reading) {
        try {
            return reading.apply(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number", e);
        }
    }

    public String name() {
        return names.get(0);
    }

    /** Those under which it is given. */
    public List<String> names() {
        return names;
    }

    /** Whether a command can't be carried out without it. */
    public boolean isRequired() {
        return required;
    }

    /** Whether it has to be given by callers of this kind. */
    public boolean isRequiredOf(ArgumentSource source) {
        return required || (isId && source.choosesIds());
    }

    /** Whether it is the id of a new run, which callers choose if they repeat requests. */
    public boolean isId() {
        return isId;
    }

    /** By name, how a value looks in JSON, as OpenAPI has it, with its limits and a description. */
    public Map<String, Map<String, Object>> schemas() {
        return schemas;
    }

    @Override
    public String toString() {
        return String.join(", ", names);
    }

    // ------------------------------------------------------------------ for values

    String expected() {
        return expected;
    }

    /** The value if there is none. */
    Optional<T> standard() {
        return standard.get();
    }

    /** @throws IllegalArgumentException if it is none, or outside its limits */
    Optional<T> read(ArgumentSource source) {
        return reader.apply(source).map(check);
    }

    // ------------------------------------------------------------------ how an argument is written

    Argument<T> required() {
        required = true;
        return this;
    }

    /** @param limits fails with an {@link IllegalArgumentException} that says what was expected */
    Argument<T> checkedBy(UnaryOperator<T> limits) {
        check = limits;
        return this;
    }

    Argument<T> orElse(T value) {
        standard = () -> Optional.of(value);
        return this;
    }

    Argument<T> chosenByCallersOr(Supplier<T> id) {
        standard = () -> Optional.of(id.get());
        isId = true;
        return this;
    }

    /** @param parts of the form in JSON, a name and its value in turn */
    Argument<T> shapedAs(String name, Object... parts) {
        schemas.put(name, shape(parts));
        return this;
    }

    static Map<String, Object> shape(Object... parts) {
        Map<String, Object> shape = new LinkedHashMap<>();
        for (int index = 0; index < parts.length; index += 2) {
            shape.put(String.valueOf(parts[index]), parts[index + 1]);
        }
        return shape;
    }

    /** @param descriptions one for each name */
    Argument<T> says(String... descriptions) {
        List<String> texts = Arrays.asList(descriptions);
        for (int index = 0; index < texts.size(); index++) {
            schemas.computeIfAbsent(names.get(index), any -> new LinkedHashMap<>())
                    .put("description", texts.get(index));
        }
        return this;
    }
}
