package dev.elasticjob.coordination.run;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of runs and followers. */
class RunsFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(
                StoredFuzz.of(
                                "parents",
                                """
                {"after":[{"job":"import","runId":"import@2026-03-01T12:00:00Z","at":"2026-03-01T12:00:00Z","success":true,\
                "ends":"COMPLETED"}]}""",
                                data -> Optional.of(StoredFuzz.bytes(ParentFirings.text(
                                        ParentFirings.read(new String(data, StandardCharsets.UTF_8))))))
                        .acceptsAnything(),
                StoredFuzz.of(
                        "backfill",
                        """
                {"id":"b1","by":{"actor":"mei","reason":"OPS-1"},"cron":"0 0 * * * ?","timeZone":"UTC",\
                "next":"2026-02-01T12:00:00Z","until":"2026-02-02T12:00:00Z","atOnce":2,"asking":"2026-02-01T11:00:00Z",\
                "open":["2026-02-01T10:00:00Z","2026-02-01T11:00:00Z"],"failed":1,"failedTimes":["2026-02-01T09:00:00Z"]}""",
                        data -> Backfill.read(StoredFuzz.PATH, StoredFuzz.node(data))
                                .map(Backfill::write)),
                StoredFuzz.of(
                        "follower",
                        """
                {"parents":["import","clean"],"definition":3,"last":"import@2026-03-01T12:00:00Z",\
                "notFollowed":{"clean":"it is disabled"}}""",
                        data -> Optional.of(FollowerState.read(StoredFuzz.PATH, StoredFuzz.node(data))
                                .write())));
    }
}
