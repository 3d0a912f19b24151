package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One instance has 61 jobs; another process has none, and asks about them. */
class NamespaceIT {
    private static final String NEVER = "0 0 0 1 1 *";

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Semaphore mayEnd = new Semaphore(0);
    private final ElasticJobEngine owner = engines.engine("a@-@1");
    private final JobInspector elsewhere = engines.engine("b@-@1").inspector();

    @BeforeEach
    void startJobs() {
        IntStream.range(0, 60)
                .forEach(job ->
                        owner.register(definition("job-%02d".formatted(job)).build(), context -> {}));
        owner.register(definition("orders").shardingTotalCount(2).build(), context -> mayEnd.acquire());
        get(owner.start());
    }

    @AfterEach
    void letEnd() {
        mayEnd.release(1_000);
    }

    private static JobDefinition.Builder definition(String name) {
        return JobDefinition.builder(name).cron(NEVER).shardingTotalCount(1);
    }

    @Test
    void aPageOfFiftyJobsIsOneRequestBesideThatForTheNames() {
        get(elsewhere.page(JobPage.Query.all()));
        long before = engines.server().packetsReceived();

        JobPage page = get(elsewhere.page(JobPage.Query.all()));
        long packets = engines.server().packetsReceived() - before;

        // Three heartbeats may come in between: of two connections, and of the lease.
        assertThat(packets).isBetween(2L, 5L);
        assertThat(page.jobs()).hasSize(50).extracting(JobReport::status).containsOnly(JobStatus.READY);
        assertThat(page.jobs()).extracting(JobReport::state).containsOnly(Optional.empty());
        assertThat(page.names()).isEqualTo(61);
        assertThat(page.next()).contains("job-49");

        JobPage last = get(elsewhere.page(JobPage.Query.all().after("job-49")));
        JobPage named = get(elsewhere.page(JobPage.Query.all().named("ORD")));

        assertThat(last.jobs()).hasSize(11);
        assertThat(last.next()).isEmpty();
        assertThat(named.jobs()).extracting(JobReport::name).containsExactly("orders");
        assertThat(named.names()).isEqualTo(1);
        assertThat(get(elsewhere.page(JobPage.Query.all().withStatus(JobStatus.READY)))
                        .jobs())
                .isEqualTo(page.jobs());
        assertThat(get(elsewhere.page(JobPage.Query.all().withStatus(JobStatus.DISABLED)))
                        .jobs())
                .isEmpty();
        assertThat(get(elsewhere.servers())).singleElement().satisfies(server -> {
            assertThat(server.server()).isEqualTo("10.0.0.1");
            assertThat(server.jobs()).hasSize(61);
            assertThat(server.disabledJobs() + server.deadJobs()).isZero();
            assertThat(server.instances()).singleElement().satisfies(instance -> {
                assertThat(instance.id()).isEqualTo("a@-@1");
                assertThat(instance.state()).isEqualTo(ServerReport.State.TAKES_PART);
                assertThat(instance.parts()).hasSize(61);
                assertThat(instance).isEqualTo(get(elsewhere.instance("a@-@1")).orElseThrow());
            });
        });
    }

    @Test
    void aJobOfAnotherProcessIsShownWithItsLocksInstancesAndTimes() {
        get(owner.admin().trigger("orders", new RunRequest("month-end", "2026-10")));
        engines.events().await(ItemStarted.class, start -> start.runId().contains("month-end") && start.item() == 1);

        String before = get(elsewhere.dump("orders")).orElseThrow();

        JobReport report = get(elsewhere.job("orders")).orElseThrow();
        Explanation why = get(elsewhere.explain("orders", 1)).orElseThrow();
        Explanation there = get(owner.inspector().explain("orders", 1)).orElseThrow();
        List<InstanceReport> instances = get(elsewhere.instances("orders")).orElseThrow();

        assertThat(report.items())
                .hasSize(2)
                .allSatisfy(
                        item -> assertThat(item.lock().orElseThrow().instance()).isEqualTo("a@-@1"));
        assertThat(why.verdict()).isEqualTo(Verdict.RUNNING);
        assertThat(why.conditions())
                .extracting(Condition::reason)
                .containsExactly(Reason.RUNS, Reason.NOT_DUE, Reason.INSIDE_THE_INSTANCE);
        assertThat(there.conditions()).extracting(Condition::reason).containsExactly(Reason.RUNS, Reason.NOT_DUE);
        assertThat(instances).singleElement().satisfies(instance -> {
            assertThat(instance.server()).isEqualTo("10.0.0.1");
            assertThat(instance.leader()).isTrue();
            assertThat(instance.items()).containsExactly(0, 1);
        });
        assertThat(get(elsewhere.dueTimes("orders", 3)).orElseThrow().times()).hasSize(3);
        assertThat(get(elsewhere.dump("orders"))).as("questions write nothing").contains(before);
    }

    @Test
    void theTreeOfAJobIsShownWithoutSecrets() {
        HttpRequestSettings request = new HttpRequestSettings(
                "http://127.0.0.1:1/hook",
                "POST",
                "{\"pin\":\"4711\"}",
                "application/json",
                Map.of("Authorization", "Bearer s3cret"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        get(owner.register(
                definition("hook").jobType(JobType.HTTP).http(request).build()));

        String tree = get(elsewhere.dump("hook")).orElseThrow();

        assertThat(tree)
                .contains("/hook/instances/a@-@1  v0")
                .contains("\"method\":\"POST\"")
                .contains("127.0.0.1:1/hook")
                .doesNotContain("4711", "s3cret");
    }
}
