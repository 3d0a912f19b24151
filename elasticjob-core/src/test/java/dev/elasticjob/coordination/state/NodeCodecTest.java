package dev.elasticjob.coordination.state;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeCodecTest {
    private static final String ITEM = "/orders/sharding/4";
    private static final String SHARDING = "/orders/sharding";

    @Test
    void aRunRemembersWhoRequestedItAndAnyOfItsRequestsWillDo() {
        RequestedBy alice = RequestedBy.of("alice\n", "because of " + "é".repeat(100));
        ManualRun run = ManualRun.of("r1").foldedWith(ManualRun.of("r2").by(alice));
        WaitingRuns waiting =
                WaitingRuns.of(run).restored(ManualRun.of("r0", "other").by(alice));
        ItemRecord claimed = ItemRecord.NEW.claimedFor(run, US, NOON);

        assertThat(alice.actor()).isEqualTo("alice");
        assertThat(alice.reason()).isEqualTo("because of " + "é".repeat(58));
        assertThat(run.by()).isEqualTo(alice);
        assertThat(NodeCodec.readRuns(node(text(NodeCodec.write(waiting))))).isEqualTo(waiting);
        assertThat(ItemRecordCodec.read(ITEM, ItemRecordCodec.write(claimed)).run())
                .isEqualTo(run);
    }

    @Test
    void aNewItemsRecordIsShort() {
        assertThat(text(ItemRecordCodec.write(ItemRecord.startingAt(NOON))))
                .isEqualTo("{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"NEW\"}");
    }

    @Test
    void aFullRecordHasTheKeysOfTheProtocol() {
        Map<String, RunEnd> past = new LinkedHashMap<>();
        past.put("run-7", RunEnd.DROPPED);
        past.put("run-5", RunEnd.COMPLETED);
        ItemRecord full = new ItemRecord(
                NOON,
                ItemState.FAILED,
                US,
                ManualRun.parse("run-1,run-2", "Oct\"ober").orElseThrow(),
                2,
                1,
                NOON.plusMillis(5),
                NOON.plusSeconds(9),
                "it \"broke\"",
                past);

        byte[] written = ItemRecordCodec.write(full);

        assertThat(text(written))
                .isEqualTo("{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"FAILED\","
                        + "\"instance\":\"10.0.0.1@-@1\",\"runId\":\"run-1,run-2\",\"parameter\":\"Oct\\\"ober\",\"attempt\":2,\"crashes\":1,"
                        + "\"startedAt\":\"2026-03-01T12:00:00.005Z\",\"finishedAt\":\"2026-03-01T12:00:09Z\","
                        + "\"failure\":\"it \\\"broke\\\"\","
                        + "\"past\":{\"run-7\":\"DROPPED\",\"run-5\":\"COMPLETED\"}}");
        assertThat(ItemRecordCodec.read(ITEM, written)).isEqualTo(full);
    }

    /** A healthy item's record is as short as before. */
    @Test
    void onlyARecordOfAnItemThatFailsCountsItsFailures() {
        ItemRecord healthy = Samples.completed(NOON, Duration.ofSeconds(1)).claimed(NOON.plusSeconds(60), US, NOON);
        ItemRecord failed = healthy.ended(ItemState.FAILED, NOON, NOON.plusSeconds(61), "no space left");
        ItemRecord runs = failed.claimed(NOON.plusSeconds(120), US, NOON);

        assertThat(text(ItemRecordCodec.write(healthy))).doesNotContain("failing");
        assertThat(text(ItemRecordCodec.write(failed)))
                .endsWith("\"failing\":{\"times\":1,\"since\":\"2026-03-01T12:01:01Z\","
                        + "\"succeeded\":\"2026-03-01T12:00:01Z\"}}");
        assertThat(text(ItemRecordCodec.write(runs))).contains("\"last\":\"no space left\"}}");
        assertThat(ItemRecordCodec.read(ITEM, ItemRecordCodec.write(failed))).isEqualTo(failed);
        assertThat(ItemRecordCodec.read(ITEM, ItemRecordCodec.write(runs))).isEqualTo(runs);
    }

    @Test
    void whatCountsTowardsAPauseIsReadAsWritten() {
        ItemRecord first = Samples.running(NOON).countedUnder(OptionalLong.of(0));
        ItemRecord failed = first.ended(ItemState.FAILED, NOON, NOON.plusSeconds(1), "no space left");
        ItemRecord runs = failed.claimed(NOON.plusSeconds(60), US, NOON).countedUnder(OptionalLong.of(0));
        ItemRecord resumed = failed.claimed(NOON.plusSeconds(60), US, NOON).countedUnder(OptionalLong.of(77));

        assertThat(text(ItemRecordCodec.write(first)))
                .endsWith(",\"counted\":{\"times\":0,\"under\":0}}")
                .doesNotContain("failing");
        assertThat(text(ItemRecordCodec.write(failed)))
                .endsWith("\"failing\":{\"times\":1,\"since\":\"2026-03-01T12:00:01Z\"},"
                        + "\"counted\":{\"times\":1,\"under\":0}}");
        assertThat(text(ItemRecordCodec.write(resumed))).endsWith(",\"counted\":{\"times\":0,\"under\":77}}");
        for (ItemRecord record : List.of(first, failed, runs, resumed)) {
            assertThat(ItemRecordCodec.read(ITEM, ItemRecordCodec.write(record)))
                    .isEqualTo(record);
        }
        assertThat(failed.failuresIn(0)).isEqualTo(1);
        assertThat(failed.failuresIn(77)).isZero();
    }

    @Test
    void howLongAnItemTakesIsStoredIfItIsMeasured() {
        ItemRecord measured =
                Samples.running(NOON).measured(true).ended(ItemState.COMPLETED, NOON, NOON.plusMillis(1_500), null);

        assertThat(text(ItemRecordCodec.write(measured))).endsWith(",\"took\":\"PT1.5S\"}");
        assertThat(ItemRecordCodec.read("/orders/sharding/0", ItemRecordCodec.write(measured)))
                .isEqualTo(measured);
    }

    @Test
    void aWishAndARepetitionAreReadAsWritten() {
        ManualRun again = ManualRun.of("again").repeating(new RepeatedRun(NOON, null, 2));
        ItemRecord record = Samples.running(NOON)
                .ended(ItemState.FAILED, NOON, NOON, "broken")
                .claimedFor(again, US, NOON)
                .cancelling(new Cancellation("alice", "wrong data"));
        WaitingRuns waiting = WaitingRuns.of(ManualRun.of("r1").foldedWith(ManualRun.of("r2")))
                .dropping("r1", new Cancellation("alice", ""));

        byte[] written = ItemRecordCodec.write(record);

        assertThat(text(written))
                .contains("\"repeats\":{\"at\":\"2026-03-01T12:00:00Z\"", "\"cancelled\":{\"actor\":\"alice\"");
        assertThat(ItemRecordCodec.read(ITEM, written)).isEqualTo(record);
        assertThat(NodeCodec.readRuns(node(text(NodeCodec.write(waiting))))).isEqualTo(waiting);
        assertThat(NodeCodec.readRuns(node(text(NodeCodec.write(WaitingRuns.of(again)))))
                        .first())
                .isEqualTo(again);
    }

    @Test
    void aRunThatIsDroppedTakesNoRequestAndLeavesThoseThatSharedIt() {
        Cancellation cancellation = new Cancellation("alice", "");
        WaitingRuns both = WaitingRuns.of(ManualRun.of("r1").foldedWith(ManualRun.of("r2")));

        WaitingRuns one = both.dropping("r1", cancellation);
        WaitingRuns none = one.dropping("r2", cancellation);

        assertThat(one.letsBegin("r1")).isFalse();
        assertThat(one.letsBegin("r2")).isTrue();
        assertThat(none.asked(ManualRun.of("r3")).letsBegin("r3")).isTrue();
        assertThat(none.takes(ManualRun.of("r3", "p"))).isTrue();
        assertThat(none.names(ManualRun.of("r1"))).isTrue();
    }

    @Test
    void longTextsOfAWishAreCutBetweenCharacters() {
        Cancellation cancellation = Cancellation.of("ä".repeat(40), "two\nlines");

        assertThat(cancellation.actor()).isEqualTo("ä".repeat(32));
        assertThat(cancellation.reason()).isEqualTo("two lines");
    }

    @Test
    void emptyDataIsAnItemWithoutAHistory() {
        assertThat(ItemRecordCodec.read(ITEM, new byte[0])).isEqualTo(ItemRecord.NEW);
    }

    @Test
    void keysOfANewerVersionAreIgnored() {
        byte[] data = bytes(
                "{\"state\":\"COMPLETED\",\"runId\":\"r1\",\"mood\":\"good\",\"attempt\":1,\"more\":{\"a\":[1]}}");

        ItemRecord read = ItemRecordCodec.read(ITEM, data);

        assertThat(read)
                .isEqualTo(new ItemRecord(
                        null, ItemState.COMPLETED, null, ManualRun.of("r1"), 1, 0, null, null, null, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oops",
                "{",
                "null",
                "[]",
                "{}",
                "{\"state\":\"LOITERING\"}",
                "{\"state\":7}",
                "{\"state\":\"NEW\",\"scheduledAt\":\"yesterday\"}",
                "{\"state\":\"NEW\"} {}"
            })
    void aCorruptRecordNamesItsNodeAndWhatToDo(String data) {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> ItemRecordCodec.read(ITEM, bytes(data)))
                .withMessageContaining("\"" + ITEM + "\"")
                .withMessageContaining("\"" + data + "\"")
                .withMessageContaining("Correct or delete it");
    }

    @Test
    void longCorruptDataIsShownInPart() {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> ItemRecordCodec.read(ITEM, bytes("x".repeat(10_000))))
                .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void theAssignmentIsWrittenAsRangesByOwner() {
        NavigableMap<Integer, String> owners = new TreeMap<>();
        owners.put(0, THEM);
        owners.put(1, US);
        owners.put(2, US);
        owners.put(3, US);
        owners.put(4, THEM);
        owners.put(5, US);
        Assignment assignment = new Assignment(
                Schedule.of("0 * * * * ?", ZoneId.of("Europe/Berlin")),
                NOON,
                List.of(),
                NOON.minusSeconds(1),
                true,
                null,
                "ab",
                owners);

        byte[] written = NodeCodec.write(assignment);

        assertThat(text(written))
                .isEqualTo("{\"cron\":\"0 * * * * ?\",\"timeZone\":\"Europe/Berlin\","
                        + "\"since\":\"2026-03-01T12:00:00Z\",\"floor\":\"2026-03-01T11:59:59Z\","
                        + "\"monitored\":true,\"plannedFrom\":\"ab\","
                        + "\"owners\":{\"10.0.0.1@-@1\":\"1-3,5\",\"10.0.0.2@-@1\":\"0,4\"}}");
        assertThat(NodeCodec.readAssignment(SHARDING, written)).isEqualTo(assignment);
    }

    @Test
    void schedulesBeforeAreReadAsWritten() {
        Assignment changed = Samples.assignment(Samples.definition().build(), NOON)
                .withFormer(List.of(new FormerSchedule(
                        Schedule.of("0 0 3 * * ?", ZoneId.of("Europe/Berlin")),
                        NOON.minusSeconds(9),
                        NOON.minusSeconds(1))));

        byte[] written = NodeCodec.write(changed);

        assertThat(text(written))
                .contains("\"former\":[{\"cron\":\"0 0 3 * * ?\",\"timeZone\":\"Europe/Berlin\","
                        + "\"since\":\"2026-03-01T11:59:51Z\",\"until\":\"2026-03-01T11:59:59Z\"}]");
        assertThat(NodeCodec.readAssignment(SHARDING, written)).isEqualTo(changed);
    }

    @Test
    void anAssignmentWithoutOwnersOrFloorIsReadAsWritten() {
        Assignment paused = new Assignment(
                Schedule.of("0 * * * * ?", ZoneId.of("Z")),
                NOON,
                List.of(),
                null,
                false,
                NOON.plusSeconds(1),
                "",
                new TreeMap<>());

        assertThat(NodeCodec.readAssignment(SHARDING, NodeCodec.write(paused))).isEqualTo(paused);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Mars\",\"since\":\"2026-03-01T12:00:00Z\"}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\"}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"a\":\"3-1\"}}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"a\":\"-1\"}}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"a\":{}}}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"former\":[null]}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"former\":[7]}",
                "{\"cron\":\"* * * * * ?\",\"timeZone\":\"Z\",\"since\":\"2026-03-01T12:00:00Z\",\"former\":[{\"cron\":\"\",\"timeZone\":\"Z\"}]}"
            })
    void aCorruptAssignmentNamesItsNode(String data) {
        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> NodeCodec.readAssignment(SHARDING, bytes(data)))
                .withMessageContaining("\"" + SHARDING + "\"");
    }

    /** The key, what is found there, and what was expected. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            scheduledAt     | 7                         | a time such as
            instance        | {"id":1}                  | a text
            parameter       | 8                         | a text
            attempt         | "1"                       | a whole number
            crashes         | 1.5                       | a whole number
            attempt         | -1                        | a whole number from 0 to
            attempt         | 2147483647                | a whole number from 0 to
            failure         | []                        | a text
            past            | ["r0"]                    | a JSON object
            past.r0         | {"r0":1}                  | one of [
            past.r0         | {"r0":null}               | one of [
            opened          | "no"                      | true or false
            ends            | ["2026-03-01T12:00:00Z"]  | texts such as
            ends[0]         | [null]                    | a text
            repeats.attempt | {"runId":"r0","attempt":-1} | a whole number from 0 to
            cancelled.actor | {"actor":{}}              | a text
            runId           | "a/b"                     | run ids that commas join
            runId           | ","                       | run ids that commas join
            """)
    void aWrongValueInARecordIsNamedWithItsKey(String key, String found, String expected) {
        String first = key.split("[.\\[]")[0];
        String known = first.equals("runId") ? "" : "\"runId\":\"r1\",";
        byte[] data = bytes("{\"state\":\"COMPLETED\"," + known + "\"" + first + "\":" + found + "}");

        assertThatExceptionOfType(CorruptNodeException.class)
                .isThrownBy(() -> ItemRecordCodec.read(ITEM, data))
                .withMessageContaining("\"" + ITEM + "\" can't be read: expected \"" + key + "\" to be " + expected)
                .withMessageContaining("but was ");
    }

    @Test
    void aKeyThatIsNullIsMissing() {
        byte[] data =
                bytes("{\"state\":\"COMPLETED\",\"runId\":\"r1\",\"attempt\":null,\"startedAt\":null,\"past\":null,"
                        + "\"opened\":null,\"ends\":null,\"cancelled\":null,\"by\":null}");

        assertThat(ItemRecordCodec.read(ITEM, data))
                .isEqualTo(new ItemRecord(
                        null, ItemState.COMPLETED, null, ManualRun.of("r1"), 0, 0, null, null, null, Map.of()));
    }

    @Test
    void waitingRunsAreReadAsWrittenAndWhateverElseStandsThereAsAnOperators() {
        WaitingRuns one = WaitingRuns.of(ManualRun.of("r1", "October"));
        WaitingRuns two = one.restored(ManualRun.of("r0"));

        assertThat(text(NodeCodec.write(one))).isEqualTo("{\"runId\":\"r1\",\"parameter\":\"October\"}");
        assertThat(text(NodeCodec.write(two)))
                .isEqualTo(
                        "{\"runId\":\"r0\",\"parameter\":\"\",\"behind\":[{\"runId\":\"r1\",\"parameter\":\"October\"}]}");
        assertThat(NodeCodec.readRuns(node(text(NodeCodec.write(two))))).isEqualTo(two);
        assertThat(NodeCodec.readRuns(node("{\"runId\":\"r1\",\"parameter\":10,\"behind\":[{},null,\"x\",7]}")))
                .isEqualTo(WaitingRuns.of(ManualRun.of("r1", "10")));
        assertThat(List.of("", "now", "[]", "{}", "{\"runId\":\"\"}", "{\"runId\":1}", "null"))
                .allSatisfy(text ->
                        assertThat(NodeCodec.readRuns(node(text)).runIds()).containsExactly("operator-2a"));
    }

    private static RegistryNode node(String text) {
        return new RegistryNode(bytes(text), 0, 1, 42, NOON, NOON, 0);
    }

    @Test
    void runIdsAreAListAndNothingElseIs() {
        assertThat(text(NodeCodec.writeRunIds(List.of("a", "b")))).isEqualTo("[\"a\",\"b\"]");
        assertThat(NodeCodec.readRunIds(bytes("[\"a\",\"b\"]"))).containsExactly("a", "b");
        assertThat(List.of("", "x", "{}", "7", "[]"))
                .allSatisfy(
                        text -> assertThat(NodeCodec.readRunIds(bytes(text))).isEmpty());
    }

    @Test
    void halfACharacterInARunsParameterIsReplaced() {
        WaitingRuns cut = WaitingRuns.of(ManualRun.of("r1", "\ud83d"));

        assertThat(text(NodeCodec.write(cut))).contains("\"parameter\":\"?\"");
    }

    @Test
    void anInstanceIsWrittenAs2xReadsIt() {
        assertThat(NodeCodec.instance(US, "10.0.0.1", InstanceLabels.NONE, OptionalInt.empty(), false))
                .isEqualTo("{\"jobInstanceId\":\"10.0.0.1@-@1\",\"serverIp\":\"10.0.0.1\"}");
    }

    @Test
    void anInstanceShowsItsLabelsItsCapacityAndAWrongClockBehindItsVersion() {
        InstanceLabels labels = InstanceLabels.of(Map.of("zone", "a", "disk", "ssd"));
        String node = NodeCodec.instance(US, "10.0.0.1", labels, OptionalInt.of(8), Optional.of("1.2.0"), true);

        assertThat(node).endsWith("} # version 1.2.0 labels disk=ssd,zone=a capacity 8 clock differs");
        assertThat(NodeCodec.clockDiffers(node)).isTrue();
        assertThat(NodeCodec.clockDiffers(node.replace("clock differs", "clock agrees")))
                .isFalse();
        assertThat(NodeCodec.capacity(node)).hasValue(8);
        assertThat(NodeCodec.capacity("TRIGGER")).isEmpty();
        assertThat(NodeCodec.capacity(node.replace("capacity 8", "capacity " + Integer.MAX_VALUE)))
                .hasValue(Integer.MAX_VALUE);
        assertThat(NodeCodec.capacity(node.replace("capacity 8", "capacity 2147483648")))
                .isEmpty();
        assertThat(NodeCodec.capacity(node.replace("capacity 8", "capacity many")))
                .isEmpty();
        assertThat(NodeCodec.labels(node)).contains(labels);
        assertThat(NodeCodec.version(node)).contains("1.2.0");
        assertThat(NodeCodec.isInstance(node)).isTrue();
        assertThat(NodeCodec.serverIp(US, node)).isEqualTo("10.0.0.1");
        assertThat(NodeCodec.labels(
                        NodeCodec.instance(US, "10.0.0.1", labels, OptionalInt.empty(), Optional.empty(), false)))
                .contains(labels);
        assertThat(NodeCodec.labels(NodeCodec.instance(
                        US, "10.0.0.1", InstanceLabels.NONE, OptionalInt.empty(), Optional.of("1"), false)))
                .contains(InstanceLabels.NONE);
        assertThat(NodeCodec.labels("TRIGGER"))
                .as("a tool's command hides them")
                .isEmpty();
        assertThat(NodeCodec.labels("")).contains(InstanceLabels.NONE);
    }

    @Test
    void theVersionOfAnInstanceIsACommentToWhateverReadsYaml() {
        String node = NodeCodec.instance(
                US, "10.0.0.1", InstanceLabels.NONE, OptionalInt.empty(), Optional.of("1.2.0"), false);

        assertThat(node).isEqualTo("{\"jobInstanceId\":\"10.0.0.1@-@1\",\"serverIp\":\"10.0.0.1\"} # version 1.2.0");
        assertThat(Software.of(node)).isEqualTo(Software.OURS);
        assertThat(NodeCodec.serverIp(US, node)).isEqualTo("10.0.0.1");
        assertThat(NodeCodec.version(node)).contains("1.2.0");
        assertThat(NodeCodec.version(NodeCodec.instance(
                        US, "10.0.0.1", InstanceLabels.NONE, OptionalInt.empty(), Optional.empty(), false)))
                .isEmpty();
        assertThat(NodeCodec.version("")).isEmpty();
        assertThat(NodeCodec.version("TRIGGER")).isEmpty();
        assertThat(NodeCodec.version("jobInstanceId: a # version 3")).isEmpty();
    }

    @Test
    void theServerOfAnInstanceIsFoundInItsNodeElseInItsId() {
        assertThat(NodeCodec.serverIp(
                        "custom",
                        NodeCodec.instance("custom", "10.0.0.9", InstanceLabels.NONE, OptionalInt.empty(), false)))
                .isEqualTo("10.0.0.9");
        assertThat(NodeCodec.serverIp(US, "")).isEqualTo("10.0.0.1");
        assertThat(NodeCodec.serverIp(US, "TRIGGER")).isEqualTo("10.0.0.1");
        assertThat(NodeCodec.serverIp("custom", "{}")).isEqualTo("custom");
    }

    @Test
    void aRecordThatFailedOverForYearsStaysSmall() {
        ItemRecord record = Samples.completed(NOON, Duration.ofSeconds(1));

        assertThat(ItemRecordCodec.write(record)).hasSizeLessThan(250);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }
}
