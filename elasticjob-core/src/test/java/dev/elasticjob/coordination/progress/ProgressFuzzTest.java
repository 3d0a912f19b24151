package dev.elasticjob.coordination.progress;

import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link StoredFuzz} of what executions say. */
class ProgressFuzzTest {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                "progress",
                """
                {"executions":{"0":{"token":4711,"done":3,"total":10,"text":"rows"},"7":{"token":4712,"done":3,"total":0}}}""",
                data -> Optional.of(StoredFuzz.bytes(
                        ProgressNode.read(StoredFuzz.PATH, data).write()))));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void whatNobodyHasWrittenIsAcceptedOrRefused(StoredFuzz form) {
        form.check();
    }
}
