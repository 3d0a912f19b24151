package dev.elasticjob.coordination.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an instance leaves behind that may come back: its items wait for its successor.
 *
 * @param instance the {@code czxid} of the node that it has, or had
 * @param stopping whether it is still there, and ends its work; if it is gone nevertheless, it has crashed
 * @param awaited how long its successor is awaited from the mark's creation, once it has left
 * @param shown the data of that node
 */
public record LeaveMark(long instance, boolean stopping, Duration awaited, String shown) {
    /** Nobody is awaited for longer. */
    public static final Duration LONGEST = Duration.ofHours(1);

    /** Reads a mark; empty if the node holds something else, or a time that no instance writes. */
    public static Optional<LeaveMark> of(RegistryNode drain) {
        return StateJson.read(drain.data(), Stored.class).flatMap(Stored::mark);
    }

    /** Whether it is the mark of an instance that has ended its work. */
    public static boolean hasLeft(RegistryNode drain) {
        return of(drain).filter(mark -> !mark.stopping()).isPresent();
    }

    /**
     * The mark of the instance that has this node, and has ended its work.
     *
     * @param shown what the instance shows, also if a tool has written a command into its node
     */
    public static LeaveMark of(RegistryNode instance, String shown, Duration awaited) {
        return new LeaveMark(instance.czxid(), false, awaited, shown);
    }

    /** The mark of the same instance while it ends its work. */
    public LeaveMark whileStopping() {
        return new LeaveMark(instance, true, awaited, shown);
    }

    /** The node's text. */
    public String text() {
        return StateJson.text(new Stored(instance, stopping, awaited.toMillis(), shown));
    }

    private record Stored(
            long instance,
            @JsonInclude(Include.NON_DEFAULT) boolean stopping,
            long awaitedMillis,
            @Nullable String shown) {
        Optional<LeaveMark> mark() {
            return instance == 0 || awaitedMillis < 1 || awaitedMillis > LONGEST.toMillis() || shown == null
                    ? Optional.empty()
                    : Optional.of(new LeaveMark(instance, stopping, Duration.ofMillis(awaitedMillis), shown));
        }
    }
}
