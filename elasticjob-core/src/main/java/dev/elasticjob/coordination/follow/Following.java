package dev.elasticjob.coordination.follow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is registered as a follower, and what it was last asked to run: the data of its node {@code after}. Each
 * step sets it at the version read, so that no step is carried out twice.
 *
 * @param parents the jobs that list it among their followers
 * @param definition the version of the follower's definition for which it was registered
 * @param last the id of the run that was asked for last, of which some parts may be missing
 */
record Following(List<String> parents, int definition, Optional<String> last) {
    static final Following NOBODY = new Following(List.of(), -1, Optional.empty());

    Following {
        parents = List.copyOf(parents);
    }

    Following asking(String runId) {
        return new Following(parents, definition, Optional.of(runId));
    }

    Following registered(List<String> newParents, int newDefinition) {
        return new Following(newParents, newDefinition, last);
    }

    /** What can't be read is registered again. */
    static Following read(RegistryNode node) {
        return StateJson.read(node.data(), Stored.class).map(Stored::value).orElse(NOBODY);
    }

    byte[] write() {
        return StateJson.text(new Stored(parents, definition, last.orElse(null)))
                .getBytes(StandardCharsets.UTF_8);
    }

    @JsonInclude(Include.NON_NULL)
    private record Stored(
            @Nullable List<String> parents,
            int definition,
            @Nullable String last) {
        Following value() {
            return new Following(parents == null ? List.of() : parents, definition, Optional.ofNullable(last));
        }
    }
}
