package dev.elasticjob.coordination.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last firing of a job with a fixed delay: the data of its node {@code delay}. The next firing follows from its end.
 *
 * @param number counts the firings
 * @param at its scheduled time
 * @param asking whether its request, of several transactions, isn't complete
 * @param ended when the last item ended it; empty until then
 */
public record DelayedFiring(int number, Instant at, boolean asking, Optional<Instant> ended) {
    private static final String RUN = "delay-";

    /** The firing after another one, or the first one. Its request begins. */
    public static DelayedFiring after(Optional<DelayedFiring> last, Instant at) {
        int number = last.map(DelayedFiring::number).filter(WrongValue::isCount).orElse(0) + 1;
        return new DelayedFiring(number, at, true, Optional.empty());
    }

    /** When the firing after another one, or the first one, is due; empty while that one goes on, and if there is none. */
    public static Optional<Instant> next(Optional<DelayedFiring> last, Assignment plan) {
        boolean goesOn = last.filter(firing -> firing.ended().isEmpty()).isPresent();
        return goesOn
                ? Optional.empty()
                : plan.schedule().nextAfterEnd(last.flatMap(DelayedFiring::ended), plan.since());
    }

    /** The request is complete. */
    public DelayedFiring asked() {
        return new DelayedFiring(number, at, false, ended);
    }

    /** All items have ended it. */
    public DelayedFiring endedAt(Instant end) {
        return new DelayedFiring(number, at, false, Optional.of(end));
    }

    /** A firing of the same time, after the registry's clock was set back, has another number. */
    public String runId() {
        return RUN + number + "-" + at.toEpochMilli();
    }

    /** Whether a run was asked for as a firing of a job with a fixed delay, and not by somebody. */
    public static boolean isOne(ManualRun run) {
        return run.repeats() != null
                && !run.repeats().repeatsFailure()
                && run.runIds().get(0).startsWith(RUN);
    }

    /** Whether an item has begun it, or has ended it without. */
    public boolean wasBegun(ItemRecord record) {
        return record.isOf(runId()) || record.endOf(runId(), false).isPresent();
    }

    /** The run of one item. It shows the firing's scheduled time and run id to the job's code. */
    public ManualRun run() {
        return ManualRun.of(runId()).repeating(new RepeatedRun(at, null, 1));
    }

    /** Without an end that is ahead of the registry's clock. */
    public DelayedFiring corrected(RegistryMoment present) {
        return new DelayedFiring(number, at, asking, ended.map(present::bounded));
    }

    // ------------------------------------------------------------------ as it is stored

    /** Empty before the first firing, and if the node can't be read. */
    public static Optional<DelayedFiring> read(RegistryNode node) {
        try {
            return read("", node);
        } catch (CorruptNodeException reportedByTheLeader) {
            return Optional.empty();
        }
    }

    /** The same of a node that may not be there. */
    public static Optional<DelayedFiring> of(Optional<RegistryNode> node) {
        return node.flatMap(DelayedFiring::read);
    }

    /**
     * Empty before the first firing.
     *
     * @throws CorruptNodeException if it can't be read
     */
    public static Optional<DelayedFiring> read(String path, RegistryNode node) {
        return node.data().length == 0
                ? Optional.empty()
                : Optional.of(StateJson.read(
                        path,
                        node.data(),
                        Stored.class,
                        "the last firing, such as {\"number\":1,\"at\":\"2026-03-01T12:00:00Z\"}, or nothing",
                        Stored::value));
    }

    public byte[] write() {
        return StateJson.text(new Stored(number, at, asking, ended.orElse(null)))
                .getBytes(StandardCharsets.UTF_8);
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            int number,
            @Nullable Instant at,
            @JsonInclude(Include.NON_DEFAULT) boolean asking,
            @Nullable Instant ended) {
        DelayedFiring value() {
            return new DelayedFiring(
                    WrongValue.count("number", number),
                    WrongValue.firing("at", WrongValue.required("at", at, Instant.class)),
                    asking,
                    Optional.ofNullable(ended).map(end -> WrongValue.firing("ended", end)));
        }
    }
}
