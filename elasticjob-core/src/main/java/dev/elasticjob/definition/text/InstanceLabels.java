package dev.elasticjob.definition.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an instance says of itself, by which jobs choose instances: {@code disk=ssd,zone=a}. Names and values are those
 * of Kubernetes' labels: letters, digits, {@code -}, {@code _} and {@code .}, up to 63 of them, beginning and ending with
 * a letter or a digit; a name may have a prefix, {@code example.com/}. Immutable.
 *
 * @param values by name, in ascending order
 */
public record InstanceLabels(SortedMap<String, String> values) {
    public static final InstanceLabels NONE = new InstanceLabels(Collections.emptySortedMap());

    /** They are written into the instance's node of each job. */
    private static final int MAX_LENGTH = 1_024;

    private static final String PART = "[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?";
    private static final Pattern NAME = Pattern.compile("(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?" + PART);
    private static final Pattern VALUE = Pattern.compile("(?:" + PART + ")?");

    public InstanceLabels {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** @throws IllegalArgumentException that names everything that is wrong */
    public static InstanceLabels of(Map<String, String> values) {
        List<String> problems = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> {
            problemOfName(name).ifPresent(problem -> problems.add("the name \"%s\": %s".formatted(name, problem)));
            problemOfValue(value)
                    .ifPresent(
                            problem -> problems.add("\"%s\", the value of \"%s\": %s".formatted(value, name, problem)));
        });
        InstanceLabels labels = new InstanceLabels(new TreeMap<>(values));
        if (labels.text().length() > MAX_LENGTH) {
            problems.add("all together may have %,d characters, and have %,d"
                    .formatted(MAX_LENGTH, labels.text().length()));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "Labels of an instance that can't be used: " + String.join("; ", problems));
        }
        return labels;
    }

    /** Reads {@link #text}; what isn't written like it is left out. */
    public static InstanceLabels parse(String text) {
        SortedMap<String, String> read = new TreeMap<>();
        for (String label : text.split(",", -1)) {
            int equals = label.indexOf('=');
            if (equals > 0) {
                read.put(label.substring(0, equals), label.substring(equals + 1));
            }
        }
        read.entrySet()
                .removeIf(label -> problemOfName(label.getKey()).isPresent()
                        || problemOfValue(label.getValue()).isPresent());
        return new InstanceLabels(read);
    }

    /** In one line without spaces: {@code disk=ssd,zone=a}. */
    public String text() {
        return values.entrySet().stream()
                .map(label -> label.getKey() + '=' + label.getValue())
                .collect(Collectors.joining(","));
    }

    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    static Optional<String> problemOfName(String name) {
        return NAME.matcher(name).matches()
                ? Optional.empty()
                : Optional.of(
                        "expected 1 to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or a"
                                + " digit, such as zone or example.com/zone");
    }

    static Optional<String> problemOfValue(String value) {
        return VALUE.matcher(value).matches()
                ? Optional.empty()
                : Optional.of(
                        "expected up to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or"
                                + " a digit");
    }
}
