package dev.elasticjob.admin.app;

import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of applications of Kubernetes. */
class AppsFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(
                StoredFuzz.of(
                                "application",
                                """
                {"name":"shop","namespace":"jobs","suspend":true,"pools":[{"name":"default","capacity":4,"baseWorkers":1,\
                "maxWorkers":3,"open":2,"running":1,"need":1,"registered":1,"nextFiring":"2026-03-01T12:00:00Z",\
                "jobs":["orders"],"workers":[{"name":"shop-default-1","phase":"FAILED","since":"2026-03-01T12:00:00Z",\
                "reason":"OOMKilled"}],"leftOut":2}],"conditions":[{"type":"Ready","holds":false,"reason":"Invalid",\
                "message":"no container","since":"2026-03-01T12:00:00Z"}]}""",
                                data -> Optional.of(StoredFuzz.bytes(
                                        StateJson.text(AppNodes.published("jobs.shop", StoredFuzz.node(data))))))
                        .acceptsAnything(),
                StoredFuzz.of("suspension", """
                {"actor":"mei","reason":"OPS-1"}""", data -> {
                            Suspension read = Suspension.of(StoredFuzz.node(data));
                            return Optional.of(StoredFuzz.bytes(Suspension.text(read.actor(), read.reason())));
                        })
                        .acceptsAnything());
    }
}
