package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.view.ItemView;
import java.time.Instant;
import java.util.Optional;

/** Something that only a reconcile round mends. */
sealed interface Repair {
    /** A record of a clock that was ahead: its item would not run until that time is reached. */
    record FutureRecord(ItemView item, Instant latest) implements Repair {}

    /**
     * The node that shows an item's owner says something else, or is missing.
     *
     * @param version of the node, where it is there
     */
    record WrongDisplay(int item, String owner, Optional<Integer> version) implements Repair {}

    /** An instance node that no session owns: it would stay for ever. */
    record UnownedInstance(String id, int version) implements Repair {}

    /** The drain of an instance that is gone: it would stay for ever. */
    record LeftDrain(String id, int version) implements Repair {}

    /** A server that had no instance at two rounds running. */
    record IdleServer(String ip, int version) implements Repair {}
}
