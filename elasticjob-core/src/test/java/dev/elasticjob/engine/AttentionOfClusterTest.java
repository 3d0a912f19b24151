package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What needs a person, in a job of two items that fires each minute on two instances. */
class AttentionOfClusterTest {
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());
    private boolean fails;

    @Test
    void aJobWhoseLastInstanceWasDrainedIsFoundWithWhoSinceWhenAndWhy() {
        start("a", ORDERS);
        start("b", ORDERS);
        cluster.get(admin.by(Actor.named("mei").because("kernel")).drain("orders", "a"));
        cluster.pass(MINUTE);
        List<Finding> afterOne = attention();
        Instant last = cluster.now();
        cluster.get(admin.by(Actor.named("tom").because("reboot")).drain("orders", "b"));
        cluster.pass(MINUTE);

        List<Finding> afterBoth = attention();
        cluster.get(admin.undrain("orders", "a"));
        cluster.pass(MINUTE);

        assertThat(afterOne).isEmpty();
        assertThat(afterBoth).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.ALL_INSTANCES_DRAINED);
            assertThat(finding.since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(last, last.plusSeconds(5)));
            assertThat(finding.fact().text()).contains("\"tom\"", "reboot");
        });
        assertThat(attention()).isEmpty();
    }

    @Test
    void aDrainedJobSaysSoInsteadOfWaitingForAPlan() {
        start("a", ORDERS);
        cluster.get(admin.drain("orders", "a"));
        cluster.pass(MINUTE);

        assertThat(report().status()).isEqualTo(JobStatus.DRAINED);
    }

    @Test
    void aJobThatPeopleDisabledIsNoFindingButOneWhoseLastServerTheyDisabledIs() {
        start("a", ORDERS);
        start("b", ORDERS);
        cluster.get(admin.disable("orders"));
        cluster.pass(MINUTE);
        List<Finding> onPurpose = attention();
        cluster.get(admin.enable("orders"));
        cluster.pass(MINUTE);

        cluster.get(admin.disableServer("orders", "10.0.0.1"));
        cluster.pass(MINUTE);
        Instant last = cluster.now();
        cluster.get(admin.by(Actor.named("tom").because("")).disableServer("orders", "10.0.0.2"));
        cluster.pass(MINUTE);

        assertThat(onPurpose).isEmpty();
        assertThat(attention()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.ALL_SERVERS_DISABLED);
            assertThat(finding.fact().text()).contains("\"tom\"");
            assertThat(finding.since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(last, last.plusSeconds(5)));
        });
    }

    /** The one on which an operator has tried the job again is gone: what comes due is owed, and nobody may run it. */
    @Test
    void aDisabledJobWhoseOnlyEnabledInstanceHasLeftIsAFinding() {
        start("a", ORDERS);
        start("b", ORDERS);
        cluster.get(admin.disable("orders"));
        cluster.get(admin.enableServer("orders", "10.0.0.2"));
        cluster.pass(MINUTE);
        assertThat(attention()).isEmpty();

        Instant left = cluster.now();
        cluster.stop("b");
        cluster.pass(MINUTE);

        assertThat(attention()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.ALL_SERVERS_DISABLED);
            assertThat(finding.since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(left, left.plusSeconds(5)));
        });
    }

    @Test
    void aJobThatIsDeclaredAsDisabledIsNoFindingThatOperatorsMade() {
        start("a", ORDERS.toBuilder().disabled(true).build());
        cluster.pass(MINUTE);

        assertThat(report().status()).isEqualTo(JobStatus.DISABLED);
        assertThat(attention()).isEmpty();
    }

    @Test
    void aFailureIsAsOldAsTheFirstInARowAndStaysWhileTheNextExecutionRuns() {
        start("a", ORDERS);
        cluster.pass(MINUTE);
        fails = true;
        cluster.pass(MINUTE);
        Instant first = report().items().get(0).itemRecord().finishedAt().orElseThrow();
        cluster.pass(MINUTE.multipliedBy(3));
        Finding failed = attention().get(0);

        cluster.holdItems();
        cluster.pass(MINUTE);
        List<Finding> whileRunning = attention();
        fails = false;
        cluster.letItemsBegin();
        cluster.pass(MINUTE);

        assertThat(failed.kind()).isEqualTo(Kind.FAILED);
        assertThat(failed.since()).hasValue(first);
        assertThat(failed.fact().text()).contains("no space left", "4 times in a row", "the last success was at");
        assertThat(whileRunning).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.FAILED);
            assertThat(finding.since()).hasValue(first);
            assertThat(finding.fact().text()).contains("no space left");
        });
        assertThat(attention()).isEmpty();
    }

    @Test
    void aJobThatNobodyRunsIsAsOldAsTheFiringThatItMissed() {
        start("a", ORDERS);
        cluster.pass(MINUTE.multipliedBy(2));
        cluster.stop("a");
        cluster.pass(Duration.ofSeconds(5));
        Instant missed = cluster.now().plusSeconds(60).truncatedTo(ChronoUnit.MINUTES);

        cluster.pass(MINUTE.multipliedBy(10));

        assertThat(attention()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.NO_INSTANCE);
            assertThat(finding.since()).hasValue(missed);
        });
    }

    @Test
    void aFollowerOfAJobThatFailsSaysForWhatItWaits() {
        JobDefinition follower = JobDefinition.builder("reports")
                .after(AfterSettings.of("orders"))
                .build();
        SimpleJob orders = context -> run();
        cluster.start(
                "a",
                engine -> {
                    engine.register(ORDERS, orders);
                    engine.register(follower, context -> {});
                },
                UnaryOperator.identity());
        fails = true;
        cluster.pass(MINUTE.multipliedBy(3));

        assertThat(attention())
                .extracting(finding -> finding.job() + " " + finding.kind())
                .containsExactly("orders FAILED", "reports PARENT_FAILED");
    }

    @Test
    void aCalendarWhoseLastDayIsNearIsFoundUntilTheNextDaysAreThere() {
        LocalDate today = LocalDate.ofInstant(cluster.now(), ZoneOffset.UTC);
        Function<LocalDate, String> until = last -> "holidays: SAT,SUN,%s".formatted(last);
        LocalDate near = today.plusDays(59);
        start("a", calendar(until.apply(near)));

        assertThat(attention()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.CALENDAR_ENDS);
            assertThat(finding.fact().text()).contains("calendar \"holidays\"", "after " + near);
        });
        for (String fine : List.of(until.apply(today.plusDays(60)), "SAT,SUN,12-25", "")) {
            cluster.get(admin.redefine(
                    "orders", job -> job.toBuilder().calendar(fine).build()));
            cluster.pass(MINUTE);
            assertThat(attention()).as(fine).isEmpty();
        }
    }

    private static JobDefinition calendar(String calendar) {
        return ORDERS.toBuilder().calendar(calendar).build();
    }

    private void start(String instance, JobDefinition definition) {
        cluster.start(instance, definition, context -> run(), UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(20));
    }

    private void run() {
        if (fails) {
            throw new IllegalStateException("no space left");
        }
    }

    private List<Finding> attention() {
        JobInspector inspector = cluster.inspector();
        return cluster.get(inspector.attention());
    }

    private JobReport report() {
        return cluster.get(cluster.inspector().job("orders")).orElseThrow();
    }
}
