package dev.elasticjob.execution.pool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Objects that jobs refer to by name in their settings: built-in ones and the application's. Immutable. */
public final class NamedObjects<T> {
    private final String setting;
    private final Map<String, T> byName;

    /** @param byName the built-in objects, in order */
    public NamedObjects(String setting, Map<String, T> byName) {
        this.setting = setting;
        this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** Without built-in objects. */
    public static <T> NamedObjects<T> by(String setting) {
        return new NamedObjects<>(setting, Map.of());
    }

    /**
     * Adds objects after these, in the order of their names.
     *
     * @throws IllegalArgumentException if a name is blank or taken
     */
    public NamedObjects<T> with(Map<String, ? extends T> custom) {
        Map<String, T> all = new LinkedHashMap<>(byName);
        new TreeMap<>(custom).forEach((name, one) -> {
            if (name.isBlank() || all.putIfAbsent(name, one) != null) {
                throw new IllegalArgumentException(
                        ("For \"%s\", the name \"%s\" is not allowed: it must not be blank, nor one of %s. Choose"
                                        + " another name")
                                .formatted(setting, name, names()));
            }
        });
        return new NamedObjects<>(setting, all);
    }

    public Optional<T> find(String name) {
        return Optional.ofNullable(byName.get(name.strip()));
    }

    /** All names, the built-in ones first, for error messages. */
    public List<String> names() {
        return new ArrayList<>(byName.keySet());
    }
}
