package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What two instances on a real ZooKeeper agree on about time. */
class TimeIT {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final JobDefinition AT_HALF_PAST_TWO = JobDefinition.builder("orders")
            .cron("0 30 2 * * ?")
            .timeZone(BERLIN)
            .shardingTotalCount(2)
            .build();

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final LoggedLines log = engines.add(new LoggedLines());
    private final EventLog events = engines.events();

    @Test
    void daysOfAnAdoptedTreeThatQuartzCountedOtherwiseAreSaidOnce() {
        adopt(AT_HALF_PAST_TWO.toBuilder().cron("0 30 2 ? * 2-6").build());

        ElasticJobEngine one = start("a@-@1", AT_HALF_PAST_TWO);
        ElasticJobEngine other = start("b@-@1", AT_HALF_PAST_TWO);
        awaitShared();

        assertThat(log.await("now means"))
                .isEqualTo(
                        "WARN Job \"orders\": cron \"0 30 2 ? * 2-6\" now means TUE,WED,THU,FRI,SAT, but in Elastic-Job"
                                + " it meant MON,TUE,WED,THU,FRI: Quartz counts days from SUN=1, whereas MON is 1 here. Write"
                                + " \"0 30 2 ? * MON-FRI\" to keep the old meaning, or use names of days for the new one");
        assertThat(log.all()).filteredOn(line -> line.contains("now means")).hasSize(1);
        assertThat(List.of(report(one), report(other)))
                .extracting(report -> report.schedule().orElseThrow().text())
                .containsOnly("0 30 2 ? * 2-6");
    }

    @Test
    void aZoneIsInForceOnBothInstancesAndStaysWhenTheOneThatBroughtItLeaves() {
        ElasticJobEngine one = start("a@-@1", AT_HALF_PAST_TWO);
        ElasticJobEngine other = start(
                "b@-@1",
                AT_HALF_PAST_TWO.toBuilder()
                        .timeZone(ZoneId.of("America/New_York"))
                        .build());
        awaitShared();

        Instant next = report(one).nextDueTime().orElseThrow();
        assertThat(next.atZone(BERLIN).toLocalTime()).isEqualTo(LocalTime.of(2, 30));
        assertThat(report(other).nextDueTime()).contains(next);

        get(one.stop());
        events.await(
                AssignmentChanged.class,
                now -> now.instance().equals("b@-@1") && now.items().size() == 2);

        assertThat(report(other).schedule().orElseThrow().timeZone()).isEqualTo("Europe/Berlin");
        assertThat(report(other).nextDueTime()).contains(next);
    }

    @Test
    void oneFiringHasOneRunIdOnBothInstances() {
        JobDefinition everySecond =
                AT_HALF_PAST_TWO.toBuilder().cron("* * * * * ?").build();
        start("a@-@1", everySecond);
        ElasticJobEngine other = start("b@-@1", everySecond);
        awaitShared();
        events.clear();

        ItemFinished there =
                events.await(ItemFinished.class, end -> end.instance().equals("b@-@1"));
        ItemFinished here = events.await(
                ItemFinished.class,
                end -> end.instance().equals("a@-@1") && end.scheduledAt().equals(there.scheduledAt()));

        assertThat(there.runId()).isEqualTo("orders@" + there.scheduledAt()).isEqualTo(here.runId());
        assertThat(report(other).items())
                .extracting(item -> item.itemRecord().runId())
                .allSatisfy(runId -> assertThat(runId)
                        .hasValueSatisfying(id -> assertThat(id).startsWith("orders@")));
    }

    /** Writes what Elastic-Job 2.1.5 leaves behind: a config, and no extension. */
    private void adopt(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        Registry registry = engines.registry();
        CommitOutcome outcome = get(registry.commit(
                registry.session().orElseThrow(),
                RegistryCommit.builder()
                        .create(tree.root())
                        .create(tree.config(), new JobDefinitionCodec().config(definition, Optional.empty()))
                        .build()));
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
    }

    private void awaitShared() {
        for (String instance : List.of("a@-@1", "b@-@1")) {
            events.await(
                    AssignmentChanged.class,
                    now -> now.instance().equals(instance) && now.items().size() == 1);
        }
    }

    private static JobReport report(ElasticJobEngine engine) {
        return get(engine.inspector().job("orders")).orElseThrow();
    }

    private ElasticJobEngine start(String instance, JobDefinition definition) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(definition, context -> {});
        get(engine.start());
        return engine;
    }
}
