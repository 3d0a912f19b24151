package dev.elasticjob.coordination.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.job.after.ParentFiring;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The text in which firings of parents are stored. Pure. */
public final class ParentFirings {
    /** Each item's record has the text; the guide says that longer ones are cut. */
    private static final int MAX_ENDS = 256;

    private ParentFirings() {}

    public static String text(List<ParentFiring> parents) {
        return StateJson.text(new Stored(parents.stream().map(StoredParent::of).toList()));
    }

    /** None for any other text. */
    public static List<ParentFiring> read(String text) {
        if (!text.startsWith("{")) {
            return List.of();
        }
        return StateJson.read(text.getBytes(StandardCharsets.UTF_8), Stored.class)
                .flatMap(stored -> Optional.ofNullable(stored.after()))
                .map(parents -> parents.stream()
                        .filter(Objects::nonNull)
                        .flatMap(parent -> parent.value().stream())
                        .toList())
                .orElse(List.of());
    }

    private record Stored(@Nullable List<StoredParent> after) {}

    @JsonInclude(Include.NON_NULL)
    private record StoredParent(
            @Nullable String job,
            @Nullable String runId,
            @Nullable Instant at,
            @Nullable Boolean success,
            @Nullable String ends) {
        static StoredParent of(ParentFiring parent) {
            String ends = parent.ends();
            return new StoredParent(
                    parent.jobName(),
                    parent.runId(),
                    parent.scheduledTime().orElse(null),
                    parent.success(),
                    ends.length() > MAX_ENDS ? ends.substring(0, MAX_ENDS) + "…" : ends);
        }

        Optional<ParentFiring> value() {
            return job == null || runId == null
                    ? Optional.empty()
                    : Optional.of(new ParentFiring(
                            job, runId, Optional.ofNullable(at), success != null && success, ends == null ? "" : ends));
        }
    }
}
