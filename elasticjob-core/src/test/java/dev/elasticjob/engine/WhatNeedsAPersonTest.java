package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a sweep over the namespace finds, without an instance's help. */
class WhatNeedsAPersonTest {
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .stuckAfter(Duration.ofSeconds(20))
            .expectWithin(Duration.ofSeconds(30))
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(7);

    @Test
    void anExecutionThatTakesTooLongAndTheFiringThatNobodyBeginsMeanwhile() {
        List<Finding> found = new ArrayList<>();
        SimpleJob slow = context -> {
            if (context.getScheduledTime().equals(FIRING)) {
                cluster.pass(Duration.ofMinutes(2));
                found.addAll(attention());
                cluster.pass(Duration.ofMinutes(2));
            }
        };
        cluster.start("a@-@1", ORDERS, slow, UnaryOperator.identity());

        cluster.pass(Duration.between(cluster.now(), FIRING).plusMinutes(5));

        assertThat(found).extracting(Finding::kind).containsExactly(Kind.NOT_BEGUN, Kind.STUCK);
        assertThat(found.get(0).since()).hasValue(FIRING.plusSeconds(60));
        assertThat(found.get(1).items()).containsExactly(0);
        assertThat(attention()).isEmpty();
    }

    @Test
    void aJobThatRunsAfterOneThatIsNotThere() {
        JobDefinition late =
                JobDefinition.builder("late").after(AfterSettings.of("missing")).build();
        cluster.start("a@-@1", late, context -> {}, UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(5));

        assertThat(attention()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.PARENT_NOT_FOLLOWED);
            assertThat(finding.fact().text()).contains("\"missing\"", "there is no such job");
        });
    }

    /** Its record and its lock look as if it executed, and to cancel it would help nobody. */
    @Test
    void anItemWhoseThreadsAnotherJobHasIsNotStuckAndTheOtherJobIsNamed() {
        List<Finding> found = new ArrayList<>();
        List<Explanation> explained = new ArrayList<>();
        JobDefinition billing = JobDefinition.builder("billing")
                .cron("58 59 2 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
        SimpleJob hog = context -> {
            cluster.pass(Duration.ofSeconds(50));
            found.addAll(attention());
            explained.add(cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow());
        };
        cluster.start(
                "a@-@1",
                engine -> {
                    engine.register(billing, hog);
                    engine.register(ORDERS, context -> {});
                },
                engine -> engine.maxThreads(1));

        cluster.pass(Duration.between(cluster.now(), FIRING).plusMinutes(2));

        assertThat(found)
                .extracting(Finding::kind)
                .contains(Kind.WAITS_FOR_THREAD)
                .doesNotContain(Kind.STUCK);
        assertThat(found)
                .filteredOn(finding -> finding.kind() == Kind.WAITS_FOR_THREAD)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.job()).isEqualTo("orders");
                    assertThat(finding.fact().text()).contains("\"a@-@1\" has claimed it", "\"billing\" has 1");
                });
        assertThat(explained.get(0).conditions().get(0)).satisfies(first -> {
            assertThat(first.reason()).isEqualTo(Explanation.Reason.NO_FREE_THREAD);
            assertThat(first.fact().text()).contains("claimed by \"a@-@1\"", "\"billing\" has 1");
        });
        assertThat(attention()).isEmpty();
    }

    private List<Finding> attention() {
        return cluster.get(cluster.inspector().attention());
    }
}
