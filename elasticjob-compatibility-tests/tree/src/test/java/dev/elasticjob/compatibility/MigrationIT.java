package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.migration.Migration;
import dev.elasticjob.migration.MigrationOptions;
import dev.elasticjob.migration.MigrationResult;
import dev.elasticjob.migration.MigrationResult.ProducedFile;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The converter reads the trees that 2.1.5 and 3.0.4 really leave, while they run. */
@Tag("proof")
class MigrationIT {
    private static final String NAMESPACE = "shop";

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());

    @Test
    void aLiveTreeOf2IsConverted() {
        instance(
                        "operator",
                        "dev.elasticjob.compatibility.operator.Instance",
                        List.of(server.connectString(), NAMESPACE))
                .await("ran\t0");

        MigrationResult result = converted();

        assertThat(text(result, "application.yml"))
                .contains("  jobs:\n    orders:\n      cron: '* * * * * ?'\n      sharding-total-count: 2\n");
        assertThat(text(result, "annotations.txt"))
                .contains("// dev.elasticjob.compatibility.operator.Noting\n@ElasticJob(name = \"orders\")\n");
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void aLiveTreeOf3IsConverted() {
        instance(
                        "three",
                        "dev.elasticjob.compatibility.three.Instance",
                        List.of(server.connectString(), NAMESPACE, "false"))
                .await("ran\t0");

        MigrationResult result = converted();

        assertThat(text(result, "application.yml"))
                .contains("  jobs:\n    orders:\n      cron: '* * * * * ?'\n      sharding-total-count: 2\n");
        assertThat(text(result, "annotations.txt"))
                .contains("// dev.elasticjob.compatibility.three.Noting\n@ElasticJob(name = \"orders\")\n");
        assertThat(result.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.reason()).startsWith("the nodes of ElasticJob 3.x can't be"));
    }

    private ForeignProcess instance(String module, String main, List<String> arguments) {
        return opened.add(new ForeignProcess(
                Path.of(System.getProperty(module + ".target")), module + ".class-path", main, arguments));
    }

    private MigrationResult converted() {
        return new Migration(MigrationOptions.DEFAULT).convertTree(server.connectString(), NAMESPACE, Optional.empty());
    }

    private static String text(MigrationResult result, String file) {
        return result.files().stream()
                .filter(each -> each.name().equals(file))
                .map(ProducedFile::text)
                .findFirst()
                .orElseThrow();
    }
}
