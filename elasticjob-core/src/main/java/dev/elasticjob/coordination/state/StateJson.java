package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Binds the stored forms of this package's values to JSON. Ignores unknown keys and values of another type, so that
 * instances of neighbouring versions work together. Keys keep the order of their declaration.
 */
public final class StateJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .addHandler(new OtherKindIgnored())
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, new InstantWriter())
                    .addDeserializer(Instant.class, text(InstantText::read))
                    .addDeserializer(String.class, text(Function.identity()))
                    .addDeserializer(ItemState.class, text(ItemState::valueOf))
                    .addDeserializer(RunEnd.class, text(RunEnd::valueOf))
                    .addDeserializer(int.class, new OfKind<>(JsonToken.VALUE_NUMBER_INT, 0, JsonParser::getIntValue)))
            .build();

    private StateJson() {}

    /** Writes values of one form, whose serializer is looked up once. Thread-safe. */
    static ObjectWriter writer(Class<?> form) {
        return MAPPER.writerFor(form);
    }

    /** Reads values of one form, whose deserializer is looked up once. Thread-safe. */
    static ObjectReader reader(Class<?> form) {
        return MAPPER.readerFor(form);
    }

    public static String text(Object form) {
        return MAPPER.writeValueAsString(form);
    }

    /** The stored value; empty if it isn't JSON of this form. */
    public static <F> Optional<F> read(byte[] data, Class<F> form) {
        try {
            return Optional.ofNullable(MAPPER.readValue(data, form));
        } catch (JacksonException foreign) {
            return Optional.empty();
        }
    }

    /**
     * Reads the value of a node from its stored form.
     *
     * @param expected an example, for the error message
     * @throws CorruptNodeException if it isn't JSON of this form, or no valid value
     */
    static <F, T> T read(String path, byte[] data, Class<F> form, String expected, Function<F, T> value) {
        return read(path, data, MAPPER.readerFor(form), expected, value);
    }

    /** @param reader reads the stored form */
    static <F, T> T read(String path, byte[] data, ObjectReader reader, String expected, Function<F, T> value) {
        try {
            F form = reader.readValue(data);
            return Optional.ofNullable(form).map(value).orElseThrow();
        } catch (Incomplete e) {
            throw new CorruptNodeException(path, expected + ", in which " + e.getMessage(), data, e);
        } catch (JacksonException | IllegalArgumentException | NoSuchElementException | DateTimeException e) {
            throw new CorruptNodeException(path, expected, data, e);
        }
    }

    /** The data has the form, but lacks values that its readers rely on. */
    static final class Incomplete extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Incomplete(String needed) {
            super(needed);
        }
    }

    private static final class InstantWriter extends ValueSerializer<Instant> {
        @Override
        public void serialize(Instant instant, JsonGenerator json, SerializationContext context) {
            json.writeString(InstantText.write(instant));
        }
    }

    private static <T> OfKind<T> text(Function<String, T> reading) {
        return new OfKind<>(JsonToken.VALUE_STRING, null, json -> reading.apply(json.getString()));
    }

    /** Reads tokens of one kind; any other counts as missing. */
    private static final class OfKind<T> extends ValueDeserializer<T> {
        private final JsonToken kind;
        private final @Nullable T missing;
        private final Function<JsonParser, T> reading;

        OfKind(JsonToken kind, @Nullable T missing, Function<JsonParser, T> reading) {
            this.kind = kind;
            this.missing = missing;
            this.reading = reading;
        }

        @Override
        public @Nullable T deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() == kind) {
                return reading.apply(json);
            }
            json.skipChildren();
            return missing;
        }

        @Override
        public @Nullable T getNullValue(DeserializationContext context) {
            return missing;
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
