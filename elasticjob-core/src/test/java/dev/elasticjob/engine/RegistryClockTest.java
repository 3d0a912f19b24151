package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.TimeCorrected;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The registry's clock was ahead for a while, or somebody wrote a time of the future: no job waits for it in silence. */
class RegistryClockTest {
    private static final Instant START = Instant.parse("2026-03-01T11:59:59.500Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<Instant> runs = new ArrayList<>();
    private final OneEngine one = new OneEngine(
            START,
            JobDefinition.builder("orders")
                    .cron("0/5 * * * * ?")
                    .timeZone(ZoneOffset.UTC)
                    .shardingTotalCount(1)
                    .build(),
            context -> runs.add(context.getScheduledTime()));

    @Test
    void aClockThatWasAheadChangesNothingByItself() {
        whileAhead(admin -> {});

        everyFiringRuns();
        assertThat(corrected()).isEmpty();
    }

    @Test
    void aJobThatIsPausedAndResumedMeanwhileGoesOn() {
        whileAhead(admin -> {
            admin.pause("orders");
            one.passRunning(SECOND.multipliedBy(10));
            admin.resume("orders");
        });

        everyFiringRuns();
        assertThat(corrected()).containsExactlyInAnyOrder(TREE.paused(), TREE.sharding());
    }

    @Test
    void aNamespaceThatIsPausedAndResumedMeanwhileGoesOn() {
        whileAhead(admin -> {
            admin.pauseAll();
            one.passRunning(SECOND.multipliedBy(10));
            admin.resumeAll();
        });

        everyFiringRuns();
        assertThat(corrected()).containsExactlyInAnyOrder(JobTree.namespacePaused(), TREE.sharding());
    }

    @Test
    void aPauseThatBeganMeanwhileIsOverWithItsResumption() {
        whileAhead(admin -> admin.pause("orders"));
        one.passRunning(SECOND.multipliedBy(20));
        one.admin().resume("orders");

        everyFiringRuns();
    }

    @Test
    void disabledServersThatWereEnabledMeanwhileGoOn() {
        whileAhead(admin -> {
            one.operate(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION));
            one.passRunning(SECOND.multipliedBy(10));
            one.operate(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "", RegistryCommit.ANY_VERSION));
        });

        everyFiringRuns();
    }

    @Test
    void aScheduleThatWasChangedMeanwhileIsInForceOnceTheClockIsRight() {
        whileAhead(admin -> admin.redefine(
                "orders", job -> job.toBuilder().cron("0/4 * * * * ?").build()));

        everyFiringRuns();
        assertThat(corrected()).containsExactly(TREE.sharding());
        assertThat(runs).as("no firing of the future").allMatch(firing -> !firing.isAfter(one.time.instant()));
        assertThat(runs.get(runs.size() - 1).getEpochSecond() % 4).isZero();
    }

    @Test
    void nothingOfTheFutureRunsWhileTheClockIsAhead() {
        one.started();
        one.passRunning(SECOND.multipliedBy(30));
        one.registryIsAhead(HOUR);
        one.admin()
                .redefine("orders", job -> job.toBuilder().cron("0/4 * * * * ?").build());

        one.passRunning(SECOND.multipliedBy(30));

        assertThat(runs).allMatch(firing -> !firing.isAfter(one.time.instant()));
    }

    @Test
    void aJobThatWasCreatedMeanwhileRuns() {
        one.registryIsAhead(HOUR);
        one.started();
        one.passRunning(SECOND.multipliedBy(10));
        one.registryIsAhead(Duration.ZERO);

        everyFiringRuns();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2100-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z"})
    void aPauseThatEndsInTheFutureStopsNothing(String until) {
        one.operate(RegistryCommit.builder()
                .create(
                        JobTree.namespacePaused(),
                        "{\"paused\":false,\"earlier\":[{\"from\":\"2026-01-01T00:00:00Z\",\"until\":\"%s\"}]}"
                                .formatted(until)));
        one.started();

        everyFiringRuns();
        assertThat(corrected()).containsExactly(JobTree.namespacePaused());
        assertThat(one.read(JobTree.namespacePaused()))
                .map(RegistryNode::text)
                .hasValueSatisfying(text -> assertThat(text).doesNotContain(until));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2100-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z"})
    void aPlanThatCountsFromTheFutureStopsNothing(String since) {
        one.started();
        one.passRunning(SECOND.multipliedBy(30));
        String plan = one.read(TREE.sharding()).orElseThrow().text();
        one.operate(RegistryCommit.builder()
                .set(
                        TREE.sharding(),
                        plan.replaceFirst("\"since\":\"[^\"]*\"", "\"since\":\"" + since + "\""),
                        RegistryCommit.ANY_VERSION));

        everyFiringRuns();
        assertThat(one.events.stream().filter(TimeCorrected.class::isInstance))
                .singleElement()
                .satisfies(event -> assertThat(((TimeCorrected) event).from()).isEqualTo(since));
    }

    @Test
    void aClockThatIsBehindForHalfAMinuteMakesNothingOwedThatWasNot() {
        one.started();
        one.passRunning(SECOND.multipliedBy(30));
        String before = one.read(TREE.sharding()).orElseThrow().text();
        one.registryIsAhead(HOUR.negated());
        one.admin().trigger("orders");
        one.passRunning(SECOND.multipliedBy(30));
        one.registryIsAhead(Duration.ZERO);
        one.admin().trigger("orders");

        everyFiringRuns();
        assertThat(corrected()).isEmpty();
        assertThat(one.read(TREE.sharding()).orElseThrow().text()).isEqualTo(before);
        assertThat(runs).doesNotHaveDuplicates();
    }

    @Test
    void aRecordIsNotSetBackByAClockThatIsBehind() {
        one.started();
        one.passRunning(SECOND.multipliedBy(30));
        one.registryIsAhead(HOUR.negated());
        one.admin().trigger("orders");
        one.passRunning(MINUTE.multipliedBy(15));
        one.registryIsAhead(Duration.ZERO);
        one.admin().trigger("orders");

        one.passRunning(MINUTE);

        assertThat(runs.stream().filter(run -> run.getNano() == 0)).doesNotHaveDuplicates();
    }

    /** The operator's command, while the registry's clock is an hour ahead. */
    private void whileAhead(Consumer<JobAdmin> command) {
        one.started();
        one.passRunning(SECOND.multipliedBy(30));
        one.registryIsAhead(HOUR);
        command.accept(one.admin());
        one.passRunning(SECOND.multipliedBy(10));
        one.registryIsAhead(Duration.ZERO);
    }

    /** From two minutes after the clock is right. */
    private void everyFiringRuns() {
        one.passRunning(MINUTE.multipliedBy(2));
        int before = runs.size();
        one.passRunning(MINUTE.multipliedBy(5));
        assertThat(runs.size() - before).isBetween(59, 75);
    }

    private List<String> corrected() {
        return one.events.stream()
                .filter(TimeCorrected.class::isInstance)
                .map(event -> ((TimeCorrected) event).node())
                .distinct()
                .toList();
    }
}
