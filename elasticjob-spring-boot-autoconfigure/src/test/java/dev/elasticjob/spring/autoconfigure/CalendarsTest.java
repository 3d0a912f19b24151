package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Calendars of an application, and jobs that name them. */
@ExtendWith(OutputCaptureExtension.class)
class CalendarsTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(JobBeanCollectorTest.Collecting.class);

    @Test
    void aJobHasTheEntriesOfTheCalendarThatItNames() {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues(
                        "elasticjob.calendars.cn-workdays=SAT,SUN,2026-10-01/2026-10-07,+2026-10-10",
                        "elasticjob.calendars.[工作日][0]=SUN",
                        "elasticjob.calendars.[工作日][1]=12-25")
                .run(context -> {
                    assertThat(job(context, "byProperty").calendar())
                            .isEqualTo("cn-workdays: SAT,SUN,2026-10-01/2026-10-07,+2026-10-10");
                    assertThat(job(context, "byChineseName").calendar()).isEqualTo("工作日: SUN,12-25");
                    assertThat(job(context, "byBean").calendar()).isEqualTo("holidays: 01-01");
                    assertThat(job(context, "byEntries").calendar()).isEqualTo("SAT, SUN");
                    assertThat(job(context, "byEntries").schedule().text())
                            .isEqualTo("0 0 9 * * ? except SAT,SUN moving");
                });
    }

    @Test
    void aPropertyReplacesTheCalendarOrTakesItAway() {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues(
                        "elasticjob.calendars.cn-workdays=SAT",
                        "elasticjob.calendars.[工作日]=SUN",
                        "elasticjob.jobs.byProperty.calendar=holidays",
                        "elasticjob.jobs.byBean.calendar=",
                        "elasticjob.jobs.byChineseName.cron=")
                .run(context -> {
                    assertThat(job(context, "byProperty").calendar()).isEqualTo("holidays: 01-01");
                    assertThat(job(context, "byBean").calendar()).isEmpty();
                    assertThat(job(context, "byChineseName").calendar()).isEmpty();
                });
    }

    @Test
    void allThatIsWrongWithCalendarsIsReportedAtOnce() {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues(
                        "elasticjob.calendars.cn-workday=SAT,SUNNY,2026-02-30",
                        "elasticjob.calendars.holidays=12-25",
                        "elasticjob.calendars.[a,b]=12-25")
                .run(context -> assertThat(report(context))
                        .contains(
                                "The property \"elasticjob.calendars.cn-workday\" is no calendar: \"SUNNY\" can't be read;"
                                        + " \"2026-02-30\" can't be read; expected SAT, 12-25",
                                "The calendar \"holidays\" is a bean, and also the property \"elasticjob.calendars.holidays\".",
                                "The property \"elasticjob.calendars[a,b]\" can't be a calendar: expected a name of a calendar"
                                        + " without commas and colons",
                                "Job \"byProperty\": calendar is \"cn-workdays\": there is no such calendar; expected one of"
                                        + " holidays, or entries such as SAT,SUN,12-25. Define the calendar as the property"
                                        + " \"elasticjob.calendars.cn-workdays\"",
                                "Job \"byChineseName\": calendar is \"工作日\": there is no such calendar"));
    }

    @Test
    void aCalendarThatCannotBeReadIsToldOnce() {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues("elasticjob.calendars.cn-workdays=SAT,SUNNY", "elasticjob.calendars.[工作日]=SUN")
                .run(context -> assertThat(report(context))
                        .contains("The property \"elasticjob.calendars.cn-workdays\" is no calendar: \"SUNNY\"")
                        .doesNotContain("Job \"byProperty\""));
    }

    @Test
    void aSimilarNameIsSuggested() {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues("elasticjob.calendars.cn-workday=SAT", "elasticjob.calendars.[工作日]=SUN")
                .run(
                        context -> assertThat(report(context))
                                .contains(
                                        "calendar is \"cn-workdays\": there is no such calendar (did you mean \"cn-workday\"?)"));
    }

    @Test
    void aCalendarThatEndsSoonIsNamedAtTheStart(CapturedOutput output) {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues(
                        "elasticjob.calendars.cn-workdays=SAT,2020-10-01/2020-10-07",
                        "elasticjob.calendars.[工作日]=SAT,12-25",
                        "elasticjob.calendars.unused=2020-10-01")
                .run(context -> assertThat(output)
                        .containsPattern(
                                "WARN.*The calendar \"cn-workdays\" has no entries for days after 2020-10-07\\. .*: \"byProperty\"\\.")
                        .doesNotContain("The calendar \"工作日\"", "The calendar \"unused\""));
    }

    @Test
    void aCalendarEndsSoonIfItsLastDayIsLessThanTwoMonthsAway() {
        List<JobDefinition> jobs = List.of(JobDefinition.builder("reports")
                .cron("0 0 9 * * ?")
                .calendar("holidays: 2026-10-07")
                .build());

        assertThat(calendars("2026-08-08", "2026-10-07").ending(jobs)).isEmpty();
        assertThat(calendars("2026-08-09", "2026-10-07").ending(jobs)).hasSize(1);
    }

    @Test
    void aScheduleThatIsOverIsNamedAtTheStart(CapturedOutput output) {
        runner.withBean(Shop.class)
                .withUserConfiguration(Holidays.class)
                .withPropertyValues(
                        "elasticjob.calendars.cn-workdays=SAT",
                        "elasticjob.calendars.[工作日]=SUN",
                        "elasticjob.jobs.byProperty.cron=0 0 9 * * ? 2020",
                        "elasticjob.jobs.byBean.calendar=",
                        "elasticjob.jobs.byBean.cron=",
                        "elasticjob.jobs.byBean.fixed-delay=30s")
                .run(context -> assertThat(output)
                        .containsPattern("WARN.*Job \"byProperty\": .*0 0 9 \\* \\* \\? 2020.* has no firing after now")
                        .doesNotContain("Job \"byBean\": \"fixedDelay"));
    }

    private static Calendars calendars(String today, String... entries) {
        return new Calendars(Map.of(), Map.of("holidays", List.of(entries)), LocalDate.parse(today));
    }

    // ------------------------------------------------------------------ files

    @TempDir
    Path directory;

    private String file(String... lines) throws IOException {
        Path file = directory.resolve("holidays.ics");
        List<String> all = new ArrayList<>(List.of("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//shop//days//EN"));
        all.addAll(List.of(lines));
        all.add("END:VCALENDAR");
        Files.writeString(file, String.join("\r\n", all) + "\r\n");
        return file.toUri().toString();
    }

    private static String[] event(String... lines) {
        return Stream.of(Stream.of("BEGIN:VEVENT"), Stream.of(lines), Stream.of("SUMMARY:Day off", "END:VEVENT"))
                .flatMap(line -> line)
                .toArray(String[]::new);
    }

    @Test
    void theEventsOfAFileAreLeftOut() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of(event("DTSTART;VALUE=DATE:20261001", "DTEND;VALUE=DATE:20261008")));
        lines.addAll(List.of(event("DTSTART;VALUE=DATE:20261225")));
        lines.addAll(List.of(event("DTSTART;VALUE=DATE:20200506", "RRULE:FREQ=YEARLY")));
        lines.addAll(List.of(
                event("DTSTART;VALUE=DATE:20251103", "RRULE:FREQ=MONTHLY;COUNT=3", "EXDATE;VALUE=DATE:20251203")));
        lines.addAll(List.of(
                event("DTSTART;TZID=Europe/Berlin:20261231T180000", "DTEND;TZID=Europe/Berlin:20270101T060000")));
        lines.addAll(List.of(event("DTSTART:20261130T120000", "DURATION:PT90M")));

        assertThat(calendars("2026-08-08", "SAT", file(lines.toArray(String[]::new)), "+2026-10-03")
                        .problems())
                .isEmpty();
        assertThat(calendars("2026-08-08", "SAT", file(lines.toArray(String[]::new)), "+2026-10-03")
                        .resolved("holidays"))
                .isEqualTo(
                        "holidays: SAT,2026-10-01/2026-10-07,2026-12-25,2025-05-06,2026-05-06,2027-05-06,2028-05-06,"
                                + "2025-11-03,2026-01-03,2026-12-31T18:00/2027-01-01T06:00,2026-11-30T12:00/2026-11-30T13:30,+2026-10-03");
    }

    @Test
    void whatCannotBeReadOfAFileIsSaidWithItsLines() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of(event("DTSTART;VALUE=DATE:20261301")));
        lines.addAll(List.of(event("DTSTART;VALUE=DATE:tomorrow")));
        lines.addAll(List.of(event("DTSTART:20261130T120000Z", "DURATION:PT90M")));
        lines.addAll(List.of(event("DTSTART:20261130T120000", "RRULE:FREQ=DAILY")));

        assertThat(calendars("2026-08-08", file(lines.toArray(String[]::new))).problems())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(
                        "holidays.ics\": line 9: ",
                        "the event \"Day off\" has a time that isn't one",
                        "the event \"Day off\" has times, and they are in UTC",
                        "has times, and returns");
        assertThat(calendars("2026-08-08", "classpath:nowhere.ics").problems())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("\"elasticjob.calendars.holidays\"", "\"classpath:nowhere.ics\": it can't be read");
        assertThat(calendars("2026-08-08", file()).problems())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("it has no event");
    }

    private static JobDefinition job(AssertableApplicationContext context, String name) {
        assertThat(context).hasNotFailed();
        return context.getBean(JobBeanCollector.class).jobs().stream()
                .map(JobBean::definition)
                .filter(job -> job.jobName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String report(AssertableApplicationContext context) {
        assertThat(context.getStartupFailure()).isInstanceOf(FailureAnalyzedException.class);
        return ((FailureAnalyzedException) context.getStartupFailure())
                .analysis()
                .getDescription();
    }

    static class Shop {
        @ElasticJob(cron = "0 0 9 * * ?", calendar = "cn-workdays")
        void byProperty() {}

        @ElasticJob(cron = "0 0 9 * * ?", calendar = "工作日")
        void byChineseName() {}

        @ElasticJob(every = "30s", calendar = "holidays")
        void byBean() {}

        @ElasticJob(cron = "0 0 9 * * ?", calendar = "SAT, SUN", moveToNextDay = true)
        void byEntries() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Holidays {
        @Bean
        JobCalendar holidays() {
            return JobCalendar.of(List.of("01-01"));
        }
    }
}
