package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Import, fan-out and report on three instances and a real ZooKeeper. */
class FollowerIT {
    private static final JobDefinition IMPORT =
            JobDefinition.builder("import").cron("0 0 0 1 1 ?").failover(true).build();
    private static final JobDefinition FAN_OUT = follower("fan-out", 6, "import");
    private static final JobDefinition REPORT = follower("report", 1, "fan-out");

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<Started> started = new Heard<>();
    private final CountDownLatch never = new CountDownLatch(1);

    private record Started(String instance, String job, int item, String runId, int attempt, List<String> parents) {}

    @Test
    void aChainGoesOnWhenAnInstanceIsKilledInTheMiddle() {
        engines.add(never::countDown);
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(this::start);
        engines.awaitFollower("import", "fan-out");
        engines.awaitFollower("fan-out", "report");
        var admin = new RegistryJobAdmin(engines.registry());

        get(admin.trigger("import", new RunRequest("one", "")));
        started.await("item 0 of the fan-out", all -> all.stream().anyMatch(FollowerIT::hangs));
        Started hanging =
                started.all().stream().filter(FollowerIT::hangs).findFirst().orElseThrow();
        engines.registryOf(hanging.instance()).close();
        started.await(
                "the report", all -> all.stream().anyMatch(one -> one.job().equals("report")));
        get(admin.trigger("import", new RunRequest("two", "")));
        started.await(
                "the second report",
                all -> all.stream()
                        .anyMatch(
                                one -> one.job().equals("report") && one.runId().equals("after-run-two")));

        assertThat(started.all())
                .filteredOn(one -> one.job().equals("fan-out") && one.attempt() == 1)
                .extracting(one -> one.item() + " " + one.runId())
                .doesNotHaveDuplicates()
                .hasSize(12);
        assertThat(started.all())
                .filteredOn(one -> one.job().equals("report"))
                .extracting(Started::runId, Started::parents)
                .containsExactly(
                        tuple("after-run-one", List.of("fan-out after-run-one true")),
                        tuple("after-run-two", List.of("fan-out after-run-two true")));
    }

    private static boolean hangs(Started one) {
        return one.job().equals("fan-out")
                && one.item() == 0
                && one.attempt() == 1
                && one.runId().endsWith("one");
    }

    private static JobDefinition follower(String name, int items, String parent) {
        return JobDefinition.builder(name)
                .shardingTotalCount(items)
                .failover(true)
                .after(AfterSettings.of(parent))
                .build();
    }

    private void start(String instance) {
        ElasticJobEngine engine = engines.engine(instance);
        for (JobDefinition job : List.of(IMPORT, FAN_OUT, REPORT)) {
            engine.register(job, context -> execute(instance, context));
        }
        engine.start();
        engines.events()
                .awaitThat(
                        instance + " follows its plans",
                        events -> events.stream()
                                        .filter(event -> event instanceof AssignmentChanged changed
                                                && changed.instance().equals(instance))
                                        .map(event -> event.jobName())
                                        .distinct()
                                        .count()
                                == 3);
    }

    private void execute(String instance, ShardingContext context) throws InterruptedException {
        Started one = new Started(
                instance,
                context.getJobName(),
                context.getShardingItem(),
                context.getRunId(),
                context.getAttempt(),
                context.getParents().stream()
                        .map(parent -> "%s %s %s".formatted(parent.jobName(), parent.runId(), parent.success()))
                        .toList());
        started.add(one);
        if (hangs(one)) {
            never.await(60, TimeUnit.SECONDS);
        }
    }
}
