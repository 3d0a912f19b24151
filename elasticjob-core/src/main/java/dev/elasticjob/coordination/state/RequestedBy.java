package dev.elasticjob.coordination.state;

import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.registry.RegistryCommit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who requested something, as it stands in the registry. A run has it in the node of each item, so it is short.
 *
 * @param actor empty if nobody is known
 * @param reason empty if none was given
 */
public record RequestedBy(String actor, String reason) {
    private static final int BYTES_OF_ACTOR = 64;
    private static final int BYTES_OF_REASON = 128;

    public static final RequestedBy NOBODY = new RequestedBy("", "");

    /** Keys may be missing in a node that was written by hand. */
    public RequestedBy {
        actor = orEmpty(actor);
        reason = orEmpty(reason);
    }

    /** Longer texts are cut, and several lines become one. */
    public static RequestedBy of(String actor, String reason) {
        return new RequestedBy(cut(actor, BYTES_OF_ACTOR), cut(reason, BYTES_OF_REASON));
    }

    public boolean isKnown() {
        return !actor.isEmpty();
    }

    /** For the job's code and for events. */
    public Optional<Requester> requester() {
        return isKnown() ? Optional.of(new Requester(actor, reason)) : Optional.empty();
    }

    /** As it is stored. */
    @Nullable
    RequestedBy orNull() {
        return isKnown() ? this : null;
    }

    public static RequestedBy orNobody(@Nullable RequestedBy stored) {
        return stored == null ? NOBODY : stored;
    }

    /** The text on one line, and at most so many bytes of it in UTF-8. */
    public static String cut(String text, int bytes) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        int end = 0;
        int room = bytes;
        while (end < line.length()) {
            int next = line.offsetByCodePoints(end, 1);
            room -= RegistryCommit.bytes(line.substring(end, next));
            if (room < 0) {
                return line.substring(0, end);
            }
            end = next;
        }
        return line;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
