package dev.elasticjob.benchmarks.workload;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a process of a workload runs, handed over as arguments of the form {@code name=value}.
 *
 * @param registry the server, as {@code host:port}, or as a JDBC URL where it is a database
 * @param instance a number that tells the processes of a cluster apart
 * @param jobs how many jobs there are, all alike
 * @param items of each job
 * @param cron of each job, in Quartz's dialect with six fields
 * @param itemsHere after how many executions of a firing the process tells of it
 * @param bodyMillis how long each execution lasts
 * @param monitored whether the executions of the jobs are watched, and failed over
 */
public record WorkloadSettings(
        String registry,
        int instance,
        int jobs,
        int items,
        String cron,
        int itemsHere,
        long bodyMillis,
        boolean monitored) {
    /** Fires when nobody looks. */
    public static final String NEVER = "0 0 0 1 1 ?";

    /** With executions that are watched. */
    public WorkloadSettings(
            String registry, int instance, int jobs, int items, String cron, int itemsHere, long bodyMillis) {
        this(registry, instance, jobs, items, cron, itemsHere, bodyMillis, true);
    }

    public static WorkloadSettings of(String... arguments) {
        Map<String, String> values = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(argument -> argument[0], argument -> argument[1]));
        return new WorkloadSettings(
                value(values, "registry"),
                Integer.parseInt(value(values, "instance")),
                Integer.parseInt(value(values, "jobs")),
                Integer.parseInt(value(values, "items")),
                value(values, "cron"),
                Integer.parseInt(value(values, "itemsHere")),
                Long.parseLong(value(values, "bodyMillis")),
                Boolean.parseBoolean(value(values, "monitored")));
    }

    public List<String> arguments() {
        return List.of(
                "registry=" + registry,
                "instance=" + instance,
                "jobs=" + jobs,
                "items=" + items,
                "cron=" + cron,
                "itemsHere=" + itemsHere,
                "bodyMillis=" + bodyMillis,
                "monitored=" + monitored);
    }

    /** The name of a job, by its number. */
    public String job(int number) {
        return "job-" + number;
    }

    /** An address of its own for each instance: on one machine they would all have the same. */
    public String ip() {
        return "10.0." + instance / 250 + "." + (instance % 250 + 1);
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "The argument \"%s=...\" is missing; there are %s".formatted(name, values.keySet()));
        }
        return value;
    }
}
