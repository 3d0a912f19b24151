package dev.elasticjob.coordination.state;

import dev.elasticjob.coordination.state.StateJson.StoredKind;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.text.NodeName;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;

/** One value of a node is none that the writing would accept: names its key, what was expected there, and what was found. */
public final class WrongValue extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Pattern PLAIN = Pattern.compile("\\w+");
    private static final int SHOWN = 80;

    /** Nothing is counted that far. A number at the end of its type would become negative with the next one. */
    private static final int MOST = 1_000_000_000;

    /** No calendar goes further back or ahead. */
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private final String key;
    private final String needed;
    private final String found;

    /**
     * @param needed what was expected, such as {@code a whole number from 0 on}
     * @param found what is there; null if nothing is
     */
    public WrongValue(String key, String needed, @Nullable Object found) {
        super("expected \"%s\" to be %s, but %s"
                .formatted(key, needed, found == null ? "it is missing" : "was " + cut(found)));
        this.key = key;
        this.needed = needed;
        this.found = found == null ? "" : cut(found);
    }

    private static String cut(Object found) {
        String text = found instanceof String some ? "\"" + some + "\"" : found.toString();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    /** The value of a key that must be there. */
    public static <T> T required(String key, @Nullable T value, Class<?> type) {
        if (value == null) {
            throw new WrongValue(key, StoredKind.of(type).words(), null);
        }
        return value;
    }

    /**
     * A schedule, which is stored as {@code cron} and {@code timeZone}.
     *
     * @param below the beginning of both keys, if they stand below another one
     */
    public static Schedule schedule(String below, @Nullable String cron, @Nullable ZoneId timeZone) {
        String text = required(below + "cron", cron, String.class);
        ZoneId zone = required(below + "timeZone", timeZone, ZoneId.class);
        try {
            return Schedule.of(text, zone);
        } catch (IllegalArgumentException e) {
            throw new WrongValue(below + "cron", "a cron expression, or empty", text);
        }
    }

    /** A number from 0 on that leaves room to count further. */
    public static int count(String key, int value) {
        if (!isCount(value)) {
            throw new WrongValue(key, "a whole number from 0 to " + MOST, value);
        }
        return value;
    }

    /** The scheduled time of a firing: it is a part of the names of nodes and runs. */
    public static Instant firing(String key, Instant time) {
        if (time.isBefore(FIRST) || time.isAfter(LAST)) {
            throw new WrongValue(key, "the time of a firing, between " + FIRST + " and " + LAST, time);
        }
        return time;
    }

    /** An instance's id, which is the name of its node. */
    public static String instance(String key, String id) {
        if (!NodeName.isUsable(id)) {
            throw new WrongValue(key, "the id of an instance, which is the name of its node", id);
        }
        return id;
    }

    static boolean isCount(int value) {
        return value >= 0 && value <= MOST;
    }

    /**
     * What a value of the wrong kind says.
     *
     * @param data as it was read
     * @return empty if the data isn't JSON, or not of this form at all
     */
    static Optional<WrongValue> of(JacksonException error, byte[] data) {
        List<Reference> path = error.getPath();
        if (path.isEmpty() || !(error instanceof MismatchedInputException wrong)) {
            return Optional.empty();
        }
        String needed = StoredKind.of(wrong.getTargetType()).words();
        try {
            return Optional.of(new WrongValue(key(path), needed, found(path, data)));
        } catch (JacksonException isNoJson) {
            return Optional.empty();
        }
    }

    private static String key(List<Reference> path) {
        return path.stream()
                .map(step -> step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : PLAIN.matcher(step.getPropertyName()).matches()
                                ? "." + step.getPropertyName()
                                : "[" + step.getPropertyName() + "]")
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
    }

    private static @Nullable Object found(List<Reference> path, byte[] data) {
        JsonNode node = StateJson.tree(data);
        for (Reference step : path) {
            node = step.getPropertyName() == null ? node.path(step.getIndex()) : node.path(step.getPropertyName());
        }
        return node.isMissingNode() ? null : node;
    }

    /** The same of a value that stands below another key. */
    public WrongValue below(String parent) {
        return new WrongValue(
                parent + (key.startsWith("[") ? "" : ".") + key, needed, found.isEmpty() ? null : new Shown(found));
    }

    /** What was cut and quoted before. */
    private record Shown(String text) {
        @Override
        public String toString() {
            return text;
        }
    }
}
