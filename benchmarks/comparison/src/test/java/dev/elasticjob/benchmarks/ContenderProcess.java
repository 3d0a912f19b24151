package dev.elasticjob.benchmarks;

import dev.elasticjob.benchmarks.Firings.Firing;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.testing.Heard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A contender in a JVM of its own: told what to do by lines, and heard by lines. For one thread. */
final class ContenderProcess implements AutoCloseable {
    /** What it says begins so; the rest is its log. */
    private static final String MARK = "* ";

    /** ElasticJob needs minutes to start 500 jobs, while those that have started fire each second. */
    private static final int PATIENCE_SECONDS = 600;

    private final Process process;
    private final PrintWriter input;
    private final Heard<List<String>> said = new Heard<>();
    private final Firings firings = new Firings();
    private final Consumer<List<String>> listener;

    /** What a JVM says of itself. */
    record Stats(int threads, double heapMegabytes, double cpuSeconds, long allocatedBytes) {}

    private ContenderProcess(Process process, Consumer<List<String>> listener) {
        this.process = process;
        this.listener = listener;
        this.input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::listen, "contender");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it, and waits until it is prepared. */
    static ContenderProcess start(Side side, WorkloadSettings settings, String... options) {
        return start(side, settings, line -> {}, options);
    }

    /** @param listener hears what it says, word by word */
    static ContenderProcess start(
            Side side, WorkloadSettings settings, Consumer<List<String>> listener, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", side.classPath(), side.program()));
        command.addAll(settings.arguments());
        try {
            Path log = Files.createDirectories(Path.of("target", "processes"))
                    .resolve(side.name().toLowerCase(Locale.ROOT) + "-" + System.nanoTime() + ".log");
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            ContenderProcess contender = new ContenderProcess(process, listener);
            contender.await("READY", 1);
            return contender;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(MARK)) {
                    List<String> words = List.of(line.substring(MARK.length()).split(" "));
                    listener.accept(words);
                    if (words.get(0).equals("FIRED")) {
                        firings.add(new Firing(
                                Instant.parse(words.get(2)),
                                Double.parseDouble(words.get(3)),
                                Double.parseDouble(words.get(4))));
                    } else {
                        said.add(words);
                    }
                }
            }
        } catch (IOException e) {
            // It has ended.
        }
        said.end();
    }

    /** How long it took, in milliseconds. */
    long start() {
        ask("start");
        return startedMillis();
    }

    void ask(String line) {
        input.println(line);
    }

    long startedMillis() {
        return Long.parseLong(await("STARTED", 1).get(0).get(1));
    }

    Stats stats() {
        int before = all("STATS").size();
        ask("stats");
        List<String> last = await("STATS", before + 1).get(before);
        return new Stats(
                Integer.parseInt(last.get(1)),
                Long.parseLong(last.get(2)) / 1024.0 / 1024.0,
                Long.parseLong(last.get(3)) / 1000.0,
                Long.parseLong(last.get(4)));
    }

    /** What it has used since it was started, as the system says; unlike {@link #stats}, this costs it nothing. */
    double cpuSeconds() {
        return process.toHandle()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }

    /** The firings it has told of. */
    Firings firings() {
        return firings;
    }

    /** Waits for so many firings since the start. */
    List<Firing> firings(int count) {
        return firings.await(count);
    }

    private List<List<String>> await(String word, int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                said.await(
                        count + " × " + word,
                        all -> all.stream()
                                        .filter(line -> line.get(0).equals(word))
                                        .count()
                                >= count);
                return all(word);
            } catch (AssertionError e) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw e;
                }
            }
        }
    }

    private List<List<String>> all(String word) {
        return said.all().stream().filter(line -> line.get(0).equals(word)).toList();
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }
}
