package dev.elasticjob.coordination.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.FailureStreak.Counted;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/** The JSON of items' records. */
public final class ItemRecordCodec {
    private static final String EXPECTED = "an item's record such as {\"scheduledAt\":\"…\",\"state\":\"COMPLETED\",…}";

    private static final ObjectReader READER = StateJson.reader(StoredRecord.class);
    private static final ObjectWriter WRITER = StateJson.writer(StoredRecord.class);

    private ItemRecordCodec() {}

    public static byte[] write(ItemRecord item) {
        return WRITER.writeValueAsBytes(new StoredRecord(item));
    }

    /**
     * Reads a record; empty data reads as an item without a history.
     *
     * @throws CorruptNodeException if it is no record, or lacks what its state requires
     */
    public static ItemRecord read(String path, byte[] data) {
        return data.length == 0 ? ItemRecord.NEW : StateJson.read(path, data, READER, EXPECTED, StoredRecord::item);
    }

    /**
     * The stored form of a record. A class with fields, because each execution reads one, and Jackson needs a third
     * more memory to bind a Java record.
     */
    @JsonAutoDetect(fieldVisibility = Visibility.ANY)
    @JsonInclude(Include.NON_DEFAULT)
    private static final class StoredRecord {
        @Nullable
        Instant scheduledAt;

        @Nullable
        ItemState state;

        @Nullable
        String instance;

        @Nullable
        String runId;

        @Nullable
        String parameter = "";

        int attempt;
        int crashes;

        @Nullable
        Instant startedAt;

        @Nullable
        Instant finishedAt;

        @Nullable
        String failure;

        /** Oldest first. */
        @Nullable
        Map<String, RunEnd> past = Map.of();

        @Nullable
        RepeatedRun repeats;

        @Nullable
        RequestedBy by;

        @Nullable
        Cancellation cancelled;

        /** Whether the execution is one of an open firing. */
        boolean opened;

        /** Each as text, oldest first. */
        @Nullable
        List<String> ends = List.of();

        /** Only while the item fails. */
        @Nullable
        StoredStreak failing;

        /** Only of a job that is paused after failures. */
        @Nullable
        Counted counted;

        /** Only of a job that measures. */
        @Nullable
        Duration took;

        StoredRecord() {}

        StoredRecord(ItemRecord item) {
            scheduledAt = item.scheduledAt();
            state = item.state();
            instance = item.instance();
            runId = item.runId();
            parameter = item.run() == null ? "" : item.run().parameter();
            attempt = item.attempt();
            crashes = item.crashes();
            startedAt = item.startedAt();
            finishedAt = item.finishedAt();
            failure = item.failure();
            past = item.past();
            repeats = item.run() == null ? null : item.run().repeats();
            by = item.run() == null ? null : item.run().by().orNull();
            cancelled = item.cancelled();
            opened = item.ends().opened();
            ends = item.ends().isEmpty()
                    ? List.of()
                    : item.ends().list().stream().map(ItemRecordCodec::text).toList();
            failing = item.streak().isEmpty() ? null : new StoredStreak(item.streak());
            counted = item.streak().counted();
            took = item.took();
        }

        ItemRecord item() {
            ItemState known = WrongValue.required("state", state, ItemState.class);
            ManualRun run = runId == null ? null : run(runId);
            if (known != ItemState.NEW && scheduledAt == null && run == null) {
                throw new WrongValue(
                        "scheduledAt", "there, or the \"runId\" of a manual run, in the state " + known, null);
            }
            return new ItemRecord(
                    scheduledAt,
                    known,
                    instance == null ? null : WrongValue.instance("instance", instance),
                    run,
                    WrongValue.count("attempt", attempt),
                    WrongValue.count("crashes", crashes),
                    startedAt,
                    finishedAt,
                    failure,
                    past == null ? Map.of() : past,
                    ends(),
                    cancelled,
                    streak(),
                    took());
        }

        private @Nullable Duration took() {
            if (took != null && (took.isNegative() || took.compareTo(ItemRecord.LONGEST) > 0)) {
                throw new WrongValue("took", "a duration from PT0S to " + ItemRecord.LONGEST, took);
            }
            return took;
        }

        private FailureStreak streak() {
            if (counted != null) {
                WrongValue.count("counted.times", counted.times());
            }
            return failing == null && counted == null
                    ? FailureStreak.NONE
                    : (failing == null ? StoredStreak.NONE : failing).streak(counted);
        }

        private ManualRun run(String ids) {
            if (repeats != null) {
                WrongValue.count("repeats.attempt", repeats.attempt());
            }
            return ManualRun.parse(ids, parameter == null ? "" : parameter)
                    .orElseThrow(() -> new WrongValue("runId", "run ids that commas join", ids))
                    .repeating(repeats)
                    .by(RequestedBy.orNobody(by));
        }

        private ItemEnds ends() {
            if (!opened && (ends == null || ends.isEmpty())) {
                return ItemEnds.NONE;
            }
            List<String> texts = ends == null ? List.of() : ends;
            return new ItemEnds(opened, texts.stream().map(ItemRecordCodec::end).toList());
        }
    }

    @JsonInclude(Include.NON_EMPTY)
    private record StoredStreak(
            int times,
            @Nullable Instant since,
            @Nullable Instant succeeded,
            @Nullable String last) {
        static final StoredStreak NONE = new StoredStreak(FailureStreak.NONE);

        StoredStreak(FailureStreak streak) {
            this(streak.times(), streak.since(), streak.succeeded(), streak.last());
        }

        FailureStreak streak(@Nullable Counted counted) {
            return new FailureStreak(
                    WrongValue.count("failing.times", times), since, succeeded, last == null ? "" : last, counted);
        }
    }

    /** At most 96 bytes: {@code 2026-11-22T20:18:00Z COMPLETED 1 10.0.0.1@-@42}. */
    private static String text(ItemEnds.End end) {
        Outcome outcome = end.outcome();
        return "%s %s %d %s"
                .formatted(InstantText.write(end.firing()), outcome.end(), outcome.attempts(), outcome.instance())
                .strip();
    }

    private static ItemEnds.End end(String text) {
        String[] parts = text.split(" ", 4);
        try {
            int attempts = WrongValue.count("ends", Integer.parseInt(parts[2]));
            Outcome outcome =
                    new Outcome(FiringOutcomes.End.valueOf(parts[1]), attempts, parts.length > 3 ? parts[3] : "");
            return new ItemEnds.End(InstantText.read(parts[0]), outcome);
        } catch (IllegalArgumentException | DateTimeException | ArrayIndexOutOfBoundsException e) {
            throw new WrongValue("ends", "texts such as \"2026-11-22T20:18:00Z COMPLETED 1 10.0.0.1@-@42\"", text);
        }
    }
}
