package dev.elasticjob.coordination.view;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of what operators write. */
class OperatorNodesFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(
                StoredFuzz.of("pause", """
                {"paused":true,"from":"2026-03-01T12:00:00Z","actor":"mei","reason":"OPS-1",\
                "earlier":[{"from":"2026-02-01T12:00:00Z","until":"2026-02-01T13:00:00Z"}],\
                "failures":{"item":3,"times":5,"failure":"no stock"}}""", data -> {
                            PauseSwitch read = PauseSwitch.of(StoredFuzz.node(data));
                            read.failures().ifPresent(failed -> failed.failure().isEmpty());
                            String text = read.paused()
                                    ? PauseSwitch.begun(Optional.of(read), read.actor(), read.reason())
                                    : read.ended(read.actor(), read.reason());
                            PauseSwitch.of(StoredFuzz.node(StoredFuzz.bytes(text)))
                                    .latestTime();
                            return Optional.of(data);
                        })
                        .acceptsAnything(),
                StoredFuzz.of(
                        "drain",
                        """
                {"actor":"mei","reason":"OPS-1"}""",
                        data -> OperatorDrain.of(StoredFuzz.node(data))
                                .map(drain -> StoredFuzz.bytes(OperatorDrain.text(drain.actor(), drain.reason())))));
    }
}
