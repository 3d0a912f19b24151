package dev.elasticjob.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the processes of a workload run, handed over as arguments of the form {@code name=value}.
 *
 * @param period of the firings; a divisor of a minute in whole seconds
 * @param body how long each execution takes
 * @param stubborn whether executions ignore interruption
 */
record WorkloadSettings(
        String connectString,
        String instance,
        Duration period,
        int items,
        Duration body,
        boolean stubborn,
        boolean failover,
        boolean misfire,
        Duration sessionTimeout) {

    /** A job every so often, with failover, misfire and a session of 6 s. */
    static WorkloadSettings every(Duration period, int items, Duration body) {
        return new WorkloadSettings("", "", period, items, body, false, true, true, Duration.ofSeconds(6));
    }

    WorkloadSettings on(String registry, String id) {
        return new WorkloadSettings(registry, id, period, items, body, stubborn, failover, misfire, sessionTimeout);
    }

    WorkloadSettings thatIgnoresInterruption() {
        return new WorkloadSettings(
                connectString, instance, period, items, body, true, failover, misfire, sessionTimeout);
    }

    String job() {
        return "work";
    }

    String cron() {
        return period.equals(Duration.ofMinutes(1)) ? "0 * * * * ?" : "0/" + period.toSeconds() + " * * * * ?";
    }

    Duration shutdownTimeout() {
        return Duration.ofSeconds(25);
    }

    List<String> arguments() {
        return Stream.of(
                        Map.entry("registry", connectString),
                        Map.entry("instance", instance),
                        Map.entry("period", period),
                        Map.entry("items", items),
                        Map.entry("body", body),
                        Map.entry("stubborn", stubborn),
                        Map.entry("failover", failover),
                        Map.entry("misfire", misfire),
                        Map.entry("session", sessionTimeout))
                .map(Object::toString)
                .toList();
    }

    static WorkloadSettings of(String[] arguments) {
        Map<String, String> values = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(argument -> argument[0], argument -> argument[1]));
        return new WorkloadSettings(
                values.get("registry"),
                values.get("instance"),
                Duration.parse(values.get("period")),
                Integer.parseInt(values.get("items")),
                Duration.parse(values.get("body")),
                Boolean.parseBoolean(values.get("stubborn")),
                Boolean.parseBoolean(values.get("failover")),
                Boolean.parseBoolean(values.get("misfire")),
                Duration.parse(values.get("session")));
    }
}
