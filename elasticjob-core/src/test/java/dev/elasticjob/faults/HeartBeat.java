package dev.elasticjob.faults;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Prints a line every second: what lets time pass in the rows of the fault table. */
final class HeartBeat {
    private HeartBeat() {}

    @SuppressWarnings("SystemOut")
    static void begin() {
        ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
        heart.scheduleAtFixedRate(
                () -> System.out.println(Happening.of(Happening.Kind.BEAT).line(Instant.now())),
                0,
                1,
                TimeUnit.SECONDS);
    }

    /** Ends with the JVM that started this one. */
    static void lastUntilTheInputEnds() throws IOException {
        try {
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    /** A process that does nothing else. */
    public static void main(String[] arguments) throws IOException {
        begin();
        lastUntilTheInputEnds();
    }
}
