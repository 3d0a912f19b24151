package dev.elasticjob.coordination.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.RepeatedRun;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.coordination.state.WrongValue;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scheduled times that run once more, as manual runs: the data of a job's node {@code backfill}.
 *
 * @param id distinguishes it from others of the job
 * @param by who asked for it, and why
 * @param schedule by which its times were counted
 * @param next the first time that isn't asked for yet; empty if all are
 * @param until the last moment of the range
 * @param atOnce how many times may be asked for and not ended
 * @param asking the time whose request has begun and isn't complete
 * @param open the times that were asked for and are not known to have ended, oldest first
 * @param failures of the times that have ended
 */
public record Backfill(
        String id,
        RequestedBy by,
        Schedule schedule,
        Optional<Instant> next,
        Instant until,
        int atOnce,
        Optional<Instant> asking,
        List<Instant> open,
        FailedTimes failures) {
    /** A queue of so many waits for each item. */
    public static final int MOST_AT_ONCE = 16;
    /** An operator who wants more asks again. */
    public static final int MOST_TIMES = 1_000;

    /** More of them are only counted. */
    public static final int MOST_FAILED_TIMES = 20;

    private static final String RUN = "backfill-";

    public Backfill {
        open = List.copyOf(open);
    }

    /** How many scheduled times a range has, both ends included. It doesn't count beyond one more than is allowed. */
    public static long times(Schedule schedule, Instant from, Instant until) {
        return schedule.countBetween(from.minusNanos(1), until.plusNanos(1), MOST_TIMES + 1);
    }

    /**
     * The times that have ended, and that at least one item didn't complete.
     *
     * @param count how many there are
     * @param first the first 20 of them, in the order of their ends
     */
    public record FailedTimes(int count, List<Instant> first) {
        public static final FailedTimes NONE = new FailedTimes(0, List.of());

        public FailedTimes {
            first = first.stream().limit(MOST_FAILED_TIMES).toList();
        }

        private FailedTimes plus(Collection<Instant> more) {
            return new FailedTimes(
                    count + more.size(),
                    Stream.concat(first.stream(), more.stream()).toList());
        }
    }

    /** The run of one time. It shows the firing's scheduled time and run id to the job's code. */
    ManualRun runOf(Instant time) {
        return ManualRun.of(runIdOf(time))
                .repeating(new RepeatedRun(time, null, 1))
                .by(by);
    }

    public String runIdOf(Instant time) {
        return RUN + id + "-" + time.toEpochMilli();
    }

    /** Whether a run is one of this backfill's. */
    boolean asked(ManualRun run) {
        return run.runIds().stream().allMatch(runId -> runId.startsWith(RUN + id + "-"));
    }

    /** Whether all its times have been asked for and have ended. */
    public boolean isOver() {
        return next.isEmpty() && open.isEmpty();
    }

    /** The request for a time begins. */
    Backfill asking(Instant time) {
        List<Instant> all = new ArrayList<>(open);
        all.remove(time);
        all.add(time);
        return new Backfill(id, by, schedule, next, until, atOnce, Optional.of(time), all, failures);
    }

    /** The request for a time is complete. */
    Backfill asked(Instant time) {
        Optional<Instant> following = schedule.nextAfter(time).filter(later -> !later.isAfter(until));
        return new Backfill(id, by, schedule, following, until, atOnce, Optional.empty(), open, failures);
    }

    /**
     * These times have ended.
     *
     * @param failed those of them that an item didn't complete
     */
    Backfill without(Collection<Instant> ended, Collection<Instant> failed) {
        List<Instant> left = new ArrayList<>(open);
        left.removeAll(ended);
        return new Backfill(id, by, schedule, next, until, atOnce, asking, left, failures.plus(failed));
    }

    /** Without times that are still to come. */
    Backfill past(Instant now) {
        return new Backfill(
                id, by, schedule, next.filter(time -> !time.isAfter(now)), until, atOnce, asking, open, failures);
    }

    // ------------------------------------------------------------------ as it is stored

    /** Empty if there is none: the node was emptied, or can't be read. */
    public static Optional<Backfill> read(RegistryNode node) {
        try {
            return read("", node);
        } catch (CorruptNodeException reportedByTheLeader) {
            return Optional.empty();
        }
    }

    /**
     * Empty if there is none, because the node was emptied.
     *
     * @throws CorruptNodeException if it can't be read
     */
    static Optional<Backfill> read(String path, RegistryNode node) {
        return node.data().length == 0
                ? Optional.empty()
                : Optional.of(StateJson.read(
                        path,
                        node.data(),
                        Stored.class,
                        "a backfill such as {\"id\":\"…\",\"cron\":\"…\",…}, or nothing",
                        Stored::value));
    }

    /** What the node says; nothing once it is over. */
    public byte[] write() {
        return isOver()
                ? new byte[0]
                : StateJson.text(new Stored(
                                id,
                                by,
                                schedule.text(),
                                schedule.zone(),
                                next.orElse(null),
                                until,
                                atOnce,
                                asking.orElse(null),
                                open.isEmpty() ? null : open,
                                failures.count(),
                                failures.first().isEmpty() ? null : failures.first()))
                        .getBytes(StandardCharsets.UTF_8);
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            @Nullable String id,
            @Nullable RequestedBy by,
            @Nullable String cron,
            @Nullable ZoneId timeZone,
            @Nullable Instant next,
            @Nullable Instant until,
            int atOnce,
            @Nullable Instant asking,
            @Nullable List<Instant> open,
            @JsonInclude(Include.NON_DEFAULT) int failed,
            @Nullable List<Instant> failedTimes) {
        Backfill value() {
            List<Instant> times = open == null ? List.of() : open;
            times.forEach(time -> WrongValue.firing("open", time));
            if (asking != null && !times.contains(asking)) {
                throw new WrongValue("asking", "one of the times in \"open\"", asking);
            }
            String known = WrongValue.required("id", id, String.class);
            if (!isId(known)) {
                throw new WrongValue("id", "a part of run ids", known);
            }
            return new Backfill(
                    known,
                    RequestedBy.orNobody(by),
                    WrongValue.schedule("", cron, timeZone),
                    Optional.ofNullable(next).map(time -> WrongValue.firing("next", time)),
                    WrongValue.required("until", until, Instant.class),
                    Math.max(1, Math.min(atOnce, MOST_AT_ONCE)),
                    Optional.ofNullable(asking),
                    times,
                    new FailedTimes(WrongValue.count("failed", failed), failedTimes == null ? List.of() : failedTimes));
        }

        private static boolean isId(String id) {
            try {
                ManualRun.of(RUN + id + "-" + Instant.EPOCH.toEpochMilli());
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }
}
