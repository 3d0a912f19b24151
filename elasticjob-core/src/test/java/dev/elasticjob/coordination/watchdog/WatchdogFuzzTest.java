package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of what was reported of a job. */
class WatchdogFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                        "watchdog",
                        """
                {"items":{"0":{"token":4711,"waits":true,"by":"10.0.0.1@-@7","threads":"orders 3"},"7":{"token":4712,"by":"a"}},\
                "overdue":{"firing":"2026-03-01T12:00:00Z","by":"10.0.0.1@-@7"}}""",
                        data -> Optional.of(
                                WatchdogState.read(StoredFuzz.node(data)).write()))
                .acceptsAnything());
    }
}
