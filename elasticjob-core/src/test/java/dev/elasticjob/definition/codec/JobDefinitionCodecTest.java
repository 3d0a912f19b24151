package dev.elasticjob.definition.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.WatchdogSettings;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.after.AfterOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobDefinitionCodecTest {
    private static final String WRITTEN_BY_2_1_5 = """
            {"jobName":"orders","jobClass":"com.example.Orders","jobType":"SIMPLE","cron":"0/5 * * * * ?",\
            "shardingTotalCount":2,"shardingItemParameters":"0=a,1=b","jobParameter":"p","failover":true,\
            "misfire":false,"description":"d","jobProperties":{"job_exception_handler":\
            "com.dangdang.ddframe.job.executor.handler.impl.DefaultJobExceptionHandler",\
            "executor_service_handler":"com.dangdang.ddframe.job.executor.handler.impl.DefaultExecutorServiceHandler"},\
            "monitorExecution":true,"maxTimeDiffSeconds":30,"monitorPort":9888,"jobShardingStrategyClass":"",\
            "reconcileIntervalMinutes":5,"disabled":false,"overwrite":true}""";

    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .jobClass("com.example.Orders")
            .cron("0/5 * * * * ?")
            .shardingTotalCount(2)
            .shardingItemParameters("0=a,1=b")
            .jobParameter("p")
            .failover(true)
            .misfire(false)
            .description("d")
            .maxTimeDiffSeconds(30)
            .monitorPort(9888)
            .reconcileIntervalMinutes(5)
            .overwrite(true)
            .timeZone(ZoneId.of("Asia/Tokyo"))
            .build();

    private final JobDefinitionCodec codec = new JobDefinitionCodec();

    @Test
    void configIsTheTextThat215Writes() {
        assertThat(text(codec.config(ORDERS, Optional.empty()))).isEqualTo(WRITTEN_BY_2_1_5);
    }

    @Test
    void configOf215IsReadWithTheFallbacksExtension() {
        DecodedDefinition decoded = codec.decode(bytes(WRITTEN_BY_2_1_5), Optional.empty(), ORDERS);

        assertThat(decoded.definition()).isEqualTo(ORDERS);
        assertThat(decoded.warnings()).isEmpty();
    }

    @Test
    void onlyDataflowAndScriptHaveAKeyOfTheirOwn() {
        JobDefinition dataflow = ORDERS.toBuilder()
                .jobType(JobType.DATAFLOW)
                .streamingProcess(true)
                .build();
        JobDefinition script = ORDERS.toBuilder()
                .jobType(JobType.SCRIPT)
                .scriptCommandLine("echo")
                .build();

        assertThat(text(codec.config(dataflow, Optional.empty())))
                .contains("},\"streamingProcess\":true,\"monitorExecution\"")
                .doesNotContain("scriptCommandLine");
        assertThat(text(codec.config(script, Optional.empty())))
                .contains("},\"scriptCommandLine\":\"echo\",\"monitorExecution\"")
                .doesNotContain("streamingProcess");
    }

    @Test
    void extensionHoldsWhat215HasNoKeyFor() {
        JobDefinition definition =
                ORDERS.toBuilder().jobProperties(Map.of("http.uri", "http://x")).build();

        assertThat(text(codec.extension(definition, Optional.empty()))).isEqualTo("""
                        {"whole":false,"timeZone":"Asia/Tokyo","misfireThreshold":"PT1M","maxFailovers":3,\
                        "timeout":"PT0S","retry":{"maxAttempts":1,"delay":"PT1S","multiplier":1.0,"maxDelay":"PT0S",\
                        "jitter":"PT0S","includes":[],"excludes":[]},"concurrency":0,\
                        "jobProperties":{"http.uri":"http://x"}}""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIMPLE", "DATAFLOW", "SCRIPT"})
    void whatIsWrittenIsReadAgain(String name) {
        JobType type = JobType.of(name);
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("job_exception_handler", "THROW");
        properties.put("z", "1");
        properties.put("a", "\"ü");
        JobDefinition definition = ORDERS.toBuilder()
                .jobClass("")
                .jobType(type)
                .streamingProcess(type.equals(JobType.DATAFLOW))
                .scriptCommandLine(type.equals(JobType.SCRIPT) ? "echo 'x' > y" : "")
                .jobProperties(properties)
                .jobShardingStrategyClass("STICKY")
                .disabled(true)
                .misfireThreshold(Duration.ofMillis(1_500))
                .maxFailovers(7)
                .timeout(Duration.ofSeconds(30))
                .retry(new RetrySettings(
                        4,
                        Duration.ofMillis(250),
                        1.5,
                        Duration.ofSeconds(9),
                        Duration.ofMillis(50),
                        List.of("java.io.IOException"),
                        List.of("java.net.ConnectException", "java.io.EOFException")))
                .concurrency(3)
                .build();

        DecodedDefinition decoded = codec.decode(
                "orders",
                codec.config(definition, Optional.empty()),
                Optional.of(codec.extension(definition, Optional.empty())));

        assertThat(decoded.definition()).isEqualTo(definition);
        assertThat(decoded.definition().jobProperties().keySet()).containsExactly("job_exception_handler", "z", "a");
        assertThat(decoded.warnings()).isEmpty();
    }

    // ------------------------------------------------------------------ wholly in the extension

    private static final HttpRequestSettings CLOSE_DAY = HttpRequestSettings.of("https://billing.example.com/close-day")
            .withBody("POST", "{}", "application/json")
            .withHeaders(Map.of("Authorization", "Bearer s3cret"))
            .withTimeouts(Duration.ofSeconds(1), Duration.ofMinutes(10));

    private static final JobDefinition BILLING = ORDERS.toBuilder()
            .jobClass("")
            .jobType(JobType.HTTP)
            .http(CLOSE_DAY)
            .jobProperties(Map.of("job_exception_handler", "THROW", "a", "1"))
            .build();

    @Test
    void anHttpJobIsWhollyInItsExtension() {
        byte[] extension = codec.extension(BILLING, Optional.empty());

        assertThat(codec.isWhole(extension)).isTrue();
        assertThat(codec.decodeWhole("orders", extension).definition()).isEqualTo(BILLING);
        assertThat(codec.decodeWhole("orders", extension).warnings()).isEmpty();
        assertThat(text(extension))
                .contains(
                        "\"http\":{\"uri\":\"https://billing.example.com/close-day\",\"method\":\"POST\",\"body\":\"{}\","
                                + "\"contentType\":\"application/json\",\"headers\":{\"Authorization\":\"Bearer s3cret\"},"
                                + "\"connectTimeout\":\"PT1S\",\"responseTimeout\":\"PT10M\"}");
    }

    @Test
    void anHttpJobHasNoConfigThatCouldBreakTheListOf215() {
        assertThatIllegalArgumentException().isThrownBy(() -> codec.config(BILLING, Optional.empty()));
    }

    @Test
    void aConfigBesideAWholeExtensionDoesNotCount() {
        byte[] extension = codec.extension(BILLING, Optional.empty());

        assertThat(codec.decode("orders", bytes(WRITTEN_BY_2_1_5), Optional.of(extension))
                        .definition())
                .isEqualTo(BILLING);
    }

    @Test
    void keysNobodyKnowsSurviveInAWholeExtensionToo() {
        byte[] existing = bytes("{\"later\":1,\"http\":{\"retries\":2,\"headers\":{\"X-Old\":\"gone\"}}}");

        assertThat(text(codec.extension(BILLING, Optional.of(existing))))
                .contains("\"responseTimeout\":\"PT10M\",\"retries\":2}")
                .endsWith(",\"later\":1}")
                .doesNotContain("X-Old");
    }

    @Test
    void whatMadeAnExtensionWholeGoesWhenItIsNoMore() {
        byte[] whole = codec.extension(BILLING, Optional.empty());

        assertThat(text(codec.extension(ORDERS, Optional.of(whole))))
                .isEqualTo(text(codec.extension(ORDERS, Optional.empty())));
    }

    @Test
    void aWholeExtensionThatIsWrongNamesItsNodeAndKeysButShowsNoSecrets() {
        byte[] extension = bytes("{\"whole\":true,\"jobType\":\"HTTP\",\"cron\":\"0 * * * * ?\",\"http\":"
                + "{\"uri\":\"close-day\",\"headers\":\"Bearer s3cret\",\"connectTimeout\":\"soon\"}}");

        var unreadable =
                catchThrowableOfType(UnreadableDefinitionException.class, () -> codec.decodeWhole("orders", extension));

        assertThat(unreadable.part()).isEqualTo(Part.EXTENSION);
        assertThat(unreadable)
                .hasMessageContainingAll("expected http.headers to be a JSON object", "http.connectTimeout is \"soon\"")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void keysNobodyKnowsSurvive() {
        byte[] config = bytes("{\"future\":{\"x\":[1,2]},\"cron\":\"old\",\"streamingProcess\":true}");
        byte[] extension = bytes("{\"later\":1,\"maxFailovers\":9,\"retry\":{\"delay\":\"PT9S\",\"soon\":2}}");

        assertThat(text(codec.config(ORDERS, Optional.of(config))))
                .isEqualTo(WRITTEN_BY_2_1_5.replaceFirst("}$", ",\"future\":{\"x\":[1,2]}}"));
        assertThat(text(codec.extension(ORDERS, Optional.of(extension))))
                .contains("\"delay\":\"PT1S\"", "\"excludes\":[],\"soon\":2}")
                .endsWith("\"jobProperties\":{},\"later\":1}");
    }

    @Test
    void whatAnExtensionLacksHasItsDefaultForEachInstanceWhateverItHasItself() {
        JobDefinition local = ORDERS.toBuilder()
                .timeZone(ZoneId.of("Europe/Berlin"))
                .timeout(Duration.ofSeconds(30))
                .retry(RetrySettings.of(3, Duration.ofSeconds(5)))
                .jobProperties(Map.of("depth", "3"))
                .clusterListener(true)
                .beforeFirstTimeout(Duration.ofSeconds(9))
                .afterLastTimeout(Duration.ofSeconds(9))
                .build();
        Optional<byte[]> partly = Optional.of(bytes("{\"retry\":{\"maxAttempts\":2}}"));

        JobDefinition read =
                codec.decode(bytes(WRITTEN_BY_2_1_5), partly, local).definition();

        assertThat(read)
                .isEqualTo(
                        codec.decode("orders", bytes(WRITTEN_BY_2_1_5), partly).definition());
        assertThat(read.retry()).isEqualTo(RetrySettings.of(2, Duration.ofSeconds(1)));
        assertThat(read.clusterListener()).isFalse();
    }

    @Test
    void limitsOfTheWatchdogAreStoredWhereTheyAreSet() {
        JobDefinition watched = ORDERS.toBuilder()
                .stuckAfter(Duration.ofMinutes(30))
                .expectWithin(Duration.ofMinutes(5))
                .build();
        byte[] stored = codec.extension(watched, Optional.empty());

        byte[] unwatched = codec.extension(ORDERS, Optional.of(stored));

        assertThat(text(stored)).contains("\"stuckAfter\":\"PT30M\",\"expectWithin\":\"PT5M\"");
        assertThat(text(unwatched)).doesNotContain("stuckAfter", "expectWithin");
        assertThat(codec.decode(bytes(WRITTEN_BY_2_1_5), Optional.of(stored), ORDERS)
                        .definition()
                        .watchdog())
                .isEqualTo(watched.watchdog());
        // An extension without them was written by somebody who has set none.
        assertThat(codec.decode(bytes(WRITTEN_BY_2_1_5), Optional.of(unwatched), watched)
                        .definition()
                        .watchdog())
                .isEqualTo(WatchdogSettings.OFF);
    }

    @Test
    void firingsAreNotExpectedWithoutMonitoring() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("\"monitorExecution\":true", "\"monitorExecution\":false"));

        DecodedDefinition decoded = codec.decode(
                "orders", config, Optional.of(bytes("{\"stuckAfter\":\"PT1M\",\"expectWithin\":\"PT1M\"}")));

        assertThat(decoded.definition().watchdog())
                .isEqualTo(new WatchdogSettings(Duration.ofMinutes(1), Duration.ZERO));
        assertThat(decoded.warnings()).anyMatch(warning -> warning.contains("expectWithin is ignored"));
    }

    @Test
    void nothingIsCancelledForTheNextFiringWithoutMonitoring() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("\"monitorExecution\":true", "\"monitorExecution\":false"));

        DecodedDefinition decoded =
                codec.decode("orders", config, Optional.of(bytes("{\"overlap\":\"CANCEL_RUNNING\"}")));

        assertThat(decoded.definition().overlap()).isEqualTo(Overlap.WAIT);
        assertThat(decoded.warnings()).anyMatch(warning -> warning.contains("overlap is CANCEL_RUNNING"));
    }

    @Test
    void whatTheToolsOf215SayOfMisfireGoesBeforeCatchUp() {
        Optional<byte[]> each = Optional.of(bytes("{\"catchUp\":\"EACH\",\"catchUpLimit\":7}"));
        byte[] on = bytes(WRITTEN_BY_2_1_5.replace("\"misfire\":false", "\"misfire\":true"));
        byte[] off = bytes(WRITTEN_BY_2_1_5.replace("\"misfire\":true", "\"misfire\":false"));

        DecodedDefinition decoded = codec.decode("orders", off, each);

        assertThat(codec.decode("orders", on, each).definition().catchUp()).isEqualTo(CatchUp.EACH);
        assertThat(decoded.definition().misfire()).isFalse();
        assertThat(decoded.definition().catchUp()).isEqualTo(CatchUp.BY_MISFIRE);
        assertThat(decoded.warnings()).anyMatch(warning -> warning.contains("catchUp EACH is ignored"));
    }

    @Test
    void failuresAreNotCountedWithoutMonitoring() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("\"monitorExecution\":true", "\"monitorExecution\":false"));

        DecodedDefinition decoded = codec.decode("orders", config, Optional.of(bytes("{\"pauseAfterFailures\":3}")));

        assertThat(decoded.definition().pauseAfterFailures()).isZero();
        assertThat(decoded.warnings()).anyMatch(warning -> warning.contains("pauseAfterFailures is ignored"));
    }

    @Test
    void whatIsNoJsonObjectIsReplaced() {
        assertThat(text(codec.config(ORDERS, Optional.of(bytes("jobName: orders")))))
                .isEqualTo(WRITTEN_BY_2_1_5);
        assertThat(text(codec.config(ORDERS, Optional.of(new byte[0])))).isEqualTo(WRITTEN_BY_2_1_5);
    }

    @Test
    void jobPropertiesAreReadInBothSpellingsAndWrittenInTheFirst() {
        byte[] config = bytes("""
                {"jobType":"SIMPLE","cron":"0 0 9 * * ?","jobProperties":\
                {"jobexceptionhandler":"MyHandler","executorservicehandler":"MyPool","retries":3,"deep":{"a":1}}}""");

        JobDefinition read = codec.decode("orders", config, Optional.empty()).definition();

        assertThat(read.jobProperties())
                .isEqualTo(Map.of(
                        "job_exception_handler", "MyHandler",
                        "executor_service_handler", "MyPool",
                        "retries", "3",
                        "deep", "{\"a\":1}"));
        assertThat(text(codec.config(read, Optional.of(config))))
                .contains(
                        "\"jobProperties\":{\"job_exception_handler\":\"MyHandler\",\"executor_service_handler\":\"MyPool\"}");
    }

    @Test
    void missingSettingsHaveTheirDefaults() {
        JobDefinition read = codec.decode(
                        "orders", bytes("{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\"}"), Optional.of(bytes("{}")))
                .definition();

        assertThat(read)
                .isEqualTo(JobDefinition.builder("orders").cron("0 0 9 * * ?").build());
    }

    @Test
    void numbersAndBooleansMayBeStrings() {
        byte[] config = bytes(
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"shardingTotalCount\":\"4\",\"misfire\":\"false\",\"jobParameter\":7}");

        JobDefinition read = codec.decode("orders", config, Optional.empty()).definition();

        assertThat(read.shardingTotalCount()).isEqualTo(4);
        assertThat(read.misfire()).isFalse();
        assertThat(read.jobParameter()).isEqualTo("7");
    }

    @Test
    void failoverWithoutMonitoringIsOffAndSaid() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("\"monitorExecution\":true", "\"monitorExecution\":false"));

        DecodedDefinition decoded = codec.decode("orders", config, Optional.empty());

        assertThat(decoded.definition().failover()).isFalse();
        assertThat(decoded.definition().monitorExecution()).isFalse();
        assertThat(decoded.warnings()).singleElement().asString().contains("failover stays off");
    }

    @Test
    void parametersOfItemsThatAreGoneAreLeftOutAndSaid() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("\"shardingTotalCount\":2", "\"shardingTotalCount\":1"));

        DecodedDefinition decoded = codec.decode("orders", config, Optional.empty());

        assertThat(decoded.definition().shardingItemParameters()).isEqualTo("0=a");
        assertThat(decoded.warnings()).singleElement().asString().contains("[1]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 0 9 ? * 2-6 | TUE,WED,THU,FRI,SAT | MON,TUE,WED,THU,FRI | 0 0 9 ? * MON-FRI
        0 0 9 ? * 1   | MON                 | SUN                 | 0 0 9 ? * SUN
        0 0 9 ? * 7   | SUN                 | SAT                 | 0 0 9 ? * SAT
        0 0 9 ? * 2,4 | TUE,THU             | MON,WED             | 0 0 9 ? * MON,WED
        0 0 9 ? * 6L  | SAT                 | FRI                 | 0 0 9 ? * FRIL
        0 0 9 ? * 6#3 | SAT                 | FRI                 | 0 0 9 ? * FRI#3
        0 0 9 ? * 2/2 | TUE,THU,SAT         | MON,WED,FRI         | 0 0 9 ? * MON,WED,FRI
        0 0 9 ? * */2 | MON,WED,FRI,SUN     | TUE,THU,SAT,SUN     | 0 0 9 ? * SUN,TUE,THU,SAT
        """)
    void daysOfTheWeekThatQuartzCountedOtherwiseAreSaidWhenATreeIsAdopted(
            String cron, String now, String meant, String right) {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("0/5 * * * * ?", cron));

        assertThat(codec.decode("orders", config, Optional.empty()).warnings())
                .singleElement()
                .asString()
                .startsWith("cron \"%s\" now means %s, but in Elastic-Job it meant %s:".formatted(cron, now, meant))
                .contains("Write \"" + right + "\"");
    }

    @Test
    void stepsThatQuartzIgnoredAreSaidWhenATreeIsAdopted() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("0/5 * * * * ?", "0 0 9 1 JAN/3 ?"));

        assertThat(codec.decode("orders", config, Optional.empty()).warnings())
                .containsExactly("cron \"0 0 9 1 JAN/3 ?\" now fires at other times than in Elastic-Job: in \"JAN/3\","
                        + " Quartz ignores \"/3\". Write \"0 0 9 1 JAN ?\" to keep the old meaning");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 9 ? * 6L 2027", "0 0 9 ? * FRI-MON/2", "0 0 9 * * ? 2200", "5X 0 9 * * ?"})
    void aCronIsRefusedWithTheSameSentenceWhereverItComesFrom(String cron) {
        String expected = Schedule.problemOfCron(cron, ORDERS.timeZone()).orElseThrow();
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("0/5 * * * * ?", cron));
        byte[] whole = bytes("{\"whole\":true,\"jobType\":\"SIMPLE\",\"cron\":\"" + cron + "\"}");

        assertThat(Stream.<ThrowingCallable>of(
                                () -> ORDERS.toBuilder().cron(cron).build(),
                                () -> codec.decode("orders", config, Optional.empty()),
                                () -> codec.decode("orders", config, Optional.of(whole)))
                        .map(Assertions::catchThrowable))
                .allSatisfy(fault ->
                        assertThat(fault).hasMessageContaining("cron is \"%s\": %s".formatted(cron, expected)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 9 ? * MON-FRI",
                "0 0 9 ? * 1-7",
                "0 0 9 5 * ?",
                "0 0 9 ? * FRIL",
                "0 0 9 ? * MON *",
                "0 0 22-2 ? * FRI-MON 2027"
            })
    void daysOfTheWeekThatMeanTheSameAreNotSaid(String cron) {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("0/5 * * * * ?", cron));

        assertThat(codec.decode("orders", config, Optional.empty()).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "GMT+08:00", "+05:45", "Z"})
    void anyZoneOfJavaIsStoredAndReadAgain(String zone) {
        JobDefinition there = ORDERS.toBuilder().timeZone(ZoneId.of(zone)).build();

        byte[] extension = codec.extension(there, Optional.empty());

        assertThat(codec.decode("orders", bytes(WRITTEN_BY_2_1_5), Optional.of(extension))
                        .definition()
                        .timeZone())
                .isEqualTo(ZoneId.of(zone));
    }

    @Test
    void daysOfTheWeekAreSaidOfAdoptedTreesOnly() {
        byte[] config = bytes(WRITTEN_BY_2_1_5.replace("0/5 * * * * ?", "0 0 9 ? * 2-6"));

        assertThat(codec.decode("orders", config, Optional.of(bytes("{}"))).warnings())
                .isEmpty();
    }

    @Test
    void otherNameInTheConfigIsIgnoredAndSaid() {
        DecodedDefinition decoded = codec.decode("bills", bytes(WRITTEN_BY_2_1_5), Optional.empty());

        assertThat(decoded.definition().jobName()).isEqualTo("bills");
        assertThat(decoded.warnings()).singleElement().asString().contains("\"orders\"", "\"bills\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "jobName: orders",
                "[1]",
                "{\"jobType\":\"SIMPLE\"",
                "{\"cron\":\"0 0 9 * * ?\"}",
                "{\"jobType\":\"HTTP\",\"cron\":\"0 0 9 * * ?\"}",
                "{\"jobType\":\"SIMPLE\"}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ? 2200\"}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"shardingTotalCount\":0}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"shardingTotalCount\":\"many\"}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"shardingItemParameters\":\"a\"}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"misfire\":\"maybe\"}",
                "{\"jobType\":\"SIMPLE\",\"cron\":\"0 0 9 * * ?\",\"jobProperties\":\"x\"}"
            })
    void configThatIsNoDefinitionIsUnreadable(String config) {
        var exception = catchThrowableOfType(
                UnreadableDefinitionException.class, () -> codec.decode("orders", bytes(config), Optional.empty()));

        assertThat(exception.jobName()).isEqualTo("orders");
        assertThat(exception.part()).isEqualTo(Part.CONFIG);
        assertThat(exception).hasMessageStartingWith("The config of job \"orders\" in the registry can't be used: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "{\"timeZone\":\"Mars/Olympus\"}",
                "{\"misfireThreshold\":60}",
                "{\"misfireThreshold\":\"-PT1S\"}",
                "{\"maxFailovers\":0}",
                "{\"timeout\":\"soon\"}",
                "{\"timeout\":\"-PT1S\"}",
                "{\"retry\":3}",
                "{\"retry\":{\"maxAttempts\":0}}",
                "{\"retry\":{\"multiplier\":\"much\"}}",
                "{\"retry\":{\"includes\":\"java.io.IOException\"}}",
                "{\"concurrency\":-1}",
                "{\"whole\":true}"
            })
    void extensionThatIsWrongIsUnreadable(String extension) {
        var exception = catchThrowableOfType(
                UnreadableDefinitionException.class,
                () -> codec.decode("orders", bytes(WRITTEN_BY_2_1_5), Optional.of(bytes(extension))));

        assertThat(exception.part()).isEqualTo(Part.EXTENSION);
    }

    @Test
    void aOneOffJobIsWhollyInTheExtension() {
        JobDefinition report = JobDefinition.builder("orders")
                .shardingTotalCount(3)
                .runAtStart(true)
                .build();

        byte[] extension = codec.extension(report, Optional.empty());

        assertThat(codec.isWhole(report)).isTrue();
        assertThat(text(extension)).startsWith("{\"whole\":true,").contains("\"runAtStart\":true");
        assertThat(codec.decodeWhole("orders", extension).definition()).isEqualTo(report);
    }

    @Test
    void aJobThatGetsACronLeavesNothingOfTheOneOffJobInItsExtension() {
        JobDefinition report = JobDefinition.builder("orders").runAtStart(true).build();
        byte[] before = codec.extension(report, Optional.empty());
        JobDefinition scheduled =
                report.toBuilder().cron("0 0 9 * * ?").runAtStart(false).build();

        byte[] after = codec.extension(scheduled, Optional.of(before));

        assertThat(text(after)).contains("\"whole\":false").doesNotContain("runAtStart", "cron");
    }

    @Test
    void anHttpJobThatGetsACronLeavesNothingOfTheOneOffJobInItsExtension() {
        JobDefinition oneOff = BILLING.toBuilder().cron("").runAtStart(true).build();
        byte[] before = codec.extension(oneOff, Optional.empty());

        byte[] after = codec.extension(BILLING, Optional.of(before));

        assertThat(codec.decodeWhole("orders", after).definition()).isEqualTo(BILLING);
    }

    @Test
    void aJobThatRunsAfterOthersIsWhollyInTheExtension() {
        JobDefinition following = JobDefinition.builder("orders")
                .after(new AfterSettings(List.of("import", "prices"), AfterOutcome.ANY, Duration.ofHours(6)))
                .build();

        byte[] extension = codec.extension(following, Optional.empty());

        assertThat(codec.isWhole(following)).isTrue();
        assertThat(text(extension))
                .contains("\"after\":{\"jobs\":[\"import\",\"prices\"],\"outcome\":\"ANY\",\"window\":\"PT6H\"}");
        assertThat(codec.decodeWhole("orders", extension).definition()).isEqualTo(following);
    }

    @Test
    void aJobThatFollowsNoOtherStoresNothingOfIt() {
        JobDefinition following = JobDefinition.builder("orders")
                .after(AfterSettings.of("import"))
                .build();
        byte[] before = codec.extension(following, Optional.empty());

        byte[] after =
                codec.extension(following.toBuilder().after(AfterSettings.NONE).build(), Optional.of(before));

        assertThat(text(after)).doesNotContain("after");
    }

    @Test
    void anOutcomeThatDoesNotExistIsReportedWithThoseThatDo() {
        byte[] extension =
                bytes("{\"whole\":true,\"jobType\":\"SIMPLE\",\"after\":{\"jobs\":[\"import\"],\"outcome\":\"DONE\"}}");

        var unreadable =
                catchThrowableOfType(UnreadableDefinitionException.class, () -> codec.decodeWhole("orders", extension));

        assertThat(unreadable)
                .hasMessageContaining("after.outcome is \"DONE\", expected one of [SUCCESS, FAILURE, ANY]");
    }

    @Test
    void aConfigWithoutACronIsNoOneOffJob() {
        byte[] config = bytes("{\"jobType\":\"SIMPLE\",\"cron\":\"\"}");

        assertThat(catchThrowableOfType(
                        UnreadableDefinitionException.class, () -> codec.decode("orders", config, Optional.empty())))
                .hasMessageContaining("cron is missing");
    }

    @Test
    void everyFaultOfTheConfigIsNamed() {
        var exception = catchThrowableOfType(
                UnreadableDefinitionException.class,
                () -> codec.decode(
                        "orders", bytes("{\"jobType\":\"HTTP\",\"misfire\":2,\"monitorPort\":[]}"), Optional.empty()));

        assertThat(exception)
                .hasMessageContainingAll(
                        "jobType is \"HTTP\", expected one of [SIMPLE, DATAFLOW, SCRIPT]",
                        "misfire is 2, expected true or false",
                        "monitorPort is [], expected a whole number");
    }

    /** So that a form marks each field, whatever kind of fault its value has. */
    @Test
    void whatAChangeCannotUseIsSaidSettingBySetting() {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> codec.changed(
                        ORDERS,
                        Map.of(
                                "shardingTotalCount", "abc",
                                "timeout", "5 parsecs",
                                "timeZone", "Europe/Nowhere",
                                "cron", "soon",
                                "retry", Map.of("maxAttempts", "many"),
                                "jobProperties", "none",
                                "colour", "red")));

        assertThat(exception.violations())
                .extracting(Violation::setting, Violation::found)
                .containsExactlyInAnyOrder(
                        tuple("shardingTotalCount", "abc"),
                        tuple("timeout", "5 parsecs"),
                        tuple("timeZone", "Europe/Nowhere"),
                        tuple("cron", "soon"),
                        tuple("retry.maxAttempts", "many"),
                        tuple("jobProperties", "******"),
                        tuple("colour", "red"));
    }

    @Test
    void aSettingInTheFormOfAPropertyIsRefusedWithItsName() {
        var exception = catchThrowableOfType(
                InvalidJobDefinitionException.class,
                () -> codec.changed(ORDERS, Map.of("pause-after-failures", 3, "colour", "red")));

        assertThat(exception.violations())
                .extracting(Violation::expected)
                .containsExactlyInAnyOrder(
                        "there is no such setting (did you mean \"pauseAfterFailures\"?)", "there is no such setting");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
