package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two jobs stand in the registry; something is wrong with the nodes of one. */
class UnreadableJobTest {
    private static final JobTree ORDERS = new JobTree("orders");
    private static final String PLAN = "{\"cron\":\"%s\",\"timeZone\":\"UTC\",\"since\":\"2026-03-01T12:00:00Z\","
            + "\"owners\":{\"10.0.0.1@-@1\":\"0-2\"}}";
    private static final String READABLE = PLAN.formatted("0 * * * * ?");

    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final JobInspector inspector = new RegistryJobInspector(registry, time, time, time::instant, () -> {
        var here = new RegistryJobInspector.Here(JobState.ACTIVE, Optional.of("10.0.0.1@-@1"), 1);
        var jobs = new TreeMap<String, RegistryJobInspector.Here>();
        jobs.put("orders", here);
        jobs.put("payments", here);
        return jobs;
    });

    @BeforeEach
    void twoJobs() {
        for (JobTree tree : List.of(ORDERS, new JobTree("payments"))) {
            JobDefinition definition =
                    JobDefinition.builder(tree.jobName()).cron("0 * * * * ?").build();
            JobDefinitionCodec codec = new JobDefinitionCodec();
            RegistryCommit.Builder job = RegistryCommit.builder().create(tree.root());
            tree.parents().forEach(job::create);
            job.create(tree.config(), codec.config(definition, Optional.empty()))
                    .create(tree.extension(), codec.extension(definition, Optional.empty()))
                    .create(tree.sharding(), READABLE);
            write(job);
        }
    }

    @Test
    void aJobWithoutProblemsHasNone() {
        assertThat(jobs()).extracting(JobReport::problem).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void anAssignmentThatIsNoneIsReportedWithItsJob() {
        set(ORDERS.sharding(), "mend me");

        assertThat(problem()).contains("\"/orders/sharding\"").contains("mend me");
        assertOthersAreShown();
    }

    @Test
    void anAssignmentWithAScheduleThatIsNoneIsReportedWithItsJob() {
        set(ORDERS.sharding(), PLAN.formatted("every so often"));

        assertThat(problem()).contains("\"/orders/sharding\"").contains("every so often");
        assertOthersAreShown();
    }

    @Test
    void aConfigurationThatIsNoneIsReportedWithItsJob() {
        set(ORDERS.config(), "mend me");

        assertThat(problem()).contains("\"/orders/config\"");
        assertOthersAreShown();
        assertThat(jobs().get(0).schedule().flatMap(JobReport.ScheduleReport::cron))
                .as("what can be read is shown")
                .contains("0 * * * * ?");
    }

    @Test
    void anExtensionThatIsNoneIsReportedWithItsJob() {
        set(ORDERS.extension(), "{\"timeZone\":\"Mars\"}");

        assertThat(problem()).contains("\"/orders/extension\"").contains("Mars");
        assertOthersAreShown();
    }

    @Test
    void oneUnreadableJobIsShownAlone() {
        set(ORDERS.sharding(), "mend me");

        JobReport orders = inspector.job("orders").toCompletableFuture().join().orElseThrow();

        assertThat(orders.problem().orElse("none")).contains("\"/orders/sharding\"");
        assertThat(orders.items()).isEmpty();
    }

    private List<JobReport> jobs() {
        return inspector.jobs().toCompletableFuture().join();
    }

    private String problem() {
        return jobs().get(0).problem().orElse("none");
    }

    private void assertOthersAreShown() {
        JobReport payments = jobs().get(1);
        assertThat(payments.problem()).isEmpty();
        assertThat(payments.schedule().flatMap(JobReport.ScheduleReport::cron)).contains("0 * * * * ?");
    }

    private void set(String path, String data) {
        write(RegistryCommit.builder().set(path, data, RegistryCommit.ANY_VERSION));
    }

    private void write(RegistryCommit.Builder commit) {
        registry.commit(registry.session().orElseThrow(), commit.build())
                .toCompletableFuture()
                .join();
    }
}
