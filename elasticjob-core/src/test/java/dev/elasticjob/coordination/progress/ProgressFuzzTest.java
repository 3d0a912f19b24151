package dev.elasticjob.coordination.progress;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of what executions say. */
class ProgressFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                "progress",
                """
                {"executions":{"0":{"token":4711,"done":3,"total":10,"text":"rows"},"7":{"token":4712,"done":3,"total":0}}}""",
                data -> Optional.of(StoredFuzz.bytes(
                        ProgressNode.read(StoredFuzz.PATH, data).write()))));
    }
}
