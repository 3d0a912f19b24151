package dev.elasticjob.samples.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The time of the tests begins on Sunday, 1 February 2026, two weeks before the Chinese New Year. */
@ElasticJobTest(startTime = "2026-02-01T00:00:00Z")
@ExtendWith(OutputCaptureExtension.class)
class AccountingTest {
    private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");

    @Test
    void aMonthOfWorkdaysWithANewYear(Jobs jobs, CapturedOutput output) {
        jobs.advance(Duration.ofDays(28));

        assertThat(days(output, "closeDay at "))
                .containsExactly(
                        "2026-02-02",
                        "2026-02-03",
                        "2026-02-04",
                        "2026-02-05",
                        "2026-02-06",
                        "2026-02-09",
                        "2026-02-10",
                        "2026-02-11",
                        "2026-02-12",
                        "2026-02-13",
                        "2026-02-14",
                        "2026-02-24",
                        "2026-02-25",
                        "2026-02-26",
                        "2026-02-27",
                        "2026-02-28");
        assertThat(days(output, "paySalaries in asia at ")).containsExactly("2026-02-24");
        assertThat(days(output, "archive at ")).hasSize(28).doesNotHaveDuplicates();
    }

    private static List<String> days(CapturedOutput output, String what) {
        return output.getOut()
                .lines()
                .filter(line -> line.startsWith(what))
                .map(line -> LocalDate.ofInstant(Instant.parse(line.substring(what.length())), ZONE)
                        .toString())
                .toList();
    }
}
