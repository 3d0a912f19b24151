package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.actuate.ElasticJobInfoAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which jobs an instance runs, by {@code elasticjob.worker.jobs} and {@code except}. */
@ExtendWith(OutputCaptureExtension.class)
class WorkerJobsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, ElasticJobInfoAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean(BillingJob.class)
            .withBean(MonthlyReport.class)
            .withBean(WeeklyReport.class);

    @Test
    void onlyChosenJobsRunAndTheLogSaysWhich(CapturedOutput output) {
        runner.withPropertyValues("elasticjob.worker.jobs=bill*, report-w*").run(context -> {
            assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                    .containsExactlyInAnyOrder("billing", "report-weekly");
            assertThat(output)
                    .contains("2 of 3 jobs run here: billing, report-weekly. Left out by \"elasticjob.worker.jobs\""
                            + " (bill*, report-w*): report-monthly")
                    .doesNotContain(" WARN ");
        });
    }

    @Test
    void exceptionsAreTakenFromWhatIsChosen() {
        runner.withPropertyValues("elasticjob.worker.jobs=report-*", "elasticjob.worker.except=*-monthly")
                .run(context -> assertThat(
                                context.getBean(ElasticJobEngine.class).jobNames())
                        .containsExactly("report-weekly"));
    }

    /** Its parent runs elsewhere; another job's name is near, but nothing is wrong. */
    @Test
    void aFollowerRunsWithoutItsParent(CapturedOutput output) {
        runner.withBean(MonthReport.class)
                .withPropertyValues(
                        "elasticjob.worker.jobs=report-weekly,report-month",
                        "elasticjob.jobs.report-weekly.after=report-monthly")
                .run(context -> {
                    ElasticJobEngine engine = context.getBean(ElasticJobEngine.class);

                    assertThat(engine.state("report-weekly")).isEqualTo(JobState.ACTIVE);
                    assertThat(output).doesNotContain("which this application doesn't declare");
                });
    }

    @Test
    void aPatternThatMatchesNothingIsToldWithTheNames(CapturedOutput output) {
        runner.withPropertyValues("elasticjob.worker.jobs=billing, report-mothly", "elasticjob.worker.except=old-*")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains(
                                    "WARN",
                                    "\"elasticjob.worker.jobs\" contains \"report-mothly\", which matches none of the jobs"
                                            + " that this application declares. Did you mean \"report-monthly\"? They are:"
                                            + " billing, report-monthly, report-weekly",
                                    "\"elasticjob.worker.except\" contains \"old-*\"");
                });
    }

    @Test
    void whereNoJobIsLeftTheApplicationDoesNotStart() {
        runner.withPropertyValues("elasticjob.worker.jobs=reprot-*")
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains(
                                "none is left to run on this instance by \"elasticjob.worker.jobs\" (reprot-*). They are:"
                                        + " billing, report-monthly, report-weekly. Let one"));
        runner.withPropertyValues("elasticjob.worker.jobs=report-mothly")
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains("report-weekly. Did you mean \"report-monthly\"? Let one of them match"));
    }

    @Test
    void patternsThatCanNotBeUsedAreToldAtOnce() {
        runner.withPropertyValues("elasticjob.worker.jobs=a/b,,billing", "elasticjob.worker.except=zookeeper")
                .run(context -> assertThat(description(context.getStartupFailure()))
                        .contains(
                                "\"elasticjob.worker.jobs\" can't be used: \"a/b\": ",
                                "\"\": expected the name of a job",
                                "\"elasticjob.worker.except\" can't be used: \"zookeeper\": ZooKeeper reserves this name")
                        .doesNotContain("none is left"));
    }

    @Test
    void withJobsOfTheRegistryNoneOfItsOwnHasToBeLeft(CapturedOutput output) {
        runner.withPropertyValues("elasticjob.worker.jobs=tenant-*", "elasticjob.jobs-from-registry=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .isEmpty();
                    assertThat(output).contains("It may be meant for jobs that are kept in the registry");
                });
    }

    @Test
    void jobsThatAreRegisteredInCodeAreLeftOutToo() {
        runner.withPropertyValues("elasticjob.worker.jobs=billing").run(context -> {
            ElasticJobEngine engine = context.getBean(ElasticJobEngine.class);

            OnMemory.get(engine.register(JobDefinition.builder("tenant-7").build(), new BillingJob()));

            assertThat(engine.jobNames()).isEqualTo(Set.of("billing"));
        });
    }

    @Test
    void theInformationNamesWhatIsLeftOut() {
        runner.withPropertyValues("elasticjob.worker.except=report-*", "management.info.elasticjob.enabled=true")
                .run(context -> {
                    Info.Builder info = new Info.Builder();
                    context.getBeansOfType(InfoContributor.class).values().forEach(each -> each.contribute(info));

                    assertThat(info.build().getDetails().get("elasticjob"))
                            .isInstanceOfSatisfying(
                                    Map.class,
                                    details -> assertThat(details)
                                            .containsEntry("jobs", List.of("billing"))
                                            .containsEntry("leftOut", List.of("report-monthly", "report-weekly")));
                });
    }

    private static String description(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof FailureAnalyzedException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertThat(cause).isInstanceOf(FailureAnalyzedException.class);
        return ((FailureAnalyzedException) cause).analysis().getDescription();
    }

    @ElasticJob(name = "billing", cron = "0 0 1 * * ?")
    static class BillingJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "report-monthly", cron = "0 0 1 1 * ?")
    static class MonthlyReport implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "report-month", cron = "0 0 1 1 * ?")
    static class MonthReport implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "report-weekly", cron = "")
    static class WeeklyReport implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
