package dev.elasticjob.coordination.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node by which operators pause and resume a job, or all jobs of the namespace. It remembers earlier pauses, because a
 * plan may be made long after they are over.
 *
 * @param paused whether the pause lasts
 * @param changed the time when it began or, if it is over, ended: the registry's own
 * @param from the beginning of the pause that is over; empty while one lasts, or if it isn't known
 * @param actor the one who has paused or resumed
 * @param reason empty if none was given
 * @param earlier the pauses before, oldest first
 * @param failures why {@code pauseAfterFailures} has paused the job; empty if it hasn't
 */
public record PauseSwitch(
        boolean paused,
        Instant changed,
        Optional<Instant> from,
        String actor,
        String reason,
        List<Pause> earlier,
        Optional<FailedItem> failures) {
    /** The number of earlier pauses that are kept: as many as may be over before anybody leads. */
    public static final int REMEMBERED = 8;

    private static final int MAX_TEXT = 200;

    /**
     * An item whose executions have failed one after the other.
     *
     * @param failure the first line of the last failure, cut; empty if somebody has written the node without it
     */
    public record FailedItem(int item, int times, String failure) {
        public FailedItem {
            failure = Objects.requireNonNullElse(failure, "");
        }
    }

    public PauseSwitch {
        earlier = List.copyOf(earlier);
    }

    /** Reads the node. What isn't JSON was written by a person in a hurry, and pauses too. */
    public static PauseSwitch of(RegistryNode node) {
        Optional<Stored> stored = StateJson.read(node.data(), Stored.class);
        if (stored.isEmpty()) {
            String text = node.text().strip();
            return new PauseSwitch(
                    true,
                    node.modified(),
                    Optional.empty(),
                    "",
                    text.substring(0, Math.min(text.length(), MAX_TEXT)),
                    List.of(),
                    Optional.empty());
        }
        Stored known = stored.get();
        boolean paused = !Boolean.FALSE.equals(known.paused);
        return new PauseSwitch(
                paused,
                node.modified(),
                paused ? Optional.empty() : Optional.ofNullable(known.from),
                known.actor == null ? "" : known.actor,
                known.reason == null ? "" : known.reason,
                known.pauses(),
                paused ? Optional.ofNullable(known.failures) : Optional.empty());
    }

    /**
     * What the node should hold instead, because one of its times is ahead of the registry's clock; empty if none is. The
     * time of its last change is corrected by the change itself.
     */
    public static Optional<byte[]> corrected(RegistryNode node, RegistryMoment present) {
        PauseSwitch known = of(node);
        List<Pause> earlier =
                known.earlier.stream().map(pause -> pause.corrected(present)).toList();
        Optional<Instant> from = known.from.map(present::bounded);
        boolean right = earlier.equals(known.earlier) && from.equals(known.from);
        if (!right) {
            Stored next = new Stored(
                    known.paused,
                    from.orElse(null),
                    known.actor,
                    known.reason,
                    Past.of(earlier),
                    known.failures.orElse(null));
            return Optional.of(StateJson.text(next).getBytes(StandardCharsets.UTF_8));
        }
        return present.isAhead(node.modified()) ? Optional.of(node.data()) : Optional.empty();
    }

    /** The latest of its times. */
    public Instant latestTime() {
        return pauses().stream()
                .flatMap(pause -> Stream.concat(Stream.of(pause.from()), Stream.ofNullable(pause.until())))
                .max(Comparator.naturalOrder())
                .orElse(changed);
    }

    /** All pauses that it knows. */
    public List<Pause> pauses() {
        List<Pause> all = new ArrayList<>(earlier);
        if (paused) {
            all.add(new Pause(changed, null));
        }
        from.ifPresent(begun -> all.add(new Pause(begun, changed)));
        return all;
    }

    /** The node's text after a pause was begun; it must not be paused. */
    public static String begun(Optional<PauseSwitch> before, String actor, String reason) {
        return begun(before, actor, reason, null);
    }

    /** The same after {@code pauseAfterFailures} has begun it. */
    public static String begun(Optional<PauseSwitch> before, String actor, String reason, @Nullable FailedItem failed) {
        List<Pause> over = before.map(PauseSwitch::pauses).orElse(List.of());
        List<Pause> kept = over.subList(Math.max(0, over.size() - REMEMBERED), over.size());
        return StateJson.text(new Stored(true, null, actor, reason, Past.of(kept), failed));
    }

    /** The node's text after the pause that lasts was ended. */
    public String ended(String by, String why) {
        return StateJson.text(new Stored(false, changed, by, why, Past.of(earlier), null));
    }

    @JsonInclude(Include.NON_EMPTY)
    private record Stored(
            @Nullable Boolean paused,
            @Nullable Instant from,
            @Nullable String actor,
            @Nullable String reason,
            @Nullable List<Past> earlier,
            @Nullable FailedItem failures) {
        List<Pause> pauses() {
            return earlier == null
                    ? List.of()
                    : earlier.stream()
                            .filter(Objects::nonNull)
                            .flatMap(past -> past.pause().stream())
                            .toList();
        }
    }

    private record Past(@Nullable Instant from, @Nullable Instant until) {
        static List<Past> of(List<Pause> pauses) {
            return pauses.stream()
                    .map(pause -> new Past(pause.from(), pause.until()))
                    .toList();
        }

        Optional<Pause> pause() {
            return from == null || until == null ? Optional.empty() : Optional.of(new Pause(from, until));
        }
    }
}
