package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users run. */
class RunnableJarIT {
    @TempDir
    private Path folder;

    @Test
    void convertsAFile() throws Exception {
        Path source = Files.writeString(folder.resolve("jobs.xml"), """
                <beans xmlns="http://www.springframework.org/schema/beans"
                       xmlns:job="http://www.dangdang.com/schema/ddframe/job">
                    <job:simple id="orders" class="shop.Orders" cron="0 0 1 ? * 2" sharding-total-count="2" description="Köln"/>
                </beans>
                """);

        assertThat(run(source.toString(), "--output", folder.resolve("out").toString()))
                .isZero();
        assertThat(folder.resolve("out/application.yml"))
                .content(StandardCharsets.UTF_8)
                .contains("cron: 0 0 1 ? * MON", "description: Köln");
        assertThat(folder.resolve("out/annotations.txt"))
                .content(StandardCharsets.UTF_8)
                .contains("@ElasticJob(name = \"orders\")");
    }

    @Test
    void anAddressThatDoesNotExistIsOneLineWithoutStackTraceOrLog() throws Exception {
        assertThat(run("--zookeeper", "a:b:c", "--namespace", "shop")).isEqualTo(2);

        assertThat(Files.readAllLines(folder.resolve("output")))
                .singleElement()
                .asString()
                .startsWith("ZooKeeper a:b:c: expected host:port");
    }

    private int run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-jar",
                System.getProperty("migration.jar")));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        System.out.print(Files.readString(output, StandardCharsets.UTF_8));
        return process.exitValue();
    }
}
