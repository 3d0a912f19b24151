package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@link StoredFuzz} of what stands in a job's tree. */
class StoredValuesFuzzTest implements FuzzedForms {
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
    static Stream<StoredFuzz> forms() {
        return Stream.of(
                form("config", text(CODEC.config(ORDERS, Optional.empty())), data -> {
                    JobDefinition read =
                            CODEC.decode("orders", data, Optional.empty()).definition();
                    return CODEC.config(read, Optional.of(data));
                }),
                form("extension", text(CODEC.extension(ORDERS, Optional.empty())), data -> {
                    DecodedDefinition read =
                            CODEC.decode("orders", CODEC.config(ORDERS, Optional.empty()), Optional.of(data));
                    return CODEC.extension(read.definition(), Optional.of(data));
                }),
                form("whole definition", """
                {"whole":true,"jobType":"HTTP","cron":"0/5 * * * * ?","shardingTotalCount":2,"http":{"uri":"http://a.b/c",\
                "method":"POST","headers":{"x":"y"},"body":"z"},\
                "timeout":"PT30S","retry":{"maxAttempts":3,"delay":"PT1S"},"timeZone":"Asia/Shanghai","disabled":true}""", data -> {
                    JobDefinition read = CODEC.decodeWhole("orders", data).definition();
                    return CODEC.isWhole(read) ? CODEC.extension(read, Optional.of(data)) : data;
                }),
                form("record", """
                {"scheduledAt":"2026-03-01T12:00:00Z","state":"FAILED","instance":"10.0.0.1@-@7","runId":"m-1",\
                "parameter":"p","attempt":2,"crashes":1,"startedAt":"2026-03-01T12:00:00.015Z",\
                "finishedAt":"2026-03-01T12:00:01Z","failure":"java.lang.IllegalStateException: no stock",\
                "past":{"m-0":"COMPLETED"},"took":"PT1.5S"}""", data -> ItemRecordCodec.write(ItemRecordCodec.read(StoredFuzz.PATH, data))),
                form("assignment", """
                {"cron":"0/5 * * * * ?","timeZone":"UTC","since":"2026-03-01T12:00:00Z","former":[{"cron":"0 * * * * ?",\
                "timeZone":"UTC","since":"2026-02-01T12:00:00Z","until":"2026-03-01T12:00:00Z"}],\
                "floor":"2026-03-01T11:00:00Z","monitored":true,"plannedFrom":"x","owners":{"10.0.0.1@-@7":"0-3,9",\
                "10.0.0.2@-@7":"4-8"}}""", data -> NodeCodec.write(NodeCodec.readAssignment(StoredFuzz.PATH, data))),
                form(
                        "a parent's assignment",
                        """
                {"cron":"0/5 * * * * ?","timeZone":"UTC","since":"2026-03-01T12:00:00Z","owners":{"10.0.0.1@-@7":"0-9"},\
                "firings":{"listener":true,"from":"2026-03-01T12:00:00Z","followers":{"report":"2026-03-01T12:00:00Z"}}}""",
                        data -> NodeCodec.write(NodeCodec.readAssignment(StoredFuzz.PATH, data))),
                form(
                        "firings",
                        """
                {"newest":"2026-03-01T12:00:00Z","open":[{"at":"2026-03-01T12:00:00Z","items":"0-9","phase":"AFTER",\
                "instance":"10.0.0.1@-@7","attempt":2,"crashes":1,"since":"2026-03-01T12:00:00Z"},{"runId":"m-1","items":"0",\
                "phase":"ASKING","since":"2026-03-01T12:00:00Z","request":{"parameter":"p","by":{"actor":"a","reason":"b"}}}]}""",
                        data -> NodeCodec.write(NodeCodec.readFirings(StoredFuzz.node(data), StoredFuzz.PATH))),
                form("trigger", """
                {"runId":"m-1","parameter":"p","behind":[{"runId":"m-2","parameter":"q"}]}""", data -> NodeCodec.write(NodeCodec.readRuns(StoredFuzz.node(data))))
                        .acceptsAnything(),
                form("run ids", """
                ["m-1","m-2"]""", data -> NodeCodec.writeRunIds(NodeCodec.readRunIds(data)))
                        .acceptsAnything(),
                form(
                                "checkpoint",
                                "offset=4711",
                                data -> StoredFuzz.node(data).text().getBytes(StandardCharsets.UTF_8))
                        .acceptsAnything(),
                form("instance", """
                {"jobInstanceId":"10.0.0.1@-@7","serverIp":"10.0.0.1"}""", data -> {
                            String text = StoredFuzz.node(data).text();
                            NodeCodec.asksForRun(StoredFuzz.node(data));
                            NodeCodec.drained(StoredFuzz.node(data));
                            NodeCodec.isInstance(text);
                            return NodeCodec.instance(
                                            "a",
                                            NodeCodec.serverIp("a@-@1", text),
                                            InstanceLabels.NONE,
                                            OptionalInt.empty(),
                                            false)
                                    .getBytes(StandardCharsets.UTF_8);
                        })
                        .acceptsAnything(),
                StoredFuzz.of(
                        "leave mark",
                        """
                {"instance":17,"stopping":true,"awaitedMillis":60000,"shown":"{\\"jobInstanceId\\":\\"10.0.0.1@-@7\\"}"}""",
                        data -> LeaveMark.of(StoredFuzz.node(data)).map(mark -> StoredFuzz.bytes(mark.text()))),
                StoredFuzz.of(
                        "delay",
                        """
                {"number":3,"at":"2026-03-01T12:00:00Z","asking":true,"ended":"2026-03-01T12:01:00Z"}""",
                        data -> DelayedFiring.read(StoredFuzz.PATH, StoredFuzz.node(data))
                                .map(DelayedFiring::write)));
    }

    private static StoredFuzz form(String name, String example, UnaryOperator<byte[]> again) {
        return StoredFuzz.of(name, example, data -> Optional.of(again.apply(data)));
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }
}
