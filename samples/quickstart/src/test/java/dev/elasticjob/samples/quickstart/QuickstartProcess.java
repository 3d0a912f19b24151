package dev.elasticjob.samples.quickstart;

import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quickstart in a JVM of its own, and what it has printed. Safe for use by any thread. */
final class QuickstartProcess implements AutoCloseable {
    private static final List<String> SMALL = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");
    private static final Pattern EXECUTION = Pattern.compile(
            "orders item=(\\d+) parameter=\\S+ scheduledAt=(\\S+) instance=(\\S+) attempt=(\\d+) (started|ended)");
    private static final Pattern WEB_PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final ChildJvm process;

    /**
     * One line that an execution printed.
     *
     * @param process which process printed it, by the test's own name
     */
    record Line(String process, int item, Instant scheduledAt, String instance, int attempt, String what) {
        static Optional<Line> of(String process, String printed) {
            Matcher matcher = EXECUTION.matcher(printed);
            return matcher.find()
                    ? Optional.of(new Line(
                            process,
                            Integer.parseInt(matcher.group(1)),
                            Instant.parse(matcher.group(2)),
                            matcher.group(3),
                            Integer.parseInt(matcher.group(4)),
                            matcher.group(5)))
                    : Optional.empty();
        }
    }

    private QuickstartProcess(ChildJvm process) {
        this.process = process;
    }

    /**
     * Starts a process that joins the registry.
     *
     * @param executions gets what its executions print
     */
    static QuickstartProcess join(String name, String connectString, Heard<Line> executions, String... properties) {
        List<String> arguments = new ArrayList<>(
                List.of("--spring.profiles.active=join", "--elasticjob.registry.connect-string=" + connectString));
        arguments.addAll(List.of(properties));
        return new QuickstartProcess(ChildJvm.start(
                name,
                line -> Line.of(name, line).ifPresent(executions::add),
                SMALL,
                QuickstartApplication.class,
                arguments));
    }

    /** Waits for a line of output. */
    void await(String what, Predicate<String> wanted) {
        process.await(what, wanted);
    }

    String name() {
        return process.name();
    }

    /** All that it has printed so far. */
    List<String> printed() {
        return process.printed().all();
    }

    /** Where its web server listens, once it does. */
    int webPort() {
        await("a web server", line -> WEB_PORT.matcher(line).find());
        return printed().stream()
                .map(WEB_PORT::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** SIGTERM: asks it to end, and waits for it. */
    void terminate() {
        process.terminate();
    }

    /** SIGTERM, without waiting. */
    void askToEnd() {
        process.askToEnd();
    }

    /** SIGKILL: no farewell. */
    void kill() {
        process.kill();
    }

    /** @return its exit code */
    int awaitExit() {
        return process.awaitExit();
    }

    @Override
    public void close() {
        process.close();
    }
}
