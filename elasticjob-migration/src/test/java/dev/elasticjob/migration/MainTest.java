package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private String source;
    private String output;

    @BeforeEach
    void writeSource() throws IOException {
        source = Files.writeString(
                        folder.resolve("application.properties"),
                        "elasticjob.jobs.x.elasticJobClass=a.X\nelasticjob.jobs.x.cron=0 0 1 * * ?\n")
                .toString();
        output = folder.resolve("produced").toString();
    }

    @Test
    void aDryRunPrintsEverythingAndWritesNothing() throws IOException {
        assertThat(run(source)).isZero();

        assertThat(out())
                .contains(
                        "===== application.yml =====",
                        "elasticjob:",
                        "===== annotations.txt =====",
                        "@ElasticJob(name = \"x\")",
                        "===== report.txt =====",
                        "Nothing was written. To write these files, add --output FOLDER");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(Path.of(source));
        }
    }

    @Test
    void withAFolderTheFilesAreWritten() {
        assertThat(run(source, "--output", output)).isZero();

        assertThat(Path.of(output))
                .isDirectoryContaining("glob:**/application.yml")
                .isDirectoryContaining("glob:**/annotations.txt")
                .isDirectoryContaining("glob:**/report.txt");
        assertThat(out()).contains("Written: " + Path.of(output, "application.yml"), "Jobs converted: 1.");
    }

    @Test
    void filesThatExistAreOnlyOverwrittenByForce() throws IOException {
        Path mine = Path.of(output, "report.txt");
        Files.createDirectories(mine.getParent());
        Files.writeString(mine, "mine, and longer than what is written there: " + "x".repeat(10_000));

        assertThat(run(source, "--output", output)).isEqualTo(2);
        assertThat(errors()).startsWith("\"" + mine + "\" exists, so nothing was written.");
        assertThat(mine.getParent()).isDirectoryNotContaining("glob:**/application.yml");

        assertThat(run(source, "--output", output, "--force")).isZero();
        assertThat(mine)
                .content(StandardCharsets.UTF_8)
                .startsWith("Jobs converted: 1.")
                .doesNotContain("xxx");
    }

    @Test
    void aJobThatIsLeftOutShowsInTheExitCode() throws IOException {
        Files.writeString(Path.of(source), "elasticjob.jobs.x.elasticJobClass=a.X\nelasticjob.jobs.x.cron=never\n");

        assertThat(run(source)).isEqualTo(1);
    }

    @Test
    void anUnreadableSourceIsAnErrorWithItsPlace() {
        assertThat(run("nowhere.xml")).isEqualTo(2);

        assertThat(errors()).startsWith("nowhere.xml: expected a file, but there is none");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--unknown",
                "--output",
                "--zookeeper a:1",
                "--namespace a",
                "a.xml --zookeeper a:1 --namespace b",
                "a.xml --dry-run --output b"
            })
    void wrongArgumentsSayWhatWasExpected(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(2);

        assertThat(errors()).startsWith("Expected ").endsWith(". See --help" + System.lineSeparator());
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(run("--help")).isZero();

        assertThat(out())
                .contains("--zookeeper", "--namespace", "--digest", "--dry-run", "--output", "--force")
                .contains("--annotations", "--target-namespace", "--registry");
    }

    private int run(String... arguments) {
        return new Main(new PrintStream(out, true), new PrintStream(errors, true))
                .run(List.of(arguments), Optional.empty());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }
}
