package dev.elasticjob.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The main program of every contender: it does what it reads, line by line, and says what came of it. It ends with its
 * input.
 *
 * <p>Said are {@code READY} when it is prepared, {@code STARTED millis} after {@code start}, {@code FIRED job scheduledAt
 * firstMillis lastMillis} for each firing, {@code REQUESTED} after {@code request}, and {@code STATS threads heapBytes
 * cpuMillis allocatedBytes} after {@code stats}.
 */
public final class WorkloadProcess {
    private static final String MARK = "* ";

    private WorkloadProcess() {}

    /** Returns never: what fails ends the process. */
    public static void run(Contender contender, String... arguments) {
        try {
            obey(contender, arguments);
            Runtime.getRuntime().halt(0);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void obey(Contender contender, String... arguments) throws IOException {
        WorkloadSettings settings = WorkloadSettings.of(arguments);
        FiringLog log = FiringLog.start(settings);
        contender.prepare(settings, log);
        say("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (line) {
                case "start" -> start(contender);
                case "request" -> {
                    log.request();
                    contender.request();
                    say("REQUESTED");
                }
                case "stats" -> stats();
                default ->
                    throw new IllegalArgumentException("\"%s\" is neither start nor request nor stats".formatted(line));
            }
        }
    }

    private static void start(Contender contender) {
        long begin = System.nanoTime();
        contender.start();
        say("STARTED", Duration.ofNanos(System.nanoTime() - begin).toMillis());
    }

    private static void stats() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        say(
                "STATS",
                ManagementFactory.getThreadMXBean().getThreadCount(),
                memory.getHeapMemoryUsage().getUsed(),
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis(),
                allocatedBytes());
    }

    /** By the threads that live; those of all contenders live as long as their process. */
    private static long allocatedBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** One line, whole, whoever speaks beside. */
    @SuppressWarnings("SystemOut")
    static void say(Object... words) {
        String line = MARK + Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" "));
        System.out.println(line);
    }
}
