package dev.elasticjob.admin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of the last commands of a job. */
class CommandsFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of("commands", """
                [{"at":"2026-03-01T12:00:00Z","actor":"mei","reason":"OPS-1","command":"pause","before":"is not paused",\
                "outcome":"paused","settings":{"cron":["0 * * * * ?","0 0 * * * ?"],"password":[]}}]""", data -> {
                    List<CommandHistory.Entry> read = CommandHistory.read(StoredFuzz.node(data));
                    read.forEach(entry -> assertThat(entry.toString()).isNotEmpty());
                    return read.isEmpty() ? Optional.empty() : Optional.of(data);
                })
                .acceptsAnything());
    }
}
