package dev.elasticjob.faults;

import dev.elasticjob.registry.curator.RegistrySettings;
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
 * @param beside the name of a second job like the first, in the same processes; empty where there is none
 * @param digest for the registry, {@code user:password}; empty for none
 */
record WorkloadSettings(
        String connectString,
        String instance,
        Duration period,
        int items,
        Duration body,
        boolean failover,
        boolean misfire,
        Duration sessionTimeout,
        String beside,
        String digest) {

    /** A job every so often, with failover, misfire and a session of 6 s. */
    static WorkloadSettings every(Duration period, int items, Duration body) {
        return new WorkloadSettings("", "", period, items, body, true, true, Duration.ofSeconds(6), "", "");
    }

    WorkloadSettings on(String registry, String id) {
        return new WorkloadSettings(
                registry, id, period, items, body, failover, misfire, sessionTimeout, beside, digest);
    }

    WorkloadSettings beside(String other) {
        return new WorkloadSettings(
                connectString, instance, period, items, body, failover, misfire, sessionTimeout, other, digest);
    }

    WorkloadSettings withDigest(String other) {
        return new WorkloadSettings(
                connectString, instance, period, items, body, failover, misfire, sessionTimeout, beside, other);
    }

    RegistrySettings registry() {
        RegistrySettings open =
                RegistrySettings.of(connectString, Workload.NAMESPACE).withSessionTimeout(sessionTimeout);
        return digest.isEmpty() ? open : open.withDigest(digest);
    }

    String job() {
        return "work";
    }

    List<String> jobs() {
        return beside.isEmpty() ? List.of(job()) : List.of(job(), beside);
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
                        Map.entry("failover", failover),
                        Map.entry("misfire", misfire),
                        Map.entry("session", sessionTimeout),
                        Map.entry("beside", beside),
                        Map.entry("digest", digest))
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
                Boolean.parseBoolean(values.get("failover")),
                Boolean.parseBoolean(values.get("misfire")),
                Duration.parse(values.get("session")),
                values.get("beside"),
                values.get("digest"));
    }
}
