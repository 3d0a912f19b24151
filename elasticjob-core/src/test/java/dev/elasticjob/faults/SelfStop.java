package dev.elasticjob.faults;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A process that stops itself once, at the step that it was last asked for: a line of its input such as {@code KILLED OPEN}.
 * It ends with the JVM that started it. Safe for use by any thread.
 */
final class SelfStop {
    private String armed = "";

    /** How a process stops itself. */
    enum Fault {
        KILLED("-KILL"),
        PAUSED("-STOP");

        private final String signal;

        Fault(String signal) {
            this.signal = signal;
        }
    }

    static Registry connect(String connectString) {
        return CuratorRegistry.connect(
                RegistrySettings.of(connectString, Workload.NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
    }

    /** Each line says at what to stop, and how. Returns never. */
    void doAsAsked() throws IOException {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                arm(line);
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    synchronized void arm(String line) {
        armed = line;
    }

    /** @param tell called before the process stops, if it was asked to stop here */
    void at(Fault fault, String step, Runnable tell) {
        if (!isArmed(fault + " " + step)) {
            return;
        }
        tell.run();
        try {
            // The shell's own kill: not every machine has the program. The signal reaches one thread first, which stops
            // the others: so the shell ends only when the process stands still, or this thread might run on.
            long pid = ProcessHandle.current().pid();
            String kill =
                    "kill %1$s %2$d; while [ -r /proc/%2$d/status ] && ! grep -q '^State:.[TZX]' /proc/%2$d/status; do :; done"
                            .formatted(fault.signal, pid);
            new ProcessBuilder("sh", "-c", kill).start().waitFor(60, TimeUnit.SECONDS);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("kill was expected to run", e);
        }
    }

    private synchronized boolean isArmed(String line) {
        boolean stops = armed.equals(line);
        armed = stops ? "" : armed;
        return stops;
    }
}
