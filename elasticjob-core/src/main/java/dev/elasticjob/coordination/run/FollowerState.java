package dev.elasticjob.coordination.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.coordination.state.WrongValue;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is registered as a follower, and what it was last asked to run: the data of its node {@code after}. Each
 * step sets it at the version read, so that no step is carried out twice.
 *
 * @param parents the jobs that list it among their followers
 * @param definition the version of the follower's definition for which it was registered
 * @param last the id of the run that was asked for last, of which some parts may be missing
 * @param notFollowed the jobs whose firings can't be followed, with the reason that was reported: once, whoever leads
 */
public record FollowerState(
        List<String> parents, int definition, Optional<String> last, SortedMap<String, String> notFollowed) {
    static final FollowerState NOBODY =
            new FollowerState(List.of(), -1, Optional.empty(), Collections.emptySortedMap());

    public FollowerState {
        parents = List.copyOf(parents);
        notFollowed = Collections.unmodifiableSortedMap(new TreeMap<>(notFollowed));
    }

    FollowerState asking(String runId) {
        return new FollowerState(parents, definition, Optional.of(runId), notFollowed);
    }

    FollowerState registered(List<String> newParents, int newDefinition, SortedMap<String, String> newNotFollowed) {
        return new FollowerState(newParents, newDefinition, last, newNotFollowed);
    }

    FollowerState notFollowing(SortedMap<String, String> newNotFollowed) {
        return new FollowerState(parents, definition, last, newNotFollowed);
    }

    /** What can't be read is registered again. */
    public static FollowerState read(RegistryNode node) {
        try {
            return read("", node);
        } catch (CorruptNodeException reportedByTheLeader) {
            return NOBODY;
        }
    }

    /** @throws CorruptNodeException if it can't be read */
    public static FollowerState read(String path, RegistryNode node) {
        return node.data().length == 0
                ? NOBODY
                : StateJson.read(
                        path,
                        node.data(),
                        Stored.class,
                        "a follower's registration such as {\"parents\":[\"import\"],\"definition\":3}",
                        Stored::value);
    }

    byte[] write() {
        return StateJson.text(new Stored(parents, definition, last.orElse(null), notFollowed))
                .getBytes(StandardCharsets.UTF_8);
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            @Nullable List<String> parents,
            int definition,
            @Nullable String last,
            @JsonInclude(Include.NON_EMPTY) @Nullable Map<String, String> notFollowed) {
        FollowerState value() {
            List<String> names = parents == null ? List.of() : parents;
            names.stream().filter(name -> !NodeName.isUsable(name)).forEach(name -> {
                throw new WrongValue("parents", "names of jobs", name);
            });
            return new FollowerState(
                    names,
                    definition,
                    Optional.ofNullable(last),
                    notFollowed == null ? new TreeMap<>() : new TreeMap<>(notFollowed));
        }
    }
}
