package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.RegistryNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Data in nodes that no instance has written. Each is accepted, and what was read can be written and read again; or refused
 * with the error that the callers expect, and that names the node or the job. Anything else, a memory that fills up among
 * it, would harm other jobs of the process.
 *
 * <p>To look for more: {@code -Dfuzz.inputs=1000000 -Dfuzz.seed=7}.
 */
class StoredValuesFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 100_000);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final String PATH = "/orders/node";
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .jobClass("com.example.Orders")
            .cron("0/5 * * * * ?")
            .shardingTotalCount(3)
            .shardingItemParameters("0=a,1=b")
            .jobParameter("p")
            .failover(true)
            .retry(RetrySettings.of(2, Duration.ofSeconds(1)))
            .build();

    /** What is stored, how it is read, and how it is written again. */
    private enum Stored {
        CONFIG(text(CODEC.config(ORDERS, Optional.empty())), data -> {
            JobDefinition read = CODEC.decode("orders", data, Optional.empty()).definition();
            return CODEC.config(read, Optional.of(data));
        }),
        EXTENSION(text(CODEC.extension(ORDERS, Optional.empty())), data -> {
            DecodedDefinition read = CODEC.decode("orders", CODEC.config(ORDERS, Optional.empty()), Optional.of(data));
            return CODEC.extension(read.definition(), Optional.of(data));
        }),
        WHOLE_DEFINITION("""
                {"whole":true,"jobType":"HTTP","cron":"0/5 * * * * ?","shardingTotalCount":2,"http":{"uri":"http://a.b/c",\
                "method":"POST","headers":{"x":"y"},"body":"z"},\
                "timeout":"PT30S","retry":{"maxAttempts":3,"delay":"PT1S"},"timeZone":"Asia/Shanghai","disabled":true}""", data -> {
            JobDefinition read = CODEC.decodeWhole("orders", data).definition();
            return CODEC.isWhole(read) ? CODEC.extension(read, Optional.of(data)) : data;
        }),
        RECORD("""
                {"scheduledAt":"2026-03-01T12:00:00Z","state":"FAILED","instance":"10.0.0.1@-@7","runId":"m-1",\
                "parameter":"p","attempt":2,"crashes":1,"startedAt":"2026-03-01T12:00:00.015Z",\
                "finishedAt":"2026-03-01T12:00:01Z","failure":"java.lang.IllegalStateException: no stock",\
                "past":{"m-0":"COMPLETED"},"took":"PT1.5S"}""", data -> ItemRecordCodec.write(ItemRecordCodec.read(PATH, data))),
        ASSIGNMENT("""
                {"cron":"0/5 * * * * ?","timeZone":"UTC","since":"2026-03-01T12:00:00Z","former":[{"cron":"0 * * * * ?",\
                "timeZone":"UTC","since":"2026-02-01T12:00:00Z","until":"2026-03-01T12:00:00Z"}],\
                "floor":"2026-03-01T11:00:00Z","monitored":true,"plannedFrom":"x","owners":{"10.0.0.1@-@7":"0-3,9",\
                "10.0.0.2@-@7":"4-8"}}""", data -> NodeCodec.write(NodeCodec.readAssignment(PATH, data))),
        PARENTS_ASSIGNMENT("""
                {"cron":"0/5 * * * * ?","timeZone":"UTC","since":"2026-03-01T12:00:00Z","owners":{"10.0.0.1@-@7":"0-9"},\
                "firings":{"listener":true,"from":"2026-03-01T12:00:00Z","followers":{"report":"2026-03-01T12:00:00Z"}}}""", data -> NodeCodec.write(NodeCodec.readAssignment(PATH, data))),
        FIRINGS("""
                {"newest":"2026-03-01T12:00:00Z","open":[{"at":"2026-03-01T12:00:00Z","items":"0-9","phase":"AFTER",\
                "instance":"10.0.0.1@-@7","attempt":2,"crashes":1,"since":"2026-03-01T12:00:00Z"},{"runId":"m-1","items":"0",\
                "phase":"ASKING","since":"2026-03-01T12:00:00Z","request":{"parameter":"p","by":{"actor":"a","reason":"b"}}}]}""", data -> NodeCodec.write(NodeCodec.readFirings(node(data), PATH))),
        TRIGGER("""
                {"runId":"m-1","parameter":"p","behind":[{"runId":"m-2","parameter":"q"}]}""", data -> NodeCodec.write(NodeCodec.readRuns(node(data)))),
        RUN_IDS("""
                ["m-1","m-2"]""", data -> NodeCodec.writeRunIds(NodeCodec.readRunIds(data))),
        /** The job's own text: nothing reads it but the job. */
        CHECKPOINT("offset=4711", data -> node(data).text().getBytes(StandardCharsets.UTF_8)),
        INSTANCE("""
                {"jobInstanceId":"10.0.0.1@-@7","serverIp":"10.0.0.1"}""", data -> {
            String text = node(data).text();
            NodeCodec.asksForRun(node(data));
            NodeCodec.drained(node(data));
            NodeCodec.isInstance(text);
            return NodeCodec.instance("a", NodeCodec.serverIp("a@-@1", text), InstanceLabels.NONE, OptionalInt.empty())
                    .getBytes(StandardCharsets.UTF_8);
        });

        private final byte[] example;
        private final UnaryOperator<byte[]> again;

        /** Operators write into these nodes too: whatever it is means something. */
        boolean isAnything() {
            return this == TRIGGER || this == RUN_IDS || this == CHECKPOINT || this == INSTANCE;
        }

        Stored(String example, UnaryOperator<byte[]> again) {
            this.example = example.getBytes(StandardCharsets.UTF_8);
            this.again = again;
        }
    }

    @ParameterizedTest
    @EnumSource(Stored.class)
    void whatNobodyHasWrittenIsAcceptedOrRefused(Stored stored) {
        assertThat(stored.again.apply(stored.example)).as("the example").isNotEmpty();
        Random random = new Random(SEED + stored.ordinal());
        int inputs = INPUTS / Stored.values().length;
        int accepted = 0;
        for (int input = 0; input < inputs; input++) {
            byte[] data = changed(stored.example, random);
            try {
                accepted += isAccepted(stored, data) ? 1 : 0;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("%s, input %d: %s".formatted(stored, input, shown(data)), e);
            }
        }

        assertThat(accepted).as("inputs that were accepted").isBetween(1, stored.isAnything() ? inputs : inputs - 1);
    }

    private static boolean isAccepted(Stored stored, byte[] data) {
        byte[] written;
        try {
            written = stored.again.apply(data);
        } catch (CorruptNodeException e) {
            assertThat(e).hasMessageContaining(PATH);
            return false;
        } catch (UnreadableDefinitionException e) {
            assertThat(e).hasMessageContaining("orders");
            return false;
        }
        assertThat(stored.again.apply(written)).isEqualTo(written);
        return true;
    }

    // ------------------------------------------------------------------ inputs

    private static final List<String> TOKENS = List.of(
            "null",
            "true",
            "-1",
            "0",
            "2147483648",
            "1e400",
            "99999999999999999999999",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "{}",
            "[]",
            "[[]]",
            "[".repeat(2_000),
            "{\"a\":".repeat(2_000),
            "\"0-2147483647\"",
            "\"0-49999,0-49999\"",
            "\"+999999999-12-31T23:59:59.999999999Z\"",
            "\"PT2562047788015215H30M7S\"",
            "\"-PT1S\"",
            "\"PT-9223372036854775808S\"",
            "\"0 0 0 31 2 ?\"",
            "\"2=x,99999999=y\"",
            "{\"@class\":\"java.net.URL\"}",
            "[null]",
            "{\"x\":null}",
            "2147483647",
            "\"a/b\"",
            "\",\"",
            "\"" + "x".repeat(70_000) + "\"");

    /** The example, changed in one to three places. */
    private static byte[] changed(byte[] example, Random random) {
        byte[] data = example;
        for (int change = random.nextInt(3); change >= 0; change--) {
            data = changedOnce(data, random);
        }
        return data;
    }

    private static byte[] changedOnce(byte[] data, Random random) {
        int from = random.nextInt(data.length + 1);
        int to = Math.min(data.length, from + random.nextInt(20));
        return switch (random.nextInt(6)) {
            case 0 -> replaced(data, from, data.length, new byte[0]);
            case 1 -> replaced(data, from, to, new byte[0]);
            case 2 -> replaced(data, to, to, slice(data, from, to));
            case 3 -> replaced(data, from, Math.min(data.length, from + 1), new byte[] {(byte) random.nextInt(256)});
            case 4 -> replaced(data, from, to, token(random));
            default -> withOtherValue(data, from, random);
        };
    }

    /** Another value for the key before a place: this is still JSON. */
    private static byte[] withOtherValue(byte[] data, int place, Random random) {
        String text = text(data);
        int colon = text.lastIndexOf(':', Math.min(place, text.length()));
        int end = colon < 0 ? -1 : text.indexOf(',', colon);
        return end < 0
                ? data
                : (text.substring(0, colon + 1) + text(token(random)) + text.substring(end))
                        .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] token(Random random) {
        return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] slice(byte[] data, int from, int to) {
        return Arrays.copyOfRange(data, from, to);
    }

    private static byte[] replaced(byte[] data, int from, int to, byte[] by) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(data, 0, from);
        all.writeBytes(by);
        all.write(data, to, data.length - to);
        return all.toByteArray();
    }

    private static RegistryNode node(byte[] data) {
        return new RegistryNode(data, 1, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static String shown(byte[] data) {
        String text = text(data);
        return text.length() > 2_000 ? text.substring(0, 2_000) + "…" : text;
    }
}
