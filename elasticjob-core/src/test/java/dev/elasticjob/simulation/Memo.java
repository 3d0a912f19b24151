package dev.elasticjob.simulation;

import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What some nodes say: read anew only when one of them is another. */
final class Memo<T> {
    private List<Optional<RegistryNode>> nodes = List.of();
    private @Nullable T value;

    T of(List<Optional<RegistryNode>> present, Supplier<T> reading) {
        T known = value;
        if (known == null || !present.equals(nodes)) {
            known = reading.get();
            nodes = present;
            value = known;
        }
        return known;
    }
}
