package dev.elasticjob.coordination.state;

import com.fasterxml.jackson.annotation.Nulls;
import dev.elasticjob.job.RunEnd;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Binds the stored forms of this package's values to JSON. Unknown keys are ignored, so that instances of neighbouring
 * versions work together. Keys keep the order of their declaration.
 *
 * <p>There are two ways to read. Nodes that decide what runs are read <em>strictly</em>: a value that the writing would not
 * accept is an error that names the node, the key, what was expected and what was found. Nodes into which operators and
 * their tools may write whatever they like are read <em>tolerantly</em>: what is of another kind counts as missing.
 */
public final class StateJson {
    private static final JsonMapper STRICT = mapper(Strictness.STRICT);
    private static final JsonMapper TOLERANT = mapper(Strictness.TOLERANT);

    private StateJson() {}

    private enum Strictness {
        STRICT,
        TOLERANT
    }

    private static JsonMapper mapper(Strictness how) {
        JsonMapper.Builder mapper = JsonMapper.builder()
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .changeDefaultNullHandling(
                        nulls -> nulls.withContentNulls(how == Strictness.STRICT ? Nulls.FAIL : Nulls.SKIP))
                .addModule(new SimpleModule()
                        .addSerializer(Instant.class, new InstantWriter())
                        .addDeserializer(Instant.class, text(how, StoredKind.of(Instant.class), InstantText::read))
                        .addDeserializer(String.class, text(how, StoredKind.of(String.class), Function.identity()))
                        .addDeserializer(ZoneId.class, text(how, StoredKind.of(ZoneId.class), ZoneId::of))
                        .addDeserializer(ItemState.class, text(how, StoredKind.of(ItemState.class), ItemState::valueOf))
                        .addDeserializer(RunEnd.class, text(how, StoredKind.of(RunEnd.class), RunEnd::valueOf))
                        .addDeserializer(Boolean.class, flag(how, null))
                        .addDeserializer(boolean.class, flag(how, false))
                        .addDeserializer(int.class, number(how, 0, JsonParser::getIntValue))
                        .addDeserializer(long.class, number(how, 0L, JsonParser::getLongValue)));
        return (how == Strictness.STRICT ? mapper : mapper.addHandler(new OtherKindIgnored())).build();
    }

    /** Writes values of one form, whose serializer is looked up once. Thread-safe. */
    static ObjectWriter writer(Class<?> form) {
        return STRICT.writerFor(form);
    }

    /** Reads values of one form strictly, whose deserializer is looked up once. Thread-safe. */
    static ObjectReader reader(Class<?> form) {
        return STRICT.readerFor(form);
    }

    public static String text(Object form) {
        return STRICT.writeValueAsString(form);
    }

    /** The stored value, read tolerantly; empty if it isn't JSON of this form. */
    public static <F> Optional<F> read(byte[] data, Class<F> form) {
        try {
            return Optional.ofNullable(TOLERANT.readValue(data, form));
        } catch (JacksonException foreign) {
            return Optional.empty();
        }
    }

    /**
     * Reads the value of a node strictly from its stored form.
     *
     * @param expected an example, for the error message
     * @param value makes the value of the form; may throw {@link WrongValue}
     * @throws CorruptNodeException if it isn't JSON of this form, or no valid value
     */
    public static <F, T> T read(String path, byte[] data, Class<F> form, String expected, Function<F, T> value) {
        return read(path, data, reader(form), expected, value);
    }

    /** @param reader reads the stored form */
    static <F, T> T read(String path, byte[] data, ObjectReader reader, String expected, Function<F, T> value) {
        try {
            F form = reader.readValue(data);
            return Optional.ofNullable(form).map(value).orElseThrow();
        } catch (WrongValue e) {
            throw new CorruptNodeException(path, e, data);
        } catch (JacksonException e) {
            throw WrongValue.of(e, data)
                    .map(wrong -> new CorruptNodeException(path, wrong, data))
                    .orElseGet(() -> new CorruptNodeException(path, expected, data, e));
        } catch (IllegalArgumentException | NoSuchElementException | DateTimeException e) {
            throw new CorruptNodeException(path, expected, data, e);
        }
    }

    /** What the data is as JSON, whatever its form. */
    static JsonNode tree(byte[] data) {
        return STRICT.readTree(data);
    }

    // ------------------------------------------------------------------ kinds of values

    private static final class InstantWriter extends ValueSerializer<Instant> {
        @Override
        public void serialize(Instant instant, JsonGenerator json, SerializationContext context) {
            json.writeString(InstantText.write(instant));
        }
    }

    private static <T> OfKind<T> text(Strictness how, StoredKind kind, Function<String, T> reading) {
        return new OfKind<>(how, Set.of(JsonToken.VALUE_STRING), kind, null, json -> reading.apply(json.getString()));
    }

    private static OfKind<Boolean> flag(Strictness how, @Nullable Boolean missing) {
        return new OfKind<>(
                how,
                Set.of(JsonToken.VALUE_TRUE, JsonToken.VALUE_FALSE),
                StoredKind.of(Boolean.class),
                missing,
                JsonParser::getBooleanValue);
    }

    private static <T> OfKind<T> number(Strictness how, T missing, Function<JsonParser, T> reading) {
        return new OfKind<>(how, Set.of(JsonToken.VALUE_NUMBER_INT), StoredKind.of(int.class), missing, reading);
    }

    /** Reads tokens of one kind. Any other is an error, or counts as missing. */
    private static final class OfKind<T> extends ValueDeserializer<T> {
        private final Strictness how;
        private final Set<JsonToken> tokens;
        private final StoredKind kind;
        private final @Nullable T missing;
        private final Function<JsonParser, T> reading;

        OfKind(
                Strictness how,
                Set<JsonToken> tokens,
                StoredKind kind,
                @Nullable T missing,
                Function<JsonParser, T> reading) {
            this.how = how;
            this.tokens = tokens;
            this.kind = kind;
            this.missing = missing;
            this.reading = reading;
        }

        @Override
        public @Nullable T deserialize(JsonParser json, DeserializationContext context) {
            if (tokens.contains(json.currentToken())) {
                return read(json);
            }
            if (how == Strictness.STRICT) {
                throw MismatchedInputException.from(json, kind.type(), kind.words());
            }
            json.skipChildren();
            return missing;
        }

        private T read(JsonParser json) {
            try {
                return reading.apply(json);
            } catch (RuntimeException e) {
                throw MismatchedInputException.from(json, kind.type(), kind.words())
                        .withCause(e);
            }
        }

        @Override
        public @Nullable T getNullValue(DeserializationContext context) {
            return missing;
        }
    }

    /** What a value is expected to be, in words. */
    record StoredKind(Class<?> type, String words) {
        static StoredKind of(Class<?> type) {
            return new StoredKind(type, words(type));
        }

        private static String words(Class<?> type) {
            if (type == Instant.class) {
                return "a time such as \"2026-03-01T12:00:00Z\"";
            }
            if (type == ZoneId.class) {
                return "a time zone such as \"Europe/Berlin\"";
            }
            if (type == Boolean.class) {
                return "true or false";
            }
            if (type == String.class) {
                return "a text";
            }
            if (type == int.class || type == long.class) {
                return "a whole number";
            }
            if (type.isEnum()) {
                return "one of " + Arrays.toString(type.getEnumConstants());
            }
            return Iterable.class.isAssignableFrom(type) || type.isArray() ? "a JSON array" : "a JSON object";
        }
    }

    /** Ignores values of another kind in lists and objects. */
    private static final class OtherKindIgnored extends DeserializationProblemHandler {
        @Override
        public @Nullable Object handleMissingInstantiator(
                DeserializationContext context,
                Class<?> form,
                @Nullable ValueInstantiator instantiator,
                JsonParser json,
                @Nullable String message) {
            return null;
        }

        @Override
        public @Nullable Object handleUnexpectedToken(
                DeserializationContext context,
                JavaType type,
                JsonToken found,
                JsonParser json,
                @Nullable String message) {
            json.skipChildren();
            return null;
        }
    }
}
