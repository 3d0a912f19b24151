package dev.elasticjob.coordination.watchdog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was reported of a job: the data of its node {@code watchdog}. Each report sets it at the version read, so that
 * nothing is reported twice.
 *
 * @param items what was said of the executions of items, by item
 * @param overdue the firing that no item had begun in time; what follows is no news until an item begins it or a later
 *     one
 */
record WatchdogState(SortedMap<Integer, Answer> items, Optional<Overdue> overdue) {
    static final WatchdogState NOTHING = new WatchdogState(Collections.emptySortedMap(), Optional.empty());

    /** What an instance has said of an execution. */
    enum Kind {
        /** It was reported as stuck. */
        STUCK,
        /** It has not begun, and its instance watches it. */
        WAITS
    }

    /**
     * @param token of the execution
     * @param by the instance that said so
     * @param threads of an execution that waits for a thread, who has them there; empty if that isn't known
     */
    record Answer(long token, Kind kind, String by, String threads) {
        Answer(long token, Kind kind, String by) {
            this(token, kind, by, "");
        }
    }

    record Overdue(Instant firing, String by) {}

    WatchdogState {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /** What was said of this execution. */
    Optional<Answer> of(int item, long token) {
        return Optional.ofNullable(items.get(item)).filter(answer -> answer.token() == token);
    }

    WatchdogState with(int item, Answer answer) {
        SortedMap<Integer, Answer> more = new TreeMap<>(items);
        more.put(item, answer);
        return new WatchdogState(more, overdue);
    }

    WatchdogState with(Optional<Overdue> next) {
        return new WatchdogState(items, next);
    }

    /** Without what was said of executions that have ended. */
    WatchdogState retaining(Map<Integer, Long> tokens) {
        SortedMap<Integer, Answer> kept = new TreeMap<>(items);
        kept.entrySet()
                .removeIf(entry -> !Long.valueOf(entry.getValue().token()).equals(tokens.get(entry.getKey())));
        return new WatchdogState(kept, overdue);
    }

    // ------------------------------------------------------------------ its stored form

    /** What can't be read says nothing, and is replaced by the next report. */
    static WatchdogState read(RegistryNode node) {
        return StateJson.read(node.data(), Stored.class).map(Stored::value).orElse(NOTHING);
    }

    byte[] write() {
        Map<Integer, StoredAnswer> answers = new TreeMap<>();
        items.forEach((item, answer) -> answers.put(
                item,
                new StoredAnswer(
                        answer.token(),
                        answer.kind() == Kind.WAITS ? true : null,
                        answer.by(),
                        answer.threads().isEmpty() ? null : answer.threads())));
        Stored stored = new Stored(
                answers,
                overdue.map(late -> new StoredOverdue(late.firing(), late.by())).orElse(null));
        return StateJson.text(stored).getBytes(StandardCharsets.UTF_8);
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            @Nullable Map<Integer, StoredAnswer> items,
            @Nullable StoredOverdue overdue) {
        WatchdogState value() {
            SortedMap<Integer, Answer> answers = new TreeMap<>();
            if (items != null) {
                items.forEach((item, answer) -> answers.put(item, answer.value()));
            }
            return new WatchdogState(answers, Optional.ofNullable(overdue).flatMap(StoredOverdue::value));
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredAnswer(
            long token,
            @Nullable Boolean waits,
            @Nullable String by,
            @Nullable String threads) {
        Answer value() {
            Kind kind = Boolean.TRUE.equals(waits) ? Kind.WAITS : Kind.STUCK;
            return new Answer(token, kind, String.valueOf(by), threads == null ? "" : threads);
        }
    }

    private record StoredOverdue(
            @Nullable Instant firing, @Nullable String by) {
        Optional<Overdue> value() {
            return Optional.ofNullable(firing).map(at -> new Overdue(at, String.valueOf(by)));
        }
    }
}
