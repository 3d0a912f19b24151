package dev.elasticjob.samples.oneoff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The command line, with the embedded ZooKeeper server. */
@ExtendWith(OutputCaptureExtension.class)
class ReportRequestIT {
    @ParameterizedTest
    @CsvSource({"2026-10, 0, item 2: COMPLETED", "October, 1, item 2: FAILED"})
    void theOutcomeIsPrintedAndIsTheExitCode(String month, int exitCode, String line, CapturedOutput output) {
        var context = SpringApplication.run(
                OneOffApplication.class, "--month=" + month, "--elasticjob.registry.embedded.port=0");

        assertThat(context.getBean(ReportRequest.class).isDone()).isTrue();
        assertThat(SpringApplication.exit(context)).isEqualTo(exitCode);
        assertThat(output).contains(line);
    }
}
