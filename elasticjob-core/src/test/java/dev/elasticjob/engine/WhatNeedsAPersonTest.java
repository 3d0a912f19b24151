package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
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
            assertThat(finding.fact()).contains("\"missing\"", "there is no such job");
        });
    }

    private List<Finding> attention() {
        return cluster.get(cluster.inspector().attention());
    }
}
