package dev.elasticjob.coordination.session;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.stream.Stream;

/** {@link StoredFuzz} of the registry's own node. */
class RegistryNodeFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                "registry",
                """
                {"id":"1-19ca6b1e3f9","base":4711,"loss":{"kind":"WENT_BACK","former":"1-1","at":"2026-03-01T12:00:00Z",\
                "by":"10.0.0.1@-@7","confirmedBy":"mei","reason":"OPS-1"}}""",
                data -> Incarnation.read(StoredFuzz.node(data)).map(read -> StoredFuzz.bytes(read.text()))));
    }
}
