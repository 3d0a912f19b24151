package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.migration.output.SettingsPlacement;
import dev.elasticjob.migration.source.UnreadableSourceException;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of jobs of Quartz, of Spring's {@code @Scheduled} and of XXL-JOB. */
class OtherSchedulersTest {
    @TempDir
    private Path folder;

    private MigrationFixture java(String... members) throws IOException {
        return new MigrationFixture(folder).source("ReportJobs.java", """
                        package com.acme.reports;

                        import java.util.concurrent.TimeUnit;
                        import org.springframework.scheduling.annotation.Scheduled;

                        @Component
                        class ReportJobs {
                            private static final int MINUTE = 60 * 1000;
                            static final String NIGHT = "0 0 3 * * *";

                            %s
                        }
                        """.formatted(String.join("\n", members)));
    }

    // ------------------------------------------------------------------ @Scheduled

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cron = "0 0 3 * * *", zone = "Europe/Berlin"      | cron: 0 0 3 * * *
            cron = NIGHT                                      | cron: 0 0 3 * * *
            cron = ReportJobs.NIGHT                           | -
            cron = "${jobs.night}"                            | cron: ${jobs.night}
            fixedRate = 5 * MINUTE                            | every: 5m
            fixedRate = 90_000L                               | every: 90s
            fixedRate = 2, timeUnit = TimeUnit.HOURS          | every: 2h
            fixedRate = 2, timeUnit = HOURS                   | every: 2h
            fixedRateString = "PT10M"                         | every: 10m
            fixedRateString = "10s"                           | every: 10s
            fixedRateString = "30000"                         | every: 30s
            fixedDelay = 30_000                               | fixed-delay: 30s
            fixedRate = 500                                   | -
            cron = "0 0 3 * * *", fixedRate = 60_000          | -
            cron = "-"                                        | -
            cron = "0 0 9 31 2 ?"                             | -
            """)
    void aScheduleIsCarriedOverOrTheJobLeftOutWithTheReason(String attributes, String expected) throws IOException {
        MigrationFixture migration = java("@Scheduled(" + attributes + ") void sendDaily() {}");

        if (expected.equals("-")) {
            assertThat(migration.convert().isComplete()).isFalse();
            assertThat(migration.findings()).anyMatch(line -> line.startsWith("report-jobs-send-daily: "));
        } else {
            assertThat(migration.yaml()).contains("report-jobs-send-daily:", expected);
            assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                    .contains(
                            "// com.acme.reports.ReportJobs.sendDaily, instead of @Scheduled\n@ElasticJob(name = \"report-jobs-send-daily\")");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cron = \"0 0 3 * * *\", fixedRate = 60_000",
                "fixedDelay = 60_000, cron = \"0 0 3 * * *\"",
                "cron = \"0 0 3 * * *\", fixedRate = 60_000, fixedDelay = 60_000"
            })
    void severalSchedulesAreToldInOneLine(String attributes) throws IOException {
        MigrationFixture migration = java("@Scheduled(" + attributes + ") void sendDaily() {}");

        assertThat(migration.findings().stream().filter(line -> line.startsWith("report-jobs-send-daily: ")))
                .singleElement()
                .asString()
                .contains("a job has one schedule", "cron", "60");
    }

    @Test
    void thatNoRegistryWasFoundIsToldOfTheWholeFile() throws IOException {
        MigrationFixture migration = java("@Scheduled(fixedRate = 60_000) void sendDaily() {}");

        assertThat(MigrationFixture.text(migration.convert(), "report.txt"))
                .contains("ReportJobs.java): no registry was found")
                .doesNotContain("): no registry was found, line registry");
    }

    @Test
    void eachMethodBecomesAJobWithWhatItsReaderHasToKnow() throws IOException {
        MigrationFixture migration = java(
                "@Scheduled(cron = NIGHT) @SchedulerLock(name = \"night\", lockAtMostFor = \"5m\") void night() {}",
                "@Scheduled(cron = \"0 0 9 * * *\") @Scheduled(cron = \"0 30 17 * * *\") public void twice() {}",
                "class Inner { @org.springframework.scheduling.annotation.Scheduled(fixedRate = 60_000,"
                        + " initialDelay = 5_000) void inHTTPClient() {} }",
                "@Scheduled(fixedRate = 60_000) void withParameter(String text) {}",
                "void notScheduled() {}");

        assertThat(migration.yaml())
                .contains(
                        "    night:\n      overlap: SKIP\n      cron: 0 0 3 * * *",
                        "report-jobs-twice:\n      cron: 0 0 9 * * *; 0 30 17 * * *",
                        "report-jobs-inner-in-http-client:\n      every: 1m")
                .doesNotContain("not-scheduled", "with-parameter");
        assertThat(migration.findings())
                .contains(
                        "report-jobs-inner-in-http-client: not converted: initialDelay=\"5000 MILLISECONDS\" there is none"
                                + " here; start-at is a time before which the job doesn't fire",
                        "report-jobs-with-parameter: job left out: parameters=\"String text\" a method that is scheduled has"
                                + " no parameters. Remove them")
                .anyMatch(line -> line.startsWith("night: changed: lock="))
                .anyMatch(line -> line.startsWith("check: its methods ran on each instance, and here each runs once"));
    }

    @Test
    void aNumberBehindAPlaceholderHasTheUnitOfTheAnnotation() throws IOException {
        MigrationFixture migration = java(
                "@Scheduled(fixedDelayString = \"${sync.delay:3000}\") void sync() {}",
                "@Scheduled(fixedRateString = \"${poll.rate:30}\", timeUnit = TimeUnit.SECONDS) void poll() {}",
                "@Scheduled(fixedRateString = \"${tick.rate}\") void tick() {}");

        assertThat(migration.yaml())
                .contains("fixed-delay: ${sync.delay:3s}", "every: ${poll.rate:30s}", "every: ${tick.rate}");
        assertThat(migration.findings())
                .contains(
                        "report-jobs-poll: check: fixedRate=\"${poll.rate:30} SECONDS\" the value behind the placeholder"
                                + " needs a unit here, such as 30s; a number was in seconds");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Scheduled(initialDelay = 5_000) void sendDaily() {}",
                "@Scheduled(fixedRate = Other.RATE) void sendDaily() {}",
                "@Async @Scheduled(fixedRate = 60_000) void sendDaily() {}",
                "@Scheduled(fixedRate = 60_000) Mono<Void> sendDaily() { return null; }",
                "@Scheduled(fixedRate = 60_000) reactor.core.publisher.Flux<String> sendDaily() { return null; }"
            })
    void aMethodThatWouldNotStartOrFireIsLeftOut(String method) throws IOException {
        MigrationFixture migration = java(method);

        assertThat(migration.findings()).anyMatch(line -> line.startsWith("report-jobs-send-daily: job left out: "));
        assertThat(migration.yaml()).doesNotContain("report-jobs-send-daily");
    }

    @Test
    void aFindingNamesTheLineOfTheAnnotation() throws IOException {
        MigrationFixture migration = java("", "", "@Scheduled(fixedRate = Other.RATE) void sendDaily() {}");

        assertThat(MigrationFixture.text(migration.convert(), "report.txt"))
                .contains("fixedRate=\"Other.RATE\" (" + folder.resolve("ReportJobs.java") + ", line 13): its value");
    }

    @Test
    void theSourcesOfAFolderAreReadTogether() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("src/com/acme"));
        Files.writeString(inner.resolve("One.java"), "class One { @Scheduled(fixedRate = 60_000) void run() {} }");
        Files.writeString(inner.resolve("Two.java"), "class Two { @Scheduled(fixedRate = 60_000) void run() {} }");
        Files.writeString(inner.resolve("Broken.java"), "class Broken {");

        MigrationResult result = new Migration(MigrationOptions.DEFAULT).convert(List.of(folder.resolve("src")));

        assertThat(MigrationFixture.text(result, "application.yml")).contains("one-run:", "two-run:");
    }

    @Test
    void whatIsNoJavaOrHasNoSuchMethodIsRefused() throws IOException {
        Files.createDirectories(folder.resolve("empty"));
        Path broken = Files.writeString(folder.resolve("Broken.java"), "class Broken {\n  @Scheduled( void run() {} }");
        var migration = new Migration(MigrationOptions.DEFAULT);

        assertThatThrownBy(() -> migration.convert(List.of(broken)))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContainingAll("Broken.java, line 2", "expected Java ");
        assertThatThrownBy(() -> migration.convert(List.of(folder.resolve("empty"))))
                .hasMessageContaining("expected Java sources with @Scheduled below the folder, but there are none");
    }

    @Test
    void theApplicationStartsWithTheMethodThatTheAnnotationNames() throws Exception {
        Path produced = java("@Scheduled(fixedRate = 2, timeUnit = TimeUnit.HOURS) void sendDaily() {}")
                .produced();

        try (var application = ProducedApplication.start(produced, List.of(ReportJobs.class))) {
            assertThat(application.definition("report-jobs-send-daily").every()).isEqualTo(Duration.ofHours(2));
        }
    }

    static class ReportJobs {
        @ElasticJob(name = "report-jobs-send-daily")
        void sendDaily() {}
    }

    // ------------------------------------------------------------------ Quartz

    private MigrationFixture quartz(String triggers) throws IOException {
        return new MigrationFixture(folder).source("quartz_data.xml", """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
                          <pre-processing-commands><delete-jobs-in-group>*</delete-jobs-in-group></pre-processing-commands>
                          <schedule>
                            <job>
                              <name>reports</name>
                              <group>nightly</group>
                              <description>All reports</description>
                              <job-class>com.acme.ReportsJob</job-class>
                              <durability>true</durability>
                              <recover>true</recover>
                              <job-data-map><entry><key>to</key><value>a&lt;b</value></entry></job-data-map>
                            </job>
                            %s
                          </schedule>
                        </job-scheduling-data>
                        """.formatted(triggers));
    }

    private static String trigger(String kind, String elements) {
        return ("<trigger><%1$s><name>t</name><job-name>reports</job-name><job-group>nightly</job-group>%2$s</%1$s>"
                        + "</trigger>")
                .formatted(kind, elements);
    }

    @Test
    void aJobOfQuartzHasTheScheduleOfItsTriggers() throws IOException {
        MigrationFixture migration = quartz(trigger(
                        "cron",
                        "<start-time>2026-12-01T09:00:00+01:00</start-time>"
                                + "<misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHING</misfire-instruction>"
                                + "<cron-expression>0 30 6 ? * 2-6</cron-expression><time-zone>Europe/Berlin</time-zone>")
                + trigger("cron", "<cron-expression>0 0 12 L * ?</cron-expression>"));

        assertThat(migration.yaml())
                .contains(
                        "nightly-reports:",
                        "description: All reports",
                        "failover: true",
                        "to: a<b",
                        "cron: 0 30 6 ? * MON-FRI; 0 0 12 L * ?",
                        "start-at: '2026-12-01T08:00:00Z'",
                        "misfire: false",
                        "time-zone: Europe/Berlin");
        assertThat(migration.findings())
                .contains("not converted: the command \"delete-jobs-in-group\" was not carried out")
                .anyMatch(line -> line.startsWith("nightly-reports: changed: cron-expression=\"0 30 6 ? * 2-6\""));
        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains("// com.acme.ReportsJob\n@ElasticJob(name = \"nightly-reports\")");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            simple            | <repeat-count>-1</repeat-count><repeat-interval>30000</repeat-interval>               | every: 30s
            simple            | <repeat-count>-1</repeat-count><repeat-interval>1500</repeat-interval>                | -
            simple            | <repeat-count>3</repeat-count><repeat-interval>30000</repeat-interval>                | -
            cron              | <misfire-instruction>MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY</misfire-instruction><cron-expression>0 0 9 * * ?</cron-expression> | catch-up: EACH
            cron              | <misfire-instruction>MISFIRE_INSTRUCTION_UNKNOWN</misfire-instruction><cron-expression>0 0 9 * * ?</cron-expression> | -
            calendar-interval | <repeat-interval>2</repeat-interval><repeat-interval-unit>HOUR</repeat-interval-unit> | every: 2h
            calendar-interval | <repeat-interval>1</repeat-interval><repeat-interval-unit>MONTH</repeat-interval-unit>| -
            cron              | <calendar-name>holidays</calendar-name><cron-expression>0 0 9 * * ?</cron-expression> | -
            cron              | <start-time>2026-12-01T09:00:00</start-time><cron-expression>0 0 9 * * ?</cron-expression> | -
            """)
    void anotherTriggerIsCarriedOverOrTold(String kind, String elements, String expected) throws IOException {
        MigrationFixture migration = quartz(trigger(kind, elements));

        if (expected.equals("-")) {
            assertThat(migration.findings())
                    .anyMatch(line -> line.matches("nightly-reports: (job left out|not converted): .*"));
        } else {
            assertThat(migration.yaml()).contains(expected);
        }
    }

    @Test
    void aTriggerOfAnUnknownJobIsTold() throws IOException {
        assertThat(quartz("<trigger><cron><name>t</name><job-name>other</job-name></cron></trigger>")
                        .findings())
                .contains("not converted: the trigger \"t\" is for the job \"other\", which isn't in the file");
    }

    // ------------------------------------------------------------------ XXL-JOB

    private static final String COLUMNS = String.join(
            "\t",
            "id",
            "job_group",
            "job_desc",
            "add_time",
            "author",
            "schedule_type",
            "schedule_conf",
            "misfire_strategy",
            "executor_route_strategy",
            "executor_handler",
            "executor_param",
            "executor_block_strategy",
            "executor_timeout",
            "executor_fail_retry_count",
            "glue_type",
            "glue_source",
            "child_jobid",
            "trigger_status");

    private MigrationFixture xxl(String... rows) throws IOException {
        return new MigrationFixture(folder).source("xxl_job_info.tsv", COLUMNS + "\n" + String.join("\n", rows) + "\n");
    }

    private static String row(int id, String type, String conf, String handler, String block, String children) {
        return String.join(
                "\t",
                String.valueOf(id),
                "1",
                "日报\\nall of them",
                "2026-01-01 00:00:00",
                "",
                type,
                conf,
                "FIRE_ONCE_NOW",
                "FIRST",
                handler,
                "NULL",
                block,
                "30",
                "2",
                "BEAN",
                "",
                children,
                "1");
    }

    @Test
    void aRowBecomesAJob() throws Exception {
        MigrationFixture migration = xxl(
                row(1, "CRON", "0 0 2 ? * 2-6", "import", "SERIAL_EXECUTION", "3"),
                row(2, "FIX_RATE", "90", "sync", "DISCARD_LATER", ""),
                row(3, "NONE", "", "report", "SERIAL_EXECUTION", ""),
                row(4, "FIX_RATE", "30", "import", "SERIAL_EXECUTION", ""));

        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("import-1: changed: schedule_conf=\"0 0 2 ? * 2-6\""))
                .anyMatch(line -> line.startsWith("check: schedules counted by the clock of the XXL-JOB server"));
        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains("// the method with @XxlJob(\"sync\")\n@ElasticJob(name = \"sync\")");
        Path produced = migration.produced();
        try (var application = ProducedApplication.start(produced, List.of(Handlers.class))) {
            JobDefinition imported = application.definition("import-1");
            assertThat(imported.cron()).isEqualTo("0 0 2 ? * MON-FRI");
            assertThat(imported.description()).isEqualTo("日报\nall of them");
            assertThat(imported.timeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(imported.retry().maxAttempts()).isEqualTo(3);
            assertThat(application.definition("sync").every()).isEqualTo(Duration.ofSeconds(90));
            assertThat(application.definition("sync").misfire()).isTrue();
            assertThat(application.definition("sync").overlap()).isEqualTo(Overlap.SKIP);
            assertThat(application.definition("report").after().jobs()).containsExactly("import-1");
            assertThat(application.definition("import-4").every()).isEqualTo(Duration.ofSeconds(30));
        }
    }

    static class Handlers {
        @ElasticJob(name = "import-1")
        void night() {}

        @ElasticJob(name = "import-4")
        void often() {}

        @ElasticJob(name = "sync")
        void sync() {}

        @ElasticJob(name = "report")
        void report() {}
    }

    @Test
    void codeInTheDatabaseAndUnknownSchedulesAreLeftOut() throws IOException {
        MigrationFixture migration = xxl(
                row(1, "CRON", "0 0 2 * * ?", "a", "SERIAL_EXECUTION", "").replace("BEAN", "GLUE_SHELL"),
                row(2, "FIX_DELAY", "30", "b", "SERIAL_EXECUTION", ""));

        assertThat(migration.findings())
                .anyMatch(line ->
                        line.startsWith("a: job left out: glue_type=\"GLUE_SHELL\" its code is in the database"))
                .anyMatch(line -> line.startsWith("b: job left out: schedule_conf=\"30\" expected a schedule_type of"));
    }

    @Test
    void aJobThatWasStoppedIsLeftOutOfTheApplication() throws IOException {
        MigrationFixture migration = xxl(row(1, "CRON", "0 0 2 * * ?", "a", "SERIAL_EXECUTION", "")
                        .replaceFirst("1$", "0"))
                .with(MigrationOptions.DEFAULT.withPlacement(SettingsPlacement.ANNOTATIONS));

        assertThat(migration.yaml()).contains("enabled: false");
        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .doesNotContain("enabled");
    }

    @Test
    void aLineWithAnotherNumberOfValuesIsNamed() throws IOException {
        MigrationFixture migration = xxl("1\t2");

        assertThatThrownBy(migration::convert)
                .hasMessageContainingAll("xxl_job_info.tsv, line 2", "expected 18 values", "there are 2");
    }

    @Test
    void settingsThatAnAnnotationCannotHoldStayInTheFile() throws IOException {
        MigrationFixture migration = xxl(row(2, "FIX_RATE", "90", "sync", "SERIAL_EXECUTION", ""))
                .with(MigrationOptions.DEFAULT.withPlacement(SettingsPlacement.ANNOTATIONS));

        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains("name = \"sync\"", "every = \"90s\"", "timeout = \"30s\"")
                .doesNotContain("retry");
        assertThat(migration.yaml()).contains("max-attempts: 3");
    }

    @Test
    void aTimeOfQuartzIsAnInstant() throws IOException {
        MigrationFixture migration = quartz(trigger(
                "cron", "<cron-expression>0 0 9 * * ?</cron-expression><end-time>2027-12-01T09:00:00.0Z</end-time>"));

        assertThat(migration.yaml()).contains("end-at: '" + Instant.parse("2027-12-01T09:00:00Z") + "'");
    }
}
