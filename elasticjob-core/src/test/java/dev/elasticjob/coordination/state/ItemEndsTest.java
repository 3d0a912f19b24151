package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemEndsTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final String US = "10.0.0.1@-@42";

    @Test
    void recordOfAJobWithoutHooksHasNotAByteOfThem() {
        ItemRecord record = ItemRecord.NEW.claimed(NOON, US, NOON).ended(ItemState.COMPLETED, NOON, NOON, null);

        String stored = new String(ItemRecordCodec.write(record), StandardCharsets.UTF_8);

        assertThat(stored).doesNotContain("ends", "opened");
        assertThat(record.ends()).isEqualTo(ItemEnds.NONE);
    }

    @Test
    void endIsCutToItsLimitAndReadAgain() {
        Outcome longest = new Outcome(End.INTERRUPTED, 123, "€".repeat(40));
        ItemRecord record = ItemRecord.NEW.claimed(
                NOON,
                US,
                NOON,
                ItemEnds.NONE.with(NOON.minusSeconds(1), longest).opened(true));

        ItemRecord read = ItemRecordCodec.read("/job/sharding/0", ItemRecordCodec.write(record));

        assertThat(read.ends().opened()).isTrue();
        assertThat(read.ends().list().get(0).outcome()).isEqualTo(new Outcome(End.INTERRUPTED, 123, "€".repeat(16)));
    }

    @Test
    void manualRunHidesNoEnd() {
        ItemRecord done = ItemRecord.NEW.claimed(NOON, US, NOON).ended(ItemState.COMPLETED, NOON, NOON, null);

        ItemEnds kept = done.endsBefore(new TreeSet<>(List.of(NOON)), any -> false, null, any -> End.FOLDED);

        assertThat(kept.of(NOON)).contains(new Outcome(End.COMPLETED, 1, US));
    }

    /** Against a plain map of everything that has happened to the item. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatARecordSaysOfAnOpenFiringIsTrueOrUnknown(long seed) {
        Random random = new Random(seed);
        SortedMap<Instant, Outcome> truth = new TreeMap<>();
        TreeSet<Instant> open = new TreeSet<>();
        ItemRecord record = ItemRecord.NEW;
        for (int second = 1; second < 400; second++) {
            Instant now = NOON.plusSeconds(second);
            if (random.nextInt(3) > 0) {
                open.add(now);
            }
            open.removeIf(firing -> random.nextInt(12) == 0 && !firing.equals(now));
            int what = open.contains(now) ? random.nextInt(4) : 3;
            End gap = random.nextBoolean() ? End.FOLDED : End.LOST;
            if (what < 2) {
                for (Instant passed : open.headSet(now)) {
                    truth.putIfAbsent(passed, Outcome.notBegun(gap));
                }
                ItemEnds ends =
                        record.endsBefore(open, now::isBefore, now, any -> gap).opened(true);
                ItemState end = what == 0 ? ItemState.COMPLETED : ItemState.FAILED;
                record = record.claimed(now, US, now, ends).ended(end, now, now, null);
                truth.put(now, new Outcome(End.valueOf(end.name()), 1, US));
            } else if (what == 2) {
                for (Instant passed : open.headSet(now)) {
                    truth.putIfAbsent(passed, Outcome.notBegun(gap));
                }
                truth.put(now, Outcome.notBegun(End.SKIPPED));
                ItemEnds ends = record.endsBefore(open, now::isBefore, now, any -> gap)
                        .with(now, Outcome.notBegun(End.SKIPPED));
                record = record.skipped(now, List.of(), RunEnd.DROPPED, ends);
            }
            for (Instant firing : open) {
                Optional<Outcome> said = record.endOf(firing, true);
                if (!said.equals(Optional.of(Outcome.notBegun(End.UNKNOWN)))) {
                    assertThat(said).as("%s", firing).isEqualTo(Optional.ofNullable(truth.get(firing)));
                }
                assertThat(record.ends().list()).hasSizeLessThanOrEqualTo(ItemEnds.REMEMBERED);
            }
        }
        assertThat(Map.copyOf(truth)).isNotEmpty();
    }
}
