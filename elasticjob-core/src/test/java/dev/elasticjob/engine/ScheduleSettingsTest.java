package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that fire at a fixed rate, once, by several cron expressions, and from or until a time. */
class ScheduleSettingsTest {
    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final Instant start = cluster.now().truncatedTo(ChronoUnit.SECONDS);
    private final JobAdmin admin = new RegistryJobAdmin(cluster.operator());

    @Test
    void aFixedRateIsTheSameForAllInstancesAndGoesOnAfterARestartOfAll() {
        JobDefinition job = job().every(Duration.ofSeconds(45)).startAt(start).build();
        cluster.start("a@-@1", job);
        cluster.start("b@-@1", job);
        cluster.pass(Duration.ofSeconds(100));
        cluster.stop("a@-@1");
        cluster.stop("b@-@1");
        cluster.start("c@-@1", job);
        cluster.pass(Duration.ofSeconds(100));

        assertThat(firings()).containsExactly(seconds(45), seconds(90), seconds(135), seconds(180));
        assertThat(cluster.executions()).hasSize(2 * 4);
        assertThat(scheduleInForce()).isEqualTo("every PT45S from " + start);
    }

    @Test
    void whatFiresOnceRunsEachItemOnceAlsoIfEveryInstanceWasDownAtThatTime() {
        JobDefinition job = job().at(seconds(60)).build();
        cluster.start("a@-@1", job);
        cluster.pass(Duration.ofSeconds(5));
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(90));
        cluster.start("b@-@1", job);
        cluster.pass(Duration.ofHours(1));

        assertThat(firings()).containsExactly(seconds(60));
        assertThat(cluster.executions()).hasSize(2);
        assertThat(report().nextDueTime()).isEmpty();
    }

    @Test
    void whatFiresOnceDoesNotRunIfTheTimeWasOverWhenTheJobCame() {
        cluster.start("a@-@1", job().at(start.minusSeconds(1)).build());
        cluster.pass(Duration.ofMinutes(5));

        assertThat(cluster.executions()).isEmpty();
    }

    @Test
    void severalCronsFireOnceWhereTheyMeet() {
        cluster.start("a@-@1", job().cron("0 * * * * ?; 0/40 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(125));

        assertThat(firings())
                .contains(seconds(40), seconds(60), seconds(100), seconds(120))
                .doesNotHaveDuplicates();
        assertThat(cluster.executions()).hasSize(2 * firings().size());
    }

    @Test
    void nothingFiresBeforeTheBeginOrAfterTheEnd() {
        cluster.start(
                "a@-@1",
                job().cron("0/20 * * * * ?")
                        .startAt(seconds(40))
                        .endAt(seconds(80))
                        .build());
        cluster.pass(Duration.ofMinutes(5));

        assertThat(firings()).containsExactly(seconds(40), seconds(60), seconds(80));
    }

    @Test
    void anOperatorMakesACronAFixedRateWhileItRunsAndBack() {
        cluster.start("a@-@1", job().cron("0/20 * * * * ?").build());
        cluster.start("b@-@1", job().cron("0/20 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(30));
        redefine(Map.of("cron", "", "every", "30s"));
        assertThat(cluster.read("/orders/config")).isEmpty();
        cluster.pass(Duration.ofSeconds(65));
        int soFar = firings().size();
        redefine(Map.of("every", "0", "cron", "0/20 * * * * ?"));
        cluster.pass(Duration.ofSeconds(30));

        assertThat(firings().subList(0, soFar)).contains(seconds(20), seconds(60), seconds(90));
        assertThat(firings().subList(soFar, firings().size())).contains(seconds(120));
        assertThat(scheduleInForce()).isEqualTo("0/20 * * * * ?");
        assertThat(cluster.executions()).hasSize(2 * firings().size());
    }

    @Test
    void anOperatorEndsAJobAndTakesTheEndAwayAgain() {
        cluster.start("a@-@1", job().cron("0/20 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(2));
        redefine(Map.of("endAt", start.plusSeconds(25).toString()));
        cluster.pass(Duration.ofSeconds(50));
        assertThat(firings()).last().isEqualTo(seconds(20));
        redefine(Map.of("endAt", ""));
        cluster.pass(Duration.ofSeconds(15));

        assertThat(firings()).last().isEqualTo(seconds(60));
        assertThat(cluster.read("/orders/extension").orElseThrow().text()).doesNotContain("endAt");
    }

    @Test
    void nothingFiresAtTimesThatTheCalendarLeavesOut() {
        cluster.start(
                "a@-@1", job().cron("0/20 * * * * ?").calendar(window(30, 70)).build());
        cluster.pass(Duration.ofSeconds(105));

        assertThat(firings()).containsExactly(seconds(20), seconds(80), seconds(100));
        assertThat(scheduleInForce()).isEqualTo("0/20 * * * * ? except " + window(30, 70));
    }

    @Test
    void aNewerStateOfACalendarIsTakenAndAnOlderOneTakesNothingBack() {
        JobDefinition older =
                job().cron("0/20 * * * * ?").calendar("days: " + window(30, 50)).build();
        JobDefinition newer = older.toBuilder()
                .calendar("days: " + window(30, 50) + "," + window(70, 90) + ",2031-01-01")
                .build();
        cluster.start("a@-@1", older);
        cluster.pass(Duration.ofSeconds(10));
        cluster.start("b@-@1", newer);
        cluster.pass(Duration.ofSeconds(45));
        cluster.stop("a@-@1");
        cluster.start("a@-@2", older);
        cluster.pass(Duration.ofSeconds(50));

        assertThat(firings()).containsExactly(seconds(20), seconds(60), seconds(100));
        assertThat(cluster.read("/orders/extension").orElseThrow().text()).contains("2031-01-01");
    }

    @Test
    void aDayThatAnOperatorTakesOutIsNotBroughtBackByAnInstanceThatJoinsAgain() {
        JobDefinition job = job().cron("0/20 * * * * ?")
                .calendar("days: 2031-01-01,2031-12-31")
                .build();
        cluster.start("a@-@1", job);
        cluster.pass(Duration.ofSeconds(5));
        redefine(Map.of("calendar", "days: 2031-01-01"));
        cluster.stop("a@-@1");
        cluster.start("a@-@2", job);
        cluster.pass(Duration.ofSeconds(5));

        assertThat(scheduleInForce()).isEqualTo("0/20 * * * * ? except 2031-01-01");
    }

    @Test
    void spreadFiringsKeepToTheTimesThatTheCalendarLeavesOut() {
        cluster.start(
                "a@-@1",
                job().cron("0 * * * * ?")
                        .spread(Duration.ofSeconds(50))
                        .calendar(window(60, 120))
                        .build());
        cluster.pass(Duration.ofSeconds(180));

        assertThat(firings())
                .hasSize(2)
                .noneMatch(firing -> firing.isAfter(seconds(60)) && firing.isBefore(seconds(120)));
    }

    @Test
    void anotherCalendarThanTheRegistryHasIsNotTaken() {
        cluster.start(
                "a@-@1",
                job().cron("0/20 * * * * ?").calendar("days: " + window(30, 50)).build());
        cluster.pass(Duration.ofSeconds(1));
        cluster.start(
                "b@-@1",
                job().cron("0/20 * * * * ?")
                        .calendar("other: " + window(70, 90) + ",2031-01-01")
                        .build());
        cluster.pass(Duration.ofSeconds(105));

        assertThat(firings()).containsExactly(seconds(20), seconds(60), seconds(80), seconds(100));
    }

    @Test
    void spreadMovesAllFiringsByTheSameTimeWithinTheWindow() {
        cluster.start(
                "a@-@1",
                job().cron("0 * * * * ?").spread(Duration.ofSeconds(50)).build());
        cluster.start(
                "b@-@1",
                job().cron("0 * * * * ?").spread(Duration.ofSeconds(50)).build());
        cluster.pass(Duration.ofSeconds(175));

        Duration offset = Duration.between(
                firings().get(0).truncatedTo(ChronoUnit.MINUTES), firings().get(0));
        assertThat(offset).isPositive().isLessThan(Duration.ofSeconds(50));
        assertThat(firings())
                .hasSizeGreaterThan(1)
                .allMatch(firing -> Duration.between(firing.truncatedTo(ChronoUnit.MINUTES), firing)
                        .equals(offset));
        assertThat(cluster.executions()).hasSize(2 * firings().size());
    }

    private String window(int from, int until) {
        return local(from) + "/" + local(until);
    }

    private LocalDateTime local(int seconds) {
        return LocalDateTime.ofInstant(seconds(seconds), ZoneOffset.UTC);
    }

    private void redefine(Map<String, Object> changes) {
        String version = cluster.get(admin.versionedDefinition("orders")).version();
        cluster.get(admin.redefine("orders", version, changes));
    }

    @Test
    void anItemThatHasNeverRunShowsNoScheduledTime() {
        cluster.start("a@-@1", job().every(Duration.ofHours(1)).build());
        cluster.pass(Duration.ofSeconds(1));

        assertThat(report().items())
                .hasSize(2)
                .allSatisfy(item -> assertThat(item.itemRecord().scheduledAt()).isEmpty());
        cluster.pass(Duration.ofHours(1));
        assertThat(report().items())
                .allSatisfy(item -> assertThat(item.itemRecord().scheduledAt()).isPresent());
    }

    /** The scheduled times of all executions, each once, oldest first, without that at the start. */
    private List<Instant> firings() {
        return cluster.executions().stream()
                .map(SimulatedCluster.Execution::scheduledAt)
                .filter(start::isBefore)
                .distinct()
                .sorted()
                .toList();
    }

    private JobReport report() {
        return cluster.get(cluster.inspector().job("orders")).orElseThrow();
    }

    private String scheduleInForce() {
        return report().schedule().orElseThrow().text();
    }

    private Instant seconds(int count) {
        return start.plusSeconds(count);
    }

    private static JobDefinition.Builder job() {
        return JobDefinition.builder("orders").timeZone(ZoneOffset.UTC).shardingTotalCount(2);
    }
}
