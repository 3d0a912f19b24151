package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of the nodes that coordination writes seldom: the assignment, manual runs, instances. Records have {@link
 * ItemRecordCodec}; the definition's own nodes are spelled by {@link dev.elasticjob.definition.codec.JobDefinitionCodec}.
 * Unknown keys are ignored, so that instances of neighbouring versions can work together.
 */
public final class NodeCodec {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final String INSTANCE_ID = "jobInstanceId";

    private NodeCodec() {}

    // ------------------------------------------------------------------ the assignment

    /** Owners are written as ranges over a table of ids: {@code "owners":{"a@-@1":"0-3,9"}}. */
    public static byte[] write(Assignment assignment) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("cron", assignment.cron());
        json.put("timeZone", assignment.timeZone().getId());
        putTime(json, "since", assignment.since());
        writeFormer(json, assignment.former());
        putTime(json, "floor", assignment.floor());
        json.put("monitored", assignment.monitored());
        putTime(json, "pausedFrom", assignment.pausedFrom());
        json.put("plannedFrom", assignment.plannedFrom());
        ObjectNode owners = json.putObject("owners");
        ItemRanges.byOwner(assignment.owners()).forEach(owners::put);
        return bytes(json);
    }

    public static Assignment readAssignment(String path, byte[] data) {
        return read(
                path, data, "an assignment such as {\"cron\":\"…\",…,\"owners\":{\"10.0.0.1@-@42\":\"0-3\"}}", json -> {
                    NavigableMap<Integer, String> owners = new TreeMap<>();
                    json.path("owners")
                            .properties()
                            .forEach(entry -> ItemRanges.items(entry.getValue().asString())
                                    .forEach(item -> owners.put(item, entry.getKey())));
                    ZoneId timeZone = ZoneId.of(required(text(json, "timeZone")));
                    return new Assignment(
                            parsable(required(text(json, "cron")), timeZone),
                            timeZone,
                            required(time(json, "since")),
                            readFormer(json.path("former")),
                            time(json, "floor"),
                            json.path("monitored").asBoolean(true),
                            time(json, "pausedFrom"),
                            json.path("plannedFrom").asString(""),
                            owners);
                });
    }

    /** The cron expression that such a node says is in force; empty where it can't be read, or there is none. */
    public static Optional<String> cron(RegistryNode sharding) {
        try {
            return Optional.of(readAssignment("", sharding.data()).cron()).filter(Predicate.not(String::isEmpty));
        } catch (CorruptNodeException e) {
            return Optional.empty();
        }
    }

    private static void writeFormer(ObjectNode json, List<FormerSchedule> former) {
        if (former.isEmpty()) {
            return;
        }
        ArrayNode schedules = json.putArray("former");
        former.forEach(schedule -> {
            ObjectNode written = schedules.addObject();
            written.put("cron", schedule.cron());
            written.put("timeZone", schedule.timeZone().getId());
            putTime(written, "since", schedule.since());
            putTime(written, "until", schedule.until());
        });
    }

    private static List<FormerSchedule> readFormer(JsonNode json) {
        List<FormerSchedule> former = new ArrayList<>();
        json.forEach(schedule -> {
            ZoneId timeZone = ZoneId.of(required(text(schedule, "timeZone")));
            former.add(new FormerSchedule(
                    parsable(required(text(schedule, "cron")), timeZone),
                    timeZone,
                    required(time(schedule, "since")),
                    required(time(schedule, "until"))));
        });
        return former;
    }

    /** Whoever reads an assignment relies on its schedule. */
    private static String parsable(String cron, ZoneId timeZone) {
        Schedule.of(cron, timeZone);
        return cron;
    }

    // ------------------------------------------------------------------ manual runs

    public static byte[] write(WaitingRuns waiting) {
        ObjectNode json = put(MAPPER.createObjectNode(), waiting.first());
        waiting.behindFirst().ifPresent(behind -> {
            ArrayNode others = json.putArray("behind");
            behind.runs().forEach(run -> put(others.addObject(), run));
        });
        return bytes(json);
    }

    private static ObjectNode put(ObjectNode json, ManualRun run) {
        json.put("runId", run.runId());
        json.put("parameter", run.parameter());
        return json;
    }

    /** Manual runs; whatever else an operator may have written asks for one under a name of its own. */
    public static WaitingRuns readRuns(RegistryNode node) {
        List<ManualRun> runs = new ArrayList<>();
        try {
            JsonNode json = MAPPER.readTree(node.data());
            readRun(json).ifPresent(runs::add);
            json.path("behind").forEach(behind -> readRun(behind).ifPresent(runs::add));
        } catch (JacksonException written) {
            // By hand: the node itself says enough.
        }
        return runs.isEmpty() ? WaitingRuns.of(ManualRun.of(operatorsRun(node.mzxid()))) : new WaitingRuns(runs);
    }

    private static Optional<ManualRun> readRun(JsonNode json) {
        String runIds = text(json, "runId");
        return runIds == null || runIds.isEmpty()
                ? Optional.empty()
                : Optional.of(ManualRun.parse(runIds, json.path("parameter").asString("")));
    }

    /** The id of a run that was asked for without one, by the transaction that did so. */
    static String operatorsRun(long zxid) {
        return "operator-" + Long.toHexString(zxid);
    }

    public static byte[] writeRunIds(List<String> runIds) {
        ArrayNode json = MAPPER.createArrayNode();
        runIds.forEach(json::add);
        return bytes(json);
    }

    /** The run ids that the bell shows; none where it holds something else. */
    public static List<String> readRunIds(byte[] data) {
        try {
            List<String> runIds = new ArrayList<>();
            MAPPER.readTree(data).forEach(runId -> runIds.add(runId.asString("")));
            return runIds;
        } catch (JacksonException foreign) {
            return List.of();
        }
    }

    // ------------------------------------------------------------------ instances

    /** Names the instance that gives its items away by the transaction that created its node. */
    public static String drain(RegistryNode instance) {
        return Long.toString(instance.czxid());
    }

    /** The {@code czxid} that a drain names; that of no node where it holds something else. */
    public static long drained(RegistryNode drain) {
        try {
            return Long.parseLong(drain.text().strip());
        } catch (NumberFormatException foreign) {
            return -1;
        }
    }

    /** What an operator's tool of 2.x writes into an instance's node. */
    public static boolean asksForRun(RegistryNode instance) {
        return Software.isCommand(instance.text());
    }

    public static String instance(String id, String ip) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put(INSTANCE_ID, id);
        json.put("serverIp", ip);
        return json.toString();
    }

    /** Whether an instance's node is one of ours, of any version. */
    static boolean isInstance(String data) {
        try {
            return MAPPER.readTree(data).path(INSTANCE_ID).isString();
        } catch (JacksonException foreign) {
            return false;
        }
    }

    /** The address of an instance's server: from its node, else, as for a 2.x instance, from its id. */
    public static String serverIp(String id, String data) {
        try {
            String ip = MAPPER.readTree(data).path("serverIp").asString("");
            if (!ip.isEmpty()) {
                return ip;
            }
        } catch (JacksonException written2x) {
            // Elastic-Job 2.x leaves the node empty or writes a command into it.
        }
        int end = id.indexOf("@-@");
        return end < 0 ? id : id.substring(0, end);
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T read(String path, byte[] data, String expected, Function<JsonNode, T> reader) {
        try {
            return reader.apply(MAPPER.readTree(data));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw new CorruptNodeException(path, expected, new String(data, StandardCharsets.UTF_8), e);
        }
    }

    private static void putTime(ObjectNode json, String key, @Nullable Instant value) {
        if (value != null) {
            json.put(key, InstantText.write(value));
        }
    }

    private static @Nullable String text(JsonNode json, String key) {
        JsonNode value = json.path(key);
        return value.isString() ? value.asString() : null;
    }

    private static @Nullable Instant time(JsonNode json, String key) {
        String value = text(json, key);
        return value == null ? null : InstantText.read(value);
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("a required key is missing");
        }
        return value;
    }
}
