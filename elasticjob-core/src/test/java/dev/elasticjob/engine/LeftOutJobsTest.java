package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that are registered with an engine which leaves them out by their names. */
class LeftOutJobsTest {
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .build();

    private final List<String> ran = new ArrayList<>();
    private final SimpleJob noting = context -> ran.add(context.getJobName());
    private final OneEngine one = new OneEngine(
            Instant.parse("2026-03-01T11:59:30Z"),
            ORDERS,
            noting,
            engine -> engine.jobs(NameSelection.of(List.of("ord*"), List.of())));

    @Test
    void theyDoNotRunAndTheOthersDo() {
        one.started();
        one.engine.register(named("tenant-7").build(), noting);

        one.pass(Duration.ofMinutes(1));
        one.runItems();

        assertThat(ran).containsExactly("orders");
        assertThat(one.engine.jobNames()).containsExactly("orders");
    }

    @Test
    void registeringAndUnregisteringThemIsDoneAtOnce() {
        one.started();

        var registered = one.engine.register(named("tenant-7").build(), noting);
        var unregistered = one.engine.unregister("tenant-7");

        assertThat(registered.toCompletableFuture()).isCompleted();
        assertThat(unregistered.toCompletableFuture()).isCompleted();
    }

    @Test
    void theirDefinitionsAreChecked() {
        JobDefinition unknownHandler =
                named("tenant-7").jobExceptionHandler("nobody").build();

        assertThatThrownBy(() -> one.engine.register(unknownHandler, noting))
                .isInstanceOf(InvalidJobDefinitionException.class);
    }

    @Test
    void aQuestionAboutOneSaysWhyItIsNotThere() {
        assertThatThrownBy(() -> one.engine.state("tenant-7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaves out the job \"tenant-7\" by its name (\"elasticjob.worker.jobs\"");
    }

    private static JobDefinition.Builder named(String name) {
        return JobDefinition.builder(name).cron("0 * * * * ?").timeZone(ZoneOffset.UTC);
    }
}
