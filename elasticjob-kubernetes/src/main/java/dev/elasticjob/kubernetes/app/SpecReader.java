package dev.elasticjob.kubernetes.app;

import dev.elasticjob.kubernetes.app.SpecField.ValueType;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object of a resource by its fields. What breaks the rules is noted, and then counts as not set. Used by one
 * thread.
 */
final class SpecReader {
    private final String path;
    private final Collection<String> faults;
    private final Map<String, Object> values = new HashMap<>();

    /**
     * @param path of the object, for people: {@code spec.pools[0]}
     * @param faults to which all that is wrong is added
     */
    SpecReader(String path, Map<?, ?> object, List<SpecField> fields, Collection<String> faults) {
        this.path = path;
        this.faults = faults;
        String expected = fields.stream().map(SpecField::name).collect(Collectors.joining(", "));
        Set<Object> names = new HashSet<>(object.keySet());
        for (SpecField field : fields) {
            names.remove(field.name());
            Object found = object.get(field.name());
            if (found != null) {
                read(field, found);
            } else if (field.required()) {
                faults.add("%s.%s: expected %s, found nothing. Set it"
                        .formatted(path, field.name(), field.type().words()));
            }
            field.fallback().ifPresent(fallback -> values.putIfAbsent(field.name(), fallback));
        }
        names.stream()
                .map(Object::toString)
                .sorted()
                .forEach(name ->
                        faults.add("%s.%s: there is no such field. Use one of %s".formatted(path, name, expected)));
    }

    private void read(SpecField field, Object found) {
        Optional<String> problem = hasType(field.type(), found)
                ? outOfRules(field, found)
                : Optional.of("expected %s, found %s. Correct it"
                        .formatted(field.type().words(), shown(found)));
        problem.ifPresentOrElse(
                text -> faults.add("%s.%s: %s".formatted(path, field.name(), text)),
                () -> values.put(field.name(), found));
    }

    private static boolean hasType(ValueType type, Object found) {
        return switch (type) {
            case TEXT -> found instanceof String;
            case INTEGER -> found instanceof Integer || found instanceof Long;
            case SWITCH -> found instanceof Boolean;
            case OBJECT -> found instanceof Map;
            case TEXTS -> found instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
            case OBJECTS -> found instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
        };
    }

    private static Optional<String> outOfRules(SpecField field, Object found) {
        return switch (field.type()) {
            case INTEGER -> outOfRange(field, ((Number) found).longValue(), "%d to %d, found %d. Correct it");
            case TEXT ->
                outOfRange(field, ((String) found).length(), "%d to %d characters, found %d. Correct it")
                        .or(() -> mismatch(field, (String) found));
            case TEXTS ->
                outOfRange(field, ((List<?>) found).size(), "%d to %d entries, found %d. Correct it")
                        .or(() -> ((List<?>) found)
                                .stream()
                                        .flatMap(one -> mismatch(field, (String) one).stream())
                                        .findFirst());
            case OBJECTS -> outOfRange(field, ((List<?>) found).size(), "%d to %d entries, found %d. Correct it");
            case SWITCH, OBJECT -> Optional.empty();
        };
    }

    private static Optional<String> outOfRange(SpecField field, long found, String words) {
        return found >= field.min() && found <= field.max()
                ? Optional.empty()
                : Optional.of("expected " + words.formatted(field.min(), field.max(), found));
    }

    private static Optional<String> mismatch(SpecField field, String found) {
        return field.pattern().isEmpty() || found.matches(field.pattern())
                ? Optional.empty()
                : Optional.of(
                        "expected a text that matches %s, found \"%s\". Correct it".formatted(field.pattern(), found));
    }

    private static String shown(Object found) {
        String text = found instanceof String ? "\"" + found + "\"" : String.valueOf(found);
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    Optional<String> text(String field) {
        return Optional.ofNullable((String) values.get(field));
    }

    /** Of a field that is required or has a default; 0 if what was found is wrong. */
    int number(String field) {
        return values.get(field) instanceof Number number ? number.intValue() : 0;
    }

    boolean isOn(String field) {
        return Boolean.TRUE.equals(values.get(field));
    }

    /** Of a field with a default. */
    Duration duration(String field) {
        return WrittenDuration.parse((String) Objects.requireNonNull(values.get(field)));
    }

    List<String> texts(String field) {
        return list(values.get(field)).stream().map(String.class::cast).toList();
    }

    List<? extends Map<?, ?>> objects(String field) {
        return list(values.get(field)).stream().map(one -> (Map<?, ?>) one).toList();
    }

    Optional<Object> object(String field) {
        return Optional.ofNullable(values.get(field));
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
