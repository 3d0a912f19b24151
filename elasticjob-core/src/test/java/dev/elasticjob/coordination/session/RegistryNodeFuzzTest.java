package dev.elasticjob.coordination.session;

import dev.elasticjob.testing.StoredFuzz;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link StoredFuzz} of the registry's own node. */
class RegistryNodeFuzzTest {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                "registry",
                """
                {"id":"1-19ca6b1e3f9","base":4711,"loss":{"kind":"WENT_BACK","former":"1-1","at":"2026-03-01T12:00:00Z",\
                "by":"10.0.0.1@-@7","confirmedBy":"mei","reason":"OPS-1"}}""",
                data -> Incarnation.read(StoredFuzz.node(data)).map(read -> StoredFuzz.bytes(read.text()))));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void whatNobodyHasWrittenIsAcceptedOrRefused(StoredFuzz form) {
        form.check();
    }
}
