package dev.elasticjob.definition.codec;

import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The parts of a group of settings, such as {@code retry}. Pure, apart from the reflection on its record. */
public final class GroupParts {
    private GroupParts() {}

    /** The values by the names of the parts, in order. */
    public static Map<String, Object> of(Record group) {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (RecordComponent component : group.getClass().getRecordComponents()) {
            try {
                parts.put(
                        component.getName(),
                        Objects.requireNonNull(component.getAccessor().invoke(group)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Expected to read %s of %s".formatted(component, group.getClass()), e);
            }
        }
        return Collections.unmodifiableMap(parts);
    }
}
