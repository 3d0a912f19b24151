package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobDefinitionTest {
    private static final JobDefinition ORDERS =
            JobDefinition.builder("orders").cron("0 0 9 * * ?").build();

    @Test
    void defaultsAreThoseOf215() {
        assertThat(ORDERS.jobType()).isEqualTo(JobType.SIMPLE);
        assertThat(ORDERS.shardingTotalCount()).isEqualTo(1);
        assertThat(ORDERS.monitorExecution()).isTrue();
        assertThat(ORDERS.misfire()).isTrue();
        assertThat(ORDERS.failover()).isFalse();
        assertThat(ORDERS.maxTimeDiffSeconds()).isEqualTo(-1);
        assertThat(ORDERS.monitorPort()).isEqualTo(-1);
        assertThat(ORDERS.reconcileIntervalMinutes()).isEqualTo(10);
        assertThat(ORDERS.disabled()).isFalse();
        assertThat(ORDERS.overwrite()).isFalse();
        assertThat(ORDERS.jobShardingStrategyClass()).isEmpty();
        assertThat(ORDERS.timeZone()).isEqualTo(ZoneId.systemDefault());
        assertThat(ORDERS.misfireThreshold()).isEqualTo(Duration.ofSeconds(60));
        assertThat(ORDERS.maxFailovers()).isEqualTo(3);
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        JobDefinition.Builder builder = JobDefinition.builder("a/b")
                .cron("nonsense")
                .shardingTotalCount(0)
                .failover(true)
                .monitorExecution(false)
                .maxFailovers(0)
                .misfireThreshold(Duration.ofSeconds(-1));

        var exception = catchThrowableOfType(InvalidJobDefinitionException.class, builder::build);

        assertThat(exception.jobName()).isEqualTo("a/b");
        assertThat(exception.violations())
                .extracting(Violation::setting)
                .containsExactly(
                        "jobName", "cron", "shardingTotalCount", "failover", "misfireThreshold", "maxFailovers");
        assertThat(exception).hasMessageContainingAll("\"a/b\"", "cron is \"nonsense\"", "shardingTotalCount is \"0\"");
    }

    @Test
    void aJobRunsAfterAtMostSixteenOthersAndHasNoCron() {
        List<String> others = IntStream.range(0, 16).mapToObj(i -> "parent" + i).toList();

        assertThat(after(others, "").violations()).isEmpty();
        assertThat(after(others, "0 0 9 * * ?").violations())
                .extracting(Violation::expected)
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("only for a job without a schedule");
        assertThat(after(List.of("orders", "a", "a", "b/c"), "").violations())
                .extracting(Violation::expected)
                .satisfiesExactly(
                        own -> assertThat(own).contains("after itself"),
                        twice -> assertThat(twice).contains("each job once"),
                        name -> assertThat(name).contains("no job can have this name"));
        assertThat(after(Stream.concat(others.stream(), Stream.of("one more")).toList(), "")
                        .violations())
                .extracting(Violation::expected)
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("at most 16");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.5S, PT0S, true, stuckAfter",
        "P366D, PT0S, true, stuckAfter",
        "PT0S, PT0.999S, true, expectWithin",
        "PT0S, PT1S, false, expectWithin"
    })
    void limitsOfTheWatchdogAreASecondToAYearAndFiringsNeedRecords(
            Duration stuckAfter, Duration expectWithin, boolean monitored, String wrong) {
        JobDefinition.Builder builder = ORDERS.toBuilder()
                .monitorExecution(monitored)
                .stuckAfter(stuckAfter)
                .expectWithin(expectWithin);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .extracting(Violation::setting)
                .containsExactly(wrong);
    }

    @Test
    void catchUpIsStoredAsMisfireWhereThatSaysTheSame() {
        JobDefinition skip = ORDERS.toBuilder().catchUp(CatchUp.SKIP).build();
        JobDefinition fold = ORDERS.toBuilder().catchUp(CatchUp.FOLD).build();
        JobDefinition each = ORDERS.toBuilder().catchUp(CatchUp.EACH).build();

        assertThat(skip).isEqualTo(ORDERS.toBuilder().misfire(false).build());
        assertThat(fold).isEqualTo(ORDERS.toBuilder().misfire(true).build());
        assertThat(each.misfire()).isTrue();
        assertThat(each.catchUp()).isEqualTo(CatchUp.EACH);
    }

    @ParameterizedTest
    @CsvSource({
        "false, FOLD, WAIT, true, 100, catchUp, set misfire to true or catchUp to SKIP",
        "false, EACH, WAIT, true, 100, catchUp, set misfire to true or catchUp to SKIP",
        "true, EACH, WAIT, false, 100, catchUp, needs the records",
        "true, EACH, SKIP, true, 100, overlap, would be skipped",
        "true, FOLD, WAIT, true, 7, catchUpLimit, only with catchUp EACH",
        "true, EACH, WAIT, true, 0, catchUpLimit, expected 1 to 1000 firings"
    })
    void catchUpIsRefusedWhereItContradicts(
            boolean misfire,
            CatchUp catchUp,
            Overlap overlap,
            boolean monitored,
            int limit,
            String setting,
            String expected) {
        JobDefinition.Builder builder = ORDERS.toBuilder()
                .misfire(misfire)
                .catchUp(catchUp)
                .overlap(overlap)
                .monitorExecution(monitored)
                .catchUpLimit(limit);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.setting()).isEqualTo(setting);
                    assertThat(violation.expected().replace(",", "")).contains(expected);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "0/5 * * * * ?, PT6S, true, 'isn''t longer than the time between two firings, which is 5s'",
        "'', PT6S, true, only for a job with a schedule",
        "0/5 * * * * ?, PT1.5S, true, expected a window of whole seconds",
        "0/5 * * * * ?, PT5S, false, needs the records that monitorExecution writes"
    })
    void jitterFitsBetweenTwoFirings(String cron, Duration window, boolean monitored, String expected) {
        JobDefinition.Builder builder =
                ORDERS.toBuilder().cron(cron).monitorExecution(monitored).jitter(window);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.setting()).isEqualTo("jitter");
                    assertThat(violation.expected()).contains(expected);
                });
    }

    @Test
    void onlyRecordedExecutionsAreCancelledForTheNextFiring() {
        JobDefinition.Builder builder =
                ORDERS.toBuilder().monitorExecution(false).overlap(Overlap.CANCEL_RUNNING);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.setting()).isEqualTo("overlap");
                    assertThat(violation.expected())
                            .contains("set monitorExecution to true, or overlap to WAIT or SKIP");
                });
        assertThat(builder.overlap(Overlap.SKIP).build().overlap()).isEqualTo(Overlap.SKIP);
    }

    @ParameterizedTest
    @CsvSource({"-1, true, or 0 for never", "1, false, needs the records that monitorExecution writes"})
    void aPauseAfterFailuresNeedsANumberAndRecords(int failures, boolean monitored, String expected) {
        JobDefinition.Builder builder =
                ORDERS.toBuilder().monitorExecution(monitored).pauseAfterFailures(failures);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.setting()).isEqualTo("pauseAfterFailures");
                    assertThat(violation.expected()).contains(expected);
                });
    }

    @Test
    void aJobWithoutACronHasNoFiringsToExpect() {
        JobDefinition.Builder builder = JobDefinition.builder("orders")
                .stuckAfter(Duration.ofSeconds(1))
                .expectWithin(Duration.ofSeconds(1));

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, builder::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.setting()).isEqualTo("expectWithin");
                    assertThat(violation.expected()).contains("give the job a cron");
                });
    }

    private static InvalidJobDefinitionException after(List<String> jobs, String cron) {
        try {
            JobDefinition.builder("orders")
                    .cron(cron)
                    .after(AfterSettings.of(jobs.toArray(String[]::new)))
                    .build();
            return new InvalidJobDefinitionException("orders", List.of());
        } catch (InvalidJobDefinitionException e) {
            return e;
        }
    }

    @Test
    void whatOneTransactionCouldNotStoreIsRefused() {
        JobDefinition.Builder builder = JobDefinition.builder("ö".repeat(128))
                .cron("0 0 9 * * ?")
                .shardingTotalCount(50_001)
                .description("x".repeat(1_000))
                .jobParameter("x".repeat(1_100_000));

        var exception = catchThrowableOfType(InvalidJobDefinitionException.class, builder::build);

        assertThat(exception.violations())
                .extracting(Violation::setting)
                .containsExactly("jobName", "shardingTotalCount", "jobParameter");
        assertThat(exception)
                .hasMessageContainingAll("at most 255 bytes", "at most 50000 items", "1100000 bytes", "131072 bytes");
        assertThat(exception.getMessage()).hasSizeLessThan(1_000);
    }

    @Test
    void aDefinitionWhoseTextsJustFitIsStoredInOneTransaction() {
        JobDefinition largest = largest();
        JobDefinitionCodec codec = new JobDefinitionCodec();

        byte[] config = codec.config(largest, Optional.empty());
        byte[] extension = codec.extension(largest, Optional.empty());

        assertThat(largest.jobParameter()).hasSizeGreaterThan(100_000);
        assertThat(config.length + extension.length).isLessThan(RegistryCommit.MAX_BYTES);
    }

    /** With the longest parameter that is taken, of the character that takes most. */
    private static JobDefinition largest() {
        JobDefinition.Builder builder = JobDefinition.builder("ö".repeat(127)).cron("0 0 9 * * ?");
        JobDefinition largest = builder.build();
        int taken = 0;
        for (int step = 1 << 20; step > 0; step /= 2) {
            try {
                largest = builder.jobParameter("\u0001".repeat(taken + step)).build();
                taken += step;
            } catch (InvalidJobDefinitionException tooLong) {
                continue;
            }
        }
        return largest;
    }

    @Test
    void policiesThatNobodyCouldMeanAreRefused() {
        JobDefinition.Builder builder = JobDefinition.builder("orders")
                .cron("0 0 9 * * ?")
                .timeout(Duration.ofDays(366))
                .retry(new RetrySettings(
                        0,
                        Duration.ofMillis(-1),
                        0.5,
                        Duration.ofMillis(-1),
                        Duration.ofDays(999),
                        List.of(),
                        List.of()))
                .concurrency(-1);

        var exception = catchThrowableOfType(InvalidJobDefinitionException.class, builder::build);

        assertThat(exception.violations())
                .extracting(Violation::setting)
                .containsExactly(
                        "timeout",
                        "retry.maxAttempts",
                        "retry.delay",
                        "retry.maxDelay",
                        "retry.jitter",
                        "retry.multiplier",
                        "concurrency");
    }

    @Test
    void handlersAreJobPropertiesAndTheNamesThat215WritesAreNone() {
        JobDefinition.Builder builder = JobDefinition.builder("orders").cron("0 0 9 * * ?");
        String mailed = builder.jobExceptionHandler("mail").build().jobExceptionHandler();
        JobDefinition of215 = builder.jobExceptionHandler(
                        "com.dangdang.ddframe.job.executor.handler.impl.DefaultJobExceptionHandler")
                .executorServiceHandler("com.dangdang.ddframe.job.executor.handler.impl.DefaultExecutorServiceHandler")
                .build();

        assertThat(mailed).isEqualTo("mail");
        assertThat(of215.jobProperties()).containsOnlyKeys("job_exception_handler", "executor_service_handler");
        assertThat(of215.jobExceptionHandler()).isEmpty();
        assertThat(of215.executorServiceHandler()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "zookeeper", "a/b", "a\nb", "a\u0000", "a\u0085", "a\uD83D\uDE00", "a\uFFFF"})
    void nameThatCannotBeANodeIsRefused(String name) {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> JobDefinition.builder(name).cron("0 0 9 * * ?").build());

        assertThat(exception.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.setting()).isEqualTo("jobName");
            assertThat(violation.found()).isEqualTo(name);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders", "com.example.Orders", "nightly orders", "zookeeper-backup", "Bestellungen-ü", "任务"})
    void nameThatCanBeANodeIsTaken(String name) {
        assertThat(ORDERS.toBuilder().build()).isEqualTo(ORDERS);
        assertThat(JobDefinition.builder(name).cron("0 0 9 * * ?").build().jobName())
                .isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 9 * * *", "0 0 25 * * ?", "often"})
    void cronIsQuotedAndTheSixFieldsAreNamed(String cron) {
        Violation violation = onlyViolation(builder -> builder.cron(cron));

        assertThat(violation.setting()).isEqualTo("cron");
        assertThat(violation.found()).isEqualTo(cron);
        assertThat(violation.expected()).contains("six fields: second minute hour day-of-month month day-of-week");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void withoutACronItIsAOneOffJobThatNeverFiresByItself(String cron) {
        JobDefinition report = JobDefinition.builder("report").cron(cron).build();

        assertThat(report.isOneOff()).isTrue();
        assertThat(report.schedule().text()).isEmpty();
        assertThat(report).isEqualTo(JobDefinition.builder("report").build());
    }

    @Test
    void aOneOffJobIsMonitored() {
        Violation violation = onlyViolation(builder -> builder.cron("").monitorExecution(false));

        assertThat(violation.setting()).isEqualTo("monitorExecution");
        assertThat(violation.expected()).contains("set monitorExecution to true, or give the job a cron");
    }

    @Test
    void onlyAOneOffJobRunsAtStart() {
        Violation violation = onlyViolation(builder -> builder.runAtStart(true));

        assertThat(violation.setting()).isEqualTo("runAtStart");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 0 9 ? * 2-6 2026-2030 | write "0 0 9 ? * MON-FRI 2026-2030" (the equivalent of the Quartz expression: in "2-6", Quartz counts days from SUN=1)
        0 0 9 ? * 2-6 *         | write "0 0 9 ? * MON-FRI" (the equivalent of the Quartz expression: in "2-6"
        0 0 9 ? * 6#3 *         | write "0 0 9 ? * FRI#3" (the equivalent
        0 9 * * *               | write "0 0 9 * * *" (the first field, the seconds, is missing)
        */5 * * * 1-5           | write "0 */5 * * * 1-5" (the first
        0 0 9 ? * L             | write "0 0 9 ? * SAT" (the equivalent of the Quartz expression: in Quartz, "L" is Saturday)
        0 0 9 ? * 6-2           | write "0 0 9 ? * FRI-SUN,MON"
        0 0 9 ? * 6-2/2         | write "0 0 9 ? * SUN,FRI"
        0 0 9 ? * FRI-MON/2     | write "0 0 9 ? * FRI-SUN,MON" (the equivalent of the Quartz expression: in "FRI-MON/2", Quartz ignores "/2")
        0 0 9 L-0 * ?           | write "0 0 9 L * ?"
        0 0 9 1,,5 * ?          | write "0 0 9 1,5 * ?" (the equivalent of the Quartz expression: Quartz ignores empty parts)
        0 0 9 5-0 * ?           | write "0 0 9 5-31 * ?" (the equivalent of the Quartz expression: in Quartz, "5-0" ends with 31)
        0 0/0 9 * * ?           | write "0 0 9 * * ?" (the equivalent of the Quartz expression: in "0/0", Quartz ignores the step)
        0 0 9 ? * MONDAY        | write "0 0 9 ? * MON" (the equivalent of the Quartz expression: in "MONDAY", Quartz ignores "DAY")
        0 0 9 1 1 ? 2027-2500   | write "0 0 9 1 1 ? 2027-2199" (the equivalent of the Quartz expression: "2027-2500": years are from 1970 to 2199)
        """)
    void cronThatIsMeantForQuartzOrUnixIsShownAsItWouldBeRight(String cron, String advice) {
        Violation violation = onlyViolation(builder -> builder.cron(cron));

        assertThat(violation.expected())
                .startsWith(advice)
                .contains("six fields: second minute hour day-of-month month day-of-week");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 9 * * ? 2026",
                "0 0 22-2 * * ?",
                "0 50-0/3 * * * ?",
                "0 0 9 ? * FRI-MON",
                "0 0 9 ? nov-feb fri",
                "0 0 9 28-3 11-2 ?",
                "0 /5 * * * ?",
            })
    void cronIsAcceptedAsInQuartz(String cron) {
        assertThat(ORDERS.toBuilder().cron(cron).build().schedule().text()).isEqualTo(cron);
    }

    @Test
    void aCalendarLeavesNothingOutOfYearsThatAreOver() {
        assertThat(ORDERS.toBuilder()
                        .cron("0 0 9 * * ? 2025")
                        .calendar("SAT,SUN")
                        .build()
                        .schedule()
                        .nextAfter(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 9 L-31 * ?",
                "0 0 25 * * ? 2026",
                "0 0 9 * * ? 2030-2026",
                "every day of the week",
                "0 0 9 W * ?"
            })
    void cronOfWhichNobodyKnowsARightFormGetsNoAdvice(String cron) {
        assertThat(onlyViolation(builder -> builder.cron(cron)).expected()).startsWith("expected six fields");
    }

    @Test
    void itemParametersAreSplitAtTheFirstEqualsSign() {
        JobDefinition definition = ORDERS.toBuilder()
                .shardingTotalCount(3)
                .shardingItemParameters(" 0 = a=b , 1=, 2 = Berlin ")
                .build();

        assertThat(definition.itemParameters())
                .containsExactly(Map.entry(0, "a=b"), Map.entry(1, ""), Map.entry(2, "Berlin"));
        assertThat(ORDERS.itemParameters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0=a,1=b,", "0=a,1=b,,", "0=a,1=b , ,", "0=a,1=b"})
    void commasAtTheEndOfItemParametersAreIgnoredAsInElasticJob(String parameters) {
        JobDefinition definition = ORDERS.toBuilder()
                .shardingTotalCount(2)
                .shardingItemParameters(parameters)
                .build();

        assertThat(definition.itemParameters()).containsExactly(Map.entry(0, "a"), Map.entry(1, "b"));
        assertThat(definition.shardingItemParameters()).isEqualTo(parameters);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0=a,,1=b", ",0=a", "x=1", "0=a,0=b", "2=c", "-1=z", "=a"})
    void itemParametersThatNobodyCanUseAreRefused(String parameters) {
        Violation violation =
                onlyViolation(builder -> builder.shardingTotalCount(2).shardingItemParameters(parameters));

        assertThat(violation.setting()).isEqualTo("shardingItemParameters");
        assertThat(violation.found()).isEqualTo(parameters);
    }

    @Test
    void itemsHaveTheWeightOfTheJobOrTheirOwn() {
        JobDefinition job = ORDERS.toBuilder()
                .shardingTotalCount(3)
                .weight(2)
                .itemWeights("0=4, 2=1")
                .build();

        assertThat(List.of(job.weightOf(0), job.weightOf(1), job.weightOf(2))).containsExactly(4, 2, 1);
        assertThat(List.of(job.isWeighted(), ORDERS.isWeighted())).containsExactly(true, false);
        assertThat(ORDERS.weightOf(0)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "x=1", "0=4,0=2", "2=1", "0=heavy", "0=0", "0=-1", "0=99999999999"})
    void itemWeightsThatNobodyCanUseAreRefused(String weights) {
        Violation violation =
                onlyViolation(builder -> builder.shardingTotalCount(2).itemWeights(weights));

        assertThat(violation.setting()).isEqualTo("itemWeights");
        assertThat(violation.found()).isEqualTo(weights);
    }

    @Test
    void aWeightIsAtLeast1() {
        assertThat(onlyViolation(builder -> builder.weight(0)).setting()).isEqualTo("weight");
    }

    @Test
    void scriptJobNeedsItsCommandLine() {
        assertThat(onlyViolation(builder -> builder.jobType(JobType.SCRIPT)).setting())
                .isEqualTo("scriptCommandLine");
    }

    /** 75 kB of UTF-8, which the limit of all texts allows, are 150 kB in the argument. */
    @Test
    void parametersThatDoNotFitIntoTheArgumentOfAScriptAreRefused() {
        String chinese = "订".repeat(25_000);
        JobDefinition.Builder script = JobDefinition.builder("clean").jobType(JobType.SCRIPT);

        Violation ofJob = onlyViolation(builder ->
                builder.jobType(JobType.SCRIPT).scriptCommandLine("true").jobParameter(chinese));
        Violation ofItem = onlyViolation(builder ->
                builder.jobType(JobType.SCRIPT).scriptCommandLine("true").shardingItemParameters("0=" + chinese));

        assertThat(ofJob.setting()).isEqualTo("jobParameter");
        assertThat(ofJob.found()).isEqualTo("150000 bytes");
        assertThat(ofJob.expected()).contains("122880 bytes together");
        assertThat(ofItem.setting()).isEqualTo("shardingItemParameters");
        assertThat(script.scriptCommandLine("true")
                        .jobParameter("订".repeat(20_480))
                        .build())
                .isNotNull();
        assertThat(ORDERS.toBuilder().jobParameter(chinese).build()).isNotNull();
    }

    @Test
    void jobPropertiesAreCopied() {
        Map<String, String> properties = new HashMap<>(Map.of("a", "1"));

        JobDefinition definition = ORDERS.toBuilder().jobProperties(properties).build();
        properties.clear();

        assertThat(definition.jobProperties()).containsExactly(Map.entry("a", "1"));
    }

    @Test
    void scheduleFollowsCronAndZone() {
        JobDefinition definition =
                ORDERS.toBuilder().timeZone(ZoneId.of("Asia/Tokyo")).build();

        assertThat(definition.schedule()).isEqualTo(Schedule.cron("0 0 9 * * ?", ZoneId.of("Asia/Tokyo")));
    }

    private static Violation onlyViolation(UnaryOperator<JobDefinition.Builder> change) {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> change.apply(ORDERS.toBuilder()).build());
        assertThat(exception.violations()).hasSize(1);
        return exception.violations().get(0);
    }

    @Test
    void eachOfSeveralSchedulesIsRefusedByName() {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> JobDefinition.builder("orders")
                        .cron("0 0 9 * * ?")
                        .every(Duration.ofSeconds(30))
                        .at(Instant.parse("2026-12-24T18:00:00Z"))
                        .build());

        assertThat(exception.violations()).extracting(Violation::setting).containsExactly("cron", "every", "at");
        assertThat(exception)
                .hasMessageContainingAll("every is \"30s\"", "a job has one schedule, but [cron, every, at] are set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.5S", "PT1.5S", "PT-1S", "P366D"})
    void aPeriodThatNobodyCouldKeepIsRefused(String period) {
        Violation violation = onlyViolation(builder -> builder.cron("").every(Duration.parse(period)));

        assertThat(violation.setting()).isEqualTo("every");
        assertThat(violation.expected()).contains("from 1s to 365 days");
    }

    @Test
    void theTimesOfAScheduleFitTogether() {
        Instant noon = Instant.parse("2026-12-24T12:00:00Z");

        assertThat(onlyViolation(builder -> builder.startAt(noon).endAt(noon.minusSeconds(1))))
                .isEqualTo(new Violation(
                        "endAt",
                        "2026-12-24T11:59:59Z",
                        "expected a time that isn't before startAt, which is 2026-12-24T12:00:00Z"));
        assertThat(onlyViolation(builder -> builder.startAt(noon.plusNanos(1))).expected())
                .contains("a whole second");
        assertThat(onlyViolation(builder -> builder.cron("").startAt(noon)).expected())
                .contains("only for a job with a schedule");
        assertThat(onlyViolation(builder -> builder.cron("").at(noon).endAt(noon))
                        .setting())
                .isEqualTo("endAt");
        assertThat(onlyViolation(builder -> builder.cron("").at(noon).runAtStart(true))
                        .setting())
                .isEqualTo("runAtStart");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.5S", "PT1.5S", "PT-1S", "P366D"})
    void aDelayThatNobodyCouldKeepIsRefused(String delay) {
        Violation violation = onlyViolation(builder -> builder.cron("").fixedDelay(Duration.parse(delay)));

        assertThat(violation.setting()).isEqualTo("fixedDelay");
        assertThat(violation.expected()).isEqualTo("expected a delay of whole seconds, from 1s to 365 days");
    }

    /** x: it means nothing there, and is refused. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            setting          | cron | every | fixedDelay | at | none
            startAt          |      |       |            | x  | x
            endAt            |      |       |            | x  | x
            calendar         |      |       | x          | x  | x
            spread           |      |       | x          | x  | x
            jitter           |      |       | x          |    | x
            overlap          |      |       | x          |    | x
            catchUp          |      |       | x          |    | x
            misfire          |      |       | x          |    |
            misfireThreshold |      |       | x          |    |
            expectWithin     |      |       |            |    | x
            """)
    void whatMeansNothingWithAScheduleIsRefused(
            String setting, String cron, String every, String fixedDelay, String at, String none) {
        assertRefused(setting, cron, job -> job.cron("0 0 9 * * ?"), "");
        assertRefused(setting, every, job -> job.every(Duration.ofHours(1)), "");
        assertRefused(
                setting,
                fixedDelay,
                job -> job.fixedDelay(Duration.ofHours(1)),
                "only for a job whose firings have times of their own");
        assertRefused(setting, at, job -> job.at(SOME_NOON), "only for a job that fires more than once");
        assertRefused(setting, none, job -> job, "only for a job with a schedule");
    }

    private static final Instant SOME_NOON = Instant.parse("2026-12-24T12:00:00Z");

    private static void assertRefused(
            String setting, String refused, UnaryOperator<JobDefinition.Builder> scheduled, String expected) {
        JobDefinition.Builder builder = scheduled.apply(JobDefinition.builder("orders"));
        switch (setting) {
            case "startAt" -> builder.startAt(SOME_NOON);
            case "endAt" -> builder.endAt(SOME_NOON);
            case "calendar" -> builder.calendar("SAT").moveToNextDay(true);
            case "spread" -> builder.spread(Duration.ofSeconds(5));
            case "jitter" -> builder.jitter(Duration.ofSeconds(5));
            case "overlap" -> builder.overlap(Overlap.SKIP);
            case "catchUp" -> builder.catchUp(CatchUp.EACH);
            case "misfire" -> builder.misfire(false);
            case "misfireThreshold" -> builder.misfireThreshold(Duration.ofSeconds(90));
            default -> builder.expectWithin(Duration.ofMinutes(1));
        }
        if (refused == null) {
            assertThat(builder.build().jobName()).isEqualTo("orders");
            return;
        }
        var exception = catchThrowableOfType(InvalidJobDefinitionException.class, builder::build);
        assertThat(exception.violations())
                .allSatisfy(violation -> assertThat(violation.expected()).startsWith(expected))
                .extracting(Violation::setting)
                .containsAnyOf(setting)
                .hasSize(setting.equals("calendar") ? 2 : 1);
    }

    @Test
    void whatADelayCannotHaveIsRefusedByName() {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> JobDefinition.builder("orders")
                        .fixedDelay(Duration.ofSeconds(30))
                        .monitorExecution(false)
                        .misfire(false)
                        .misfireThreshold(Duration.ofSeconds(90))
                        .calendar("SAT")
                        .moveToNextDay(true)
                        .spread(Duration.ofSeconds(5))
                        .overlap(Overlap.SKIP)
                        .jitter(Duration.ofSeconds(5))
                        .after(new AfterSettings(List.of("import"), AfterOutcome.ANY, Duration.ofHours(1)))
                        .build());

        assertThat(exception.violations())
                .extracting(Violation::setting)
                .containsOnly(
                        "monitorExecution",
                        "overlap",
                        "jitter",
                        "misfire",
                        "misfireThreshold",
                        "calendar",
                        "moveToNextDay",
                        "spread",
                        "after");
        assertThat(JobDefinition.builder("orders")
                        .fixedDelay(Duration.ofSeconds(90))
                        .endAt(Instant.parse("2026-12-24T12:00:00Z"))
                        .expectWithin(Duration.ofMinutes(1))
                        .build()
                        .schedule()
                        .text())
                .isEqualTo("fixedDelay PT1M30S until 2026-12-24T12:00:00Z");
    }

    @Test
    void whatACalendarAndASpreadMayBe() {
        assertThat(onlyViolation(builder -> builder.calendar("SAT,SUNNY")).toString())
                .startsWith("calendar is \"SAT,SUNNY\": \"SUNNY\" can't be read; expected SAT, 12-25");
        assertThat(onlyViolation(builder -> builder.calendar("MON,TUE,WED,THU,FRI,SAT,SUN"))
                        .expected())
                .isEqualTo("it leaves out all firings of \"0 0 9 * * ?\"");
        assertThat(onlyViolation(builder -> builder.moveToNextDay(true)).expected())
                .isEqualTo("only for a job with a calendar; set one, or remove this setting");
        assertThat(onlyViolation(builder -> builder.cron("0/5 * * * * ?").spread(Duration.ofSeconds(6))))
                .isEqualTo(new Violation(
                        "spread",
                        "6s",
                        "expected a window that isn't longer than the time between two firings, which is 5s"));
        assertThat(onlyViolation(builder -> builder.spread(Duration.ofMillis(1500)))
                        .setting())
                .isEqualTo("spread");
        assertThat(onlyViolation(builder -> builder.cron("").calendar("SAT")).expected())
                .isEqualTo("only for a job with a schedule; remove this setting, or give the job a cron or every");
        assertThat(JobDefinition.builder("orders")
                        .cron("0 0 9 1 * ?")
                        .calendar("SAT,SUN")
                        .moveToNextDay(true)
                        .spread(Duration.ofMinutes(10))
                        .build()
                        .schedule()
                        .text())
                .matches("0 0 9 1 \\* \\? shifted PT[0-9MS]+ except SAT,SUN moving");
    }
}
