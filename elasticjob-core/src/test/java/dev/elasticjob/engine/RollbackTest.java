package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Back from Elastic-Job 2.x, which has taken the job over for a while: it plans by the owners that we only show. */
class RollbackTest {
    private static final Instant START = Instant.parse("2026-03-01T07:59:30Z");
    private static final Instant EIGHT = Instant.parse("2026-03-01T08:00:00Z");
    private static final int ANY = RegistryCommit.ANY_VERSION;

    private final List<Instant> begun = new ArrayList<>();
    private OneEngine one;

    @BeforeEach
    void runOnceAndStop() {
        JobDefinition hourly = JobDefinition.builder("orders")
                .cron("0 0 * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .build();
        one = new OneEngine(START, hourly, context -> begun.add(context.getScheduledTime())).started();
        one.passRunning(Duration.ofMinutes(1));
        one.engine.stop();
        one.settle();
        assertThat(begun).containsExactly(EIGHT, EIGHT);
    }

    @Test
    void whatTheOtherSoftwareMayHaveRunIsNotRepeated() {
        othersPlan();

        try (LoggedLines log = new LoggedLines()) {
            backAtHalfPastTen();

            assertThat(log.all())
                    .anyMatch(line -> line.startsWith("WARN Job \"orders\": the registry displays item 0 as owned by")
                            && line.contains("has resharded the job in the meantime"));
        }
        assertThat(begun).hasSize(2);
        one.passRunning(Duration.ofMinutes(60));
        assertThat(begun.subList(2, 4)).containsOnly(Instant.parse("2026-03-01T11:00:00Z"));
        assertThat(one.read(TREE.owner(0)).orElseThrow().text()).isEqualTo("a@-@1");
    }

    /** Its last change may have asked for another plan, which nobody made any more. */
    @Test
    void itIsToldFromAnUnfinishedPlanOfOursThoughTheBellRings() {
        othersPlan();
        one.operate(RegistryCommit.builder().set(TREE.necessary(), "", ANY));

        backAtHalfPastTen();

        assertThat(begun).hasSize(2);
    }

    @Test
    void anUnfinishedPlanOfOursIsShownToTheEndAndOwesWhatWasMissed() {
        othersPlan();
        one.operate(RegistryCommit.builder().set(TREE.necessary(), "owners to be shown", ANY));

        backAtHalfPastTen();

        assertThat(begun.subList(2, 4)).containsOnly(Instant.parse("2026-03-01T10:00:00Z"));
        assertThat(one.read(TREE.owner(0)).orElseThrow().text()).isEqualTo("a@-@1");
        assertThat(one.read(TREE.necessary())).isEmpty();
    }

    @Test
    void aRequestForReshardingMeanwhileDoesNotHideThatOwnersAreLeftToBeShown() {
        othersPlan();
        one.operate(RegistryCommit.builder().set(TREE.necessary(), "owners to be shown", ANY));

        one.admin().reshard("orders").toCompletableFuture().join();
        backAtHalfPastTen();

        assertThat(begun.subList(2, 4)).containsOnly(Instant.parse("2026-03-01T10:00:00Z"));
        assertThat(one.read(TREE.necessary())).isEmpty();
    }

    @Test
    void afterAnAbsenceInWhichNobodyPlannedTheMissedFiringRuns() {
        backAtHalfPastTen();

        assertThat(begun.subList(2, 4)).containsOnly(Instant.parse("2026-03-01T10:00:00Z"));
    }

    private void othersPlan() {
        one.operate(RegistryCommit.builder()
                .set(TREE.owner(0), "10.0.0.9@-@77", ANY)
                .set(TREE.owner(1), "10.0.0.9@-@77", ANY));
    }

    private void backAtHalfPastTen() {
        one.pass(Duration.between(one.time.instant(), Instant.parse("2026-03-01T10:30:00Z")));
        one.engine.start();
        one.passRunning(Duration.ofMinutes(1));
    }
}
