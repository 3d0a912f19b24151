package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Items on virtual threads, on a JDK 21 or later: the one that runs the test, or another one beside it. The test is
 * skipped where there is none; {@code target/virtual-threads.txt} says on which it ran, and CI fails if it did not.
 */
@Tag("proof")
class VirtualThreadsIT {
    private static final Path RESULT = Path.of("target", "virtual-threads.txt");
    private static final int FIRST_VERSION = 21;

    /** So many items per second would need a pool of 160 threads. Two cores with a load of 25 reach 29 times. */
    private static final double AT_LEAST_TIMES = 10;

    @Test
    void tenThousandBlockingItemsRunAtTheSameTime() throws IOException {
        Optional<Path> jdk = jdk();
        Files.writeString(RESULT, "skipped: there is no JDK 21 or later beside " + System.getProperty("java.home"));
        assumeTrue(jdk.isPresent(), "there is no JDK 21 or later beside " + System.getProperty("java.home"));

        String output = output(jdk.get());

        double pooled = milliseconds(output, "pooled") / ManyItemsApplication.POOLED_ITEMS;
        double times = pooled / (milliseconds(output, "calls") / ManyItemsApplication.ITEMS);
        assertThat(output)
                .as("the thread of an item, built as the application wants its executors")
                .contains("customized the executor of elasticjob-item-")
                .containsPattern("(?m)^calls ran on VirtualThread\\[#\\d+,elasticjob-item-");
        assertThat(times)
                .as("items per second on virtual threads, as a multiple of those on a pool: %s", output)
                .isGreaterThan(AT_LEAST_TIMES);
        Files.writeString(
                RESULT,
                "ran on %s: %,d blocking items of a second in %,.0f ms; %.0f times as many per second as on a pool of 16"
                        .formatted(jdk.get(), ManyItemsApplication.ITEMS, milliseconds(output, "calls"), times));
    }

    @Test
    void maxThreadsBoundsVirtualThreadsToo() throws IOException {
        Optional<Path> jdk = jdk();
        assumeTrue(jdk.isPresent(), "there is no JDK 21 or later beside " + System.getProperty("java.home"));

        String output = output(
                jdk.get(), "--many.jobs=bounded", "--elasticjob.executor.max-threads=" + ManyItemsApplication.BOUND);

        assertThat(output)
                .containsPattern("(?m)^bounded ran on VirtualThread")
                .containsPattern("(?m)^bounded at once %d$".formatted(ManyItemsApplication.BOUND));
    }

    private static double milliseconds(String output, String job) {
        Matcher line = Pattern.compile("(?m)^%s took (\\d+)$".formatted(job)).matcher(output);
        assertThat(line.find())
                .as("the end of the items of \"%s\": %s", job, output)
                .isTrue();
        return Double.parseDouble(line.group(1));
    }

    private static String output(Path jdk, String... arguments) throws IOException {
        Path file = Files.createTempFile("many-items", ".txt");
        List<String> command = new ArrayList<>(List.of(
                jdk.resolve(Path.of("bin", "java")).toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                ManyItemsApplication.class.getName(),
                "--spring.threads.virtual.enabled=true"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        try {
            process.onExit().orTimeout(180, TimeUnit.SECONDS).join();
            return Files.readString(file, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(file);
        }
    }

    private static Optional<Path> jdk() throws IOException {
        Path own = Path.of(System.getProperty("java.home"));
        try (Stream<Path> beside = Files.list(own.toRealPath().getParent())) {
            return Stream.concat(Stream.of(own), beside.sorted())
                    .filter(jdk -> version(jdk) >= FIRST_VERSION)
                    .findFirst();
        }
    }

    /** Of a directory that is no JDK, 0. */
    private static int version(Path jdk) {
        Path release = jdk.resolve("release");
        if (!Files.isRegularFile(release) || !Files.exists(jdk.resolve(Path.of("bin", "java")))) {
            return 0;
        }
        try {
            return Files.readAllLines(release).stream()
                    .filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("\\D*(\\d+).*", "$1"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
