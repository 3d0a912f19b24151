package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON of items' records. Each execution reads one and writes two, so they go without a tree of nodes. Unknown keys are
 * ignored, as is a value of another kind, so that instances of neighbouring versions can work together.
 */
public final class ItemRecordCodec {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String EXPECTED = "an item's record such as {\"scheduledAt\":\"…\",\"state\":\"COMPLETED\",…}";

    /** Of a record without a failure. */
    private static final int USUAL_BYTES = 256;

    private ItemRecordCodec() {}

    public static byte[] write(ItemRecord item) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            putTime(json, "scheduledAt", item.scheduledAt());
            json.writeStringProperty("state", item.state().name());
            putText(json, "instance", item.instance());
            putRun(json, item.run());
            putCount(json, "attempt", item.attempt());
            putCount(json, "crashes", item.crashes());
            putTime(json, "startedAt", item.startedAt());
            putTime(json, "finishedAt", item.finishedAt());
            putText(json, "failure", item.failure());
            putPast(json, item.past());
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a record; empty data reads as an item without a history.
     *
     * @throws CorruptNodeException when it is none, or lacks what its state needs: whoever has a record can rely on it
     */
    public static ItemRecord read(String path, byte[] data) {
        if (data.length == 0) {
            return ItemRecord.NEW;
        }
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), data)) {
            ItemRecord read = new Read().of(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("there is more text after the record");
            }
            return read;
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw new CorruptNodeException(path, EXPECTED, new String(data, StandardCharsets.UTF_8), e);
        } catch (Incomplete e) {
            String expected = EXPECTED + ", in which " + e.getMessage();
            throw new CorruptNodeException(path, expected, new String(data, StandardCharsets.UTF_8), e);
        }
    }

    /** The record is JSON, but nobody could go on from what it says. */
    private static final class Incomplete extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Incomplete(String needed) {
            super(needed);
        }
    }

    /** What has been read so far. */
    private static final class Read {
        private @Nullable Instant scheduledAt;
        private @Nullable ItemState state;
        private @Nullable String instance;
        private @Nullable String runId;
        private int attempt;
        private int crashes;
        private @Nullable Instant startedAt;
        private @Nullable Instant finishedAt;
        private @Nullable String failure;
        private String parameter = "";
        private final List<PastRun> past = new ArrayList<>();

        ItemRecord of(JsonParser json) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                take(key, json);
                json.skipChildren();
            }
            if (state == null) {
                throw new Incomplete("\"state\" is one of " + List.of(ItemState.values()));
            }
            ManualRun run = runId == null ? null : ManualRun.parse(runId, parameter);
            if (state != ItemState.NEW && scheduledAt == null && run == null) {
                throw new Incomplete(
                        "the state %s needs \"scheduledAt\", or the \"runId\" of a manual run".formatted(state));
            }
            if (attempt < 0 || crashes < 0) {
                throw new Incomplete("\"attempt\" and \"crashes\" count from 0");
            }
            return new ItemRecord(
                    scheduledAt, state, instance, run, attempt, crashes, startedAt, finishedAt, failure, past);
        }

        private void take(String key, JsonParser json) {
            switch (key) {
                case "scheduledAt" -> scheduledAt = time(json);
                case "state" -> state = ItemState.valueOf(json.getString());
                case "instance" -> instance = text(json);
                case "runId" -> runId = text(json);
                case "parameter" -> {
                    String read = text(json);
                    parameter = read == null ? "" : read;
                }
                case "attempt" -> attempt = count(json);
                case "crashes" -> crashes = count(json);
                case "startedAt" -> startedAt = time(json);
                case "finishedAt" -> finishedAt = time(json);
                case "failure" -> failure = text(json);
                case "past" -> takePast(json);
                default -> {
                    // A neighbouring version's.
                }
            }
        }

        private void takePast(JsonParser json) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                return;
            }
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                String end = text(json);
                if (end != null) {
                    past.add(new PastRun(key, RunEnd.valueOf(end)));
                }
                json.skipChildren();
            }
        }

        private static @Nullable String text(JsonParser json) {
            return json.currentToken() == JsonToken.VALUE_STRING ? json.getString() : null;
        }

        private static @Nullable Instant time(JsonParser json) {
            String text = text(json);
            return text == null ? null : InstantText.read(text);
        }

        private static int count(JsonParser json) {
            return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getIntValue() : 0;
        }
    }

    private static void putRun(JsonGenerator json, @Nullable ManualRun run) {
        if (run != null) {
            json.writeStringProperty("runId", run.runId());
            if (!run.parameter().isEmpty()) {
                json.writeStringProperty("parameter", run.parameter());
            }
        }
    }

    /** Oldest first: a reader takes them in the order in which they stand. */
    private static void putPast(JsonGenerator json, List<PastRun> past) {
        if (!past.isEmpty()) {
            json.writeObjectPropertyStart("past");
            past.forEach(run -> json.writeStringProperty(run.runId(), run.end().name()));
            json.writeEndObject();
        }
    }

    private static void putText(JsonGenerator json, String key, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(key, value);
        }
    }

    private static void putTime(JsonGenerator json, String key, @Nullable Instant value) {
        if (value != null) {
            json.writeStringProperty(key, InstantText.write(value));
        }
    }

    private static void putCount(JsonGenerator json, String key, int value) {
        if (value != 0) {
            json.writeNumberProperty(key, value);
        }
    }
}
