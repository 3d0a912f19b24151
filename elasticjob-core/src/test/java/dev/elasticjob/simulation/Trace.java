package dev.elasticjob.simulation;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Who did what, in virtual time. Kept only when somebody will read it. */
final class Trace {
    private final Clock clock;
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();

    Trace(Clock clock, boolean kept) {
        this.clock = clock;
        this.kept = kept;
    }

    void note(String who, Supplier<Object> what) {
        if (kept) {
            lines.add("%-26s %-8s %s".formatted(clock.instant(), who, what.get()));
        }
    }

    /** A transaction in a line. */
    static String describe(RegistryCommit commit) {
        return commit.operations().stream().map(Trace::describe).collect(Collectors.joining("; "));
    }

    private static String describe(Operation operation) {
        if (operation instanceof Operation.Create create) {
            return "create %s%s %s"
                    .formatted(create.path(), create.ephemeral() ? " ephemeral" : "", text(create.data()));
        }
        if (operation instanceof Operation.Set set) {
            return "set %s at %d %s".formatted(set.path(), set.version(), text(set.data()));
        }
        if (operation instanceof Operation.Check check) {
            return "check %s at %d".formatted(check.path(), check.version());
        }
        return "delete %s at %d".formatted(operation.path(), ((Operation.Delete) operation).version());
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    List<String> lines() {
        return lines;
    }
}
