package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.migration.source.UnreadableSourceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Malformed input is refused with the place and what was expected. */
class UnreadableSourcesTest {
    @TempDir
    private Path folder;

    private void assertRefused(String file, String text, String... message) throws IOException {
        var migration = new MigrationFixture(folder).source(file, text);

        assertThatThrownBy(migration::convert)
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageStartingWith(folder.resolve(file).toString())
                .hasMessageContainingAll(message);
    }

    @Test
    void brokenXml() throws IOException {
        assertRefused("a.xml", "<beans>\n  <job>\n</beans>", ", line 3: expected well-formed XML, but: ");
    }

    @Test
    void xmlWithADoctype() throws IOException {
        assertRefused("a.xml", "<!DOCTYPE beans SYSTEM \"http://localhost:1/x.dtd\">\n<beans/>", "expected no DOCTYPE");
    }

    @Test
    void anEntityIsNotResolved() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "hidden");
        String xml = "<!DOCTYPE b [<!ENTITY s SYSTEM \"%s\">]>\n<beans>&s;</beans>";

        assertRefused("a.xml", xml.formatted(secret.toUri()), "expected no DOCTYPE");
    }

    @Test
    void aJobWithoutAnId() throws IOException {
        assertRefused(
                "a.xml",
                "<beans xmlns:job=\"http://www.dangdang.com/schema/ddframe/job\">\n\n<job:simple cron=\"x\"/></beans>",
                ", line 3: expected a job with an id, but <simple> has none");
    }

    @Test
    void aFlagThatIsNone() throws IOException {
        assertRefused(
                "application.yml",
                "elasticjob:\n  jobs:\n    x:\n      failover: perhaps\n",
                ", line 4: expected true or false for \"failover\", but was \"perhaps\"");
    }

    @Test
    void aNumberThatIsNone() throws IOException {
        assertRefused(
                "application.properties",
                "# one\nelasticjob.jobs.x.shardingTotalCount=three\n",
                ", line 2: expected a whole number for \"shardingTotalCount\", but was \"three\"");
    }

    @Test
    void brokenYaml() throws IOException {
        assertRefused("a.yml", "elasticjob:\n  jobs: [\n", ", line 3: expected YAML, but ");
    }

    @Test
    void brokenProperties() throws IOException {
        assertRefused("a.properties", "a=\\u00zz\n", "expected properties, but: Malformed \\uxxxx encoding");
    }

    @Test
    void brokenJson() throws IOException {
        assertRefused("a.json", "{\"jobName\":\"x\",\n\"cron\" 3}", ", line 2: expected the JSON of a config node");
    }

    @Test
    void jsonWithoutAName() throws IOException {
        assertRefused("a.json", "{\"cron\":\"0 0 1 * * ?\"}", "expected a job, but \"jobName\" is missing");
    }

    @Test
    void aliasesThatExplode() throws IOException {
        StringBuilder bomb = new StringBuilder("elasticjob:\n  a0: &a0 [x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("  a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }

        assertRefused("a.yml", bomb.toString(), "expected at most 100000 entries");
    }

    @Test
    void anAliasThatContainsItself() throws IOException {
        assertRefused("a.yml", "elasticjob: &a\n  jobs: *a\n", "no alias that contains itself");
    }

    @Test
    void aFileOfAnotherKind() throws IOException {
        assertRefused("notes.txt", "a: b", "expected Spring XML, Spring Boot properties");
    }

    @Test
    void bytesThatAreNoText() throws IOException {
        Path file = Files.write(folder.resolve("a.yml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThatThrownBy(() -> new Migration(MigrationOptions.DEFAULT).convert(List.of(file)))
                .hasMessageContaining("expected UTF-8");
    }

    @Test
    void aFileThatIsNotThere() {
        Path file = folder.resolve("none.xml");

        assertThatThrownBy(() -> new Migration(MigrationOptions.DEFAULT).convert(List.of(file)))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContaining(file + ": expected a file, but there is none");
    }

    @Test
    void anAddressThatIsNone() {
        assertThatThrownBy(() ->
                        new Migration(MigrationOptions.DEFAULT).convertTree("host:port:x", "shop", Optional.empty()))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContaining("expected host:port");
    }
}
