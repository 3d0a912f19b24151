package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.ArgumentSource;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names and values that come with a request, besides its address. The Actuator passes texts and numbers only.
 *
 * @param values texts, numbers, or several of them; a null that was written is one, too
 */
record GivenTexts(Map<String, Object> values) implements ArgumentSource {
    private static final int MOST_SHOWN = 40;

    private enum Absent {
        WRITTEN
    }

    /** To be read by one request. */
    static GivenArguments given(Map<String, ? extends @Nullable Object> values) {
        return new GivenArguments(of(values));
    }

    private static GivenTexts of(Map<String, ? extends @Nullable Object> values) {
        Map<String, Object> given = new LinkedHashMap<>();
        values.forEach((name, value) -> given.put(name, value == null ? Absent.WRITTEN : value));
        return new GivenTexts(given);
    }

    @Override
    public Set<String> names() {
        return values.keySet();
    }

    @Override
    public boolean has(String name) {
        return values.containsKey(name);
    }

    @Override
    public String shown(String name) {
        String text = plain(values.getOrDefault(name, ""));
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    @Override
    public Optional<String> text(String name) {
        if (values.get(name) == Absent.WRITTEN) {
            throw new IllegalArgumentException("expected a value; to give none, leave the name out");
        }
        return Optional.ofNullable(values.get(name)).map(GivenTexts::plain);
    }

    @Override
    public Optional<Long> number(String name) {
        return text(name).map(Argument::longNumber);
    }

    @Override
    public NavigableSet<Integer> items(String one, String several) {
        List<Violation> violations = new ArrayList<>();
        NavigableSet<Integer> all = new TreeSet<>();
        read(one, GivenTexts::item, violations).ifPresent(all::add);
        read(several, GivenItems::read, violations).ifPresent(all::addAll);
        if (has(one) && has(several)) {
            violations.add(new Violation(several, shown(several), ONE_OR_SEVERAL.formatted(one, several)));
        }
        if (!violations.isEmpty()) {
            throw new InvalidArgumentsException(several, violations);
        }
        return all;
    }

    private <T> Optional<T> read(String name, Function<String, T> reading, List<Violation> violations) {
        try {
            return text(name).map(reading);
        } catch (IllegalArgumentException e) {
            violations.add(new Violation(name, shown(name), String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static int item(String text) {
        try {
            return Argument.number(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected the number of an item; for several, use \"items\", separated by commas", e);
        }
    }

    /** {@code name=value}, one in each line; a dot leads into a group, as in {@code http.uri}. */
    @Override
    public Optional<Map<String, Object>> settings(String name) {
        return text(name).map(lines -> {
            Map<String, Object> settings = new LinkedHashMap<>();
            lines.lines().filter(line -> !line.isBlank()).forEach(line -> {
                int sign = line.indexOf('=');
                if (sign < 1) {
                    throw new IllegalArgumentException(
                            "expected one \"name=value\" in each line, but found \"%s\"".formatted(line));
                }
                put(
                        settings,
                        line.substring(0, sign).strip(),
                        line.substring(sign + 1).strip());
            });
            return settings;
        });
    }

    /** The names of job properties have dots of their own. */
    @SuppressWarnings("unchecked") // Groups are only put here.
    private static void put(Map<String, Object> settings, String name, String value) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            settings.put(name, value);
        } else {
            Object group = settings.computeIfAbsent(name.substring(0, dot), any -> new LinkedHashMap<String, Object>());
            if (!(group instanceof Map)) {
                throw new IllegalArgumentException("expected either a value or a group for \"%s\"".formatted(name));
            }
            Map<String, Object> members = (Map<String, Object>) group;
            if (name.startsWith(JobSettings.JOB_PROPERTIES.name())) {
                members.put(name.substring(dot + 1), value);
            } else {
                put(members, name.substring(dot + 1), value);
            }
        }
    }

    private static String plain(Object value) {
        if (value instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return value == Absent.WRITTEN ? "null" : String.valueOf(value);
    }
}
