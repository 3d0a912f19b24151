package dev.elasticjob.coordination.item;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.SESSION;
import static dev.elasticjob.coordination.Samples.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.ScriptedRegistry;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossReporterTest {
    private static final String NOT_REPEATED = "Lost work is not repeated; trigger the job if the work is needed";

    @Test
    void aDroppedManualRunIsNamedWithItsItemAndReason() {
        assertThat(LossReporter.sentence(
                        new JobEvent.ManualRunDropped("orders", 3, List.of("r1", "r2"), "the item is disabled")))
                .contains("run \"r1,r2\" of item 3 was dropped: the item is disabled");
    }

    @Test
    void lostFiringsAreCounted() {
        assertThat(LossReporter.sentence(new JobEvent.FiringsLost("orders", 3, NOON.minusSeconds(120), NOON, 2)))
                .contains("item 3 lost 2 firings before 2026-03-01T12:00:00Z. " + NOT_REPEATED);
    }

    @Test
    void aSingleLostFiringIsReportedWithItsTime() {
        List<JobEvent> heard = new ArrayList<>();
        try (LoggedLines log = new LoggedLines()) {
            new LossReporter(scope(heard)).tellLost(3, NOON);

            assertThat(heard).containsExactly(new JobEvent.FiringsLost("orders", 3, NOON, NOON, 1));
            assertThat(log.all())
                    .containsExactly(
                            "WARN Job \"orders\": item 3 lost its firing at 2026-03-01T12:00:00Z. " + NOT_REPEATED);
        }
    }

    @Test
    void foldedFiringsAreNoLoss() {
        assertThat(LossReporter.sentence(new JobEvent.FiringsFolded("orders", 3, NOON, NOON, 2)))
                .isEmpty();
    }

    @Test
    void firingsThatSeveralItemsMissedAreReportedInOneLine() {
        List<JobEvent> heard = new ArrayList<>();
        List<JobEvent> gaps = List.of(
                new JobEvent.FiringsFolded("orders", 2, NOON.minusSeconds(30), NOON, 3),
                new JobEvent.FiringsFolded("orders", 0, NOON.minusSeconds(30), NOON, 3),
                new JobEvent.FiringsFolded("orders", 1, NOON.minusSeconds(30), NOON, 3),
                new JobEvent.FiringsFolded("orders", 7, NOON.minusSeconds(10), NOON, 1));
        try (LoggedLines log = new LoggedLines()) {
            new LossReporter(scope(heard)).tell(gaps);

            assertThat(heard).isEqualTo(gaps);
            assertThat(log.all())
                    .containsExactly(
                            "INFO Job \"orders\": items [0-2] missed 3 firings since 2026-03-01T11:59:30Z; one execution,"
                                    + " for the firing at 2026-03-01T12:00:00Z, makes up for them",
                            "INFO Job \"orders\": items [7] missed 1 firing since 2026-03-01T11:59:50Z; one execution,"
                                    + " for the firing at 2026-03-01T12:00:00Z, makes up for them");
        }
    }

    private static JobScope scope(List<JobEvent> heard) {
        ManualTime time = new ManualTime(NOON);
        ScriptedRegistry registry = new ScriptedRegistry(SESSION);
        RegistryTime registryTime = new RegistryTime(time, time);
        SessionLease lease = new SessionLease(time, Duration.ofSeconds(2));
        SharedConnection connection = new SharedConnection(registry, Runnable::run, time, lease, registryTime);
        return new JobScope(TREE, connection, time, heard::add, new Announcements());
    }
}
