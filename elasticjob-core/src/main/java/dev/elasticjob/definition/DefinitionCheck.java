package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.definition.text.ScriptCommand;
import dev.elasticjob.time.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Validates the settings of a job, and collects the violations. */
final class DefinitionCheck {
    /** A longer duration is a mistake, and a timer could not count the nanoseconds of 300 years. */
    private static final Duration MAX_DURATION = Duration.ofDays(365);

    /**
     * The limit of all texts together: JSON may turn one byte into six, and the whole definition must fit into a
     * transaction.
     */
    private static final int MAX_BYTES = 128 * 1024;

    /** The owners of all items are stored in one node, and the items' names in one answer. */
    private static final int MAX_ITEMS = 50_000;

    /**
     * What the parameters of a script may add to its last argument. Linux takes 128 KiB for one argument, and the rest of
     * the context needs at most 8 KiB.
     */
    private static final int MAX_ARGUMENT = 120 * 1024;

    /** One transaction reads and checks a node of each. */
    private static final int MAX_PARENTS = 16;

    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, Integer> bytes = new LinkedHashMap<>();

    private final String jobName;

    DefinitionCheck(String jobName) {
        this.jobName = jobName;
        name(jobName);
    }

    /** @throws InvalidJobDefinitionException if there are violations */
    void throwViolations() {
        size();
        if (!violations.isEmpty()) {
            throw new InvalidJobDefinitionException(jobName, violations);
        }
    }

    private void size() {
        int total = bytes.values().stream().mapToInt(Integer::intValue).sum();
        if (total > MAX_BYTES) {
            Map.Entry<String, Integer> largest = Collections.max(bytes.entrySet(), Map.Entry.comparingByValue());
            String expected =
                    "the texts of a definition may have %d bytes of UTF-8 together, but have %d; store long ones"
                            + " elsewhere, and refer to them here";
            add(largest.getKey(), largest.getValue() + " bytes", expected.formatted(MAX_BYTES, total));
        }
    }

    private DefinitionCheck text(String setting, String text) {
        bytes.merge(setting, text.getBytes(StandardCharsets.UTF_8).length, Integer::sum);
        return this;
    }

    private void name(String name) {
        if (name.isEmpty()) {
            add("jobName", name, "give the job a name");
        } else {
            NodeName.problem(name).ifPresent(expected -> add("jobName", name, expected));
        }
    }

    DefinitionCheck cron(String cron, ZoneId timeZone) {
        text("cron", cron);
        Schedule.problem(cron, timeZone).ifPresent(expected -> add("cron", cron, expected));
        return this;
    }

    DefinitionCheck oneOff(boolean oneOff, boolean monitorExecution, boolean runAtStart) {
        if (oneOff && !monitorExecution) {
            String expected = "monitorExecution=false is for scheduled executions, and a job without a cron has none;"
                    + " set monitorExecution to true, or give the job a cron";
            add("monitorExecution", false, expected);
        }
        if (runAtStart && !oneOff) {
            add("runAtStart", true, "only for a job without a cron; remove one of the two settings");
        }
        return this;
    }

    DefinitionCheck after(boolean oneOff, AfterSettings after) {
        List<String> jobs = after.jobs();
        if (!jobs.isEmpty() && !oneOff) {
            add("after", jobs, "only for a job without a cron; remove one of the two settings");
        }
        if (jobs.contains(jobName)) {
            add("after", jobs, "a job can't run after itself; remove its own name");
        }
        if (jobs.size() > MAX_PARENTS) {
            add("after", jobs.size() + " jobs", "a job can run after at most %d others".formatted(MAX_PARENTS));
        }
        if (Set.copyOf(jobs).size() < jobs.size()) {
            add("after", jobs, "expected each job once; remove the repeated names");
        }
        jobs.stream()
                .filter(Predicate.not(DefinitionCheck::isName))
                .forEach(job -> add("after", job, "no job can have this name; expected the name of another job"));
        duration("afterWindow", after.window());
        return this;
    }

    private static boolean isName(String name) {
        return new DefinitionCheck(name).violations.isEmpty();
    }

    DefinitionCheck items(int shardingTotalCount, String shardingItemParameters) {
        if (shardingTotalCount < 1) {
            add("shardingTotalCount", shardingTotalCount, "a job needs at least 1 item");
        }
        if (shardingTotalCount > MAX_ITEMS) {
            add("shardingTotalCount", shardingTotalCount, "a job can have at most %d items".formatted(MAX_ITEMS));
        }
        text("shardingItemParameters", shardingItemParameters);
        ItemParameters parameters = ItemParameters.parse(shardingItemParameters);
        parameters.faults().forEach(fault -> add("shardingItemParameters", shardingItemParameters, fault));
        if (shardingTotalCount > 0) {
            for (int item : parameters.beyond(shardingTotalCount)) {
                String expected = "there is no item %d; with shardingTotalCount %d the items are 0 to %d"
                        .formatted(item, shardingTotalCount, shardingTotalCount - 1);
                add("shardingItemParameters", shardingItemParameters, expected);
            }
        }
        return this;
    }

    DefinitionCheck failover(boolean failover, boolean monitorExecution, int maxFailovers) {
        if (failover && !monitorExecution) {
            String expected = "failover needs the records that monitorExecution writes; set monitorExecution to true,"
                    + " or failover to false";
            add("failover", true, expected);
        }
        if (maxFailovers < 1) {
            add("maxFailovers", maxFailovers, "expected at least 1; to switch failover off, set failover to false");
        }
        return this;
    }

    DefinitionCheck misfire(Duration misfireThreshold) {
        return misfireThreshold.isNegative()
                ? add("misfireThreshold", DurationText.of(misfireThreshold), "expected a duration of 0 or more")
                : this;
    }

    DefinitionCheck execution(Duration timeout, RetrySettings retry, int concurrency) {
        duration("timeout", timeout);
        if (retry.maxAttempts() < 1) {
            add("retry.maxAttempts", retry.maxAttempts(), "expected at least 1, the first attempt; 1 means no retry");
        }
        duration("retry.delay", retry.delay());
        duration("retry.maxDelay", retry.maxDelay());
        duration("retry.jitter", retry.jitter());
        if (!(retry.multiplier() >= 1)) {
            add("retry.multiplier", retry.multiplier(), "expected at least 1; with 1, all pauses are equal");
        }
        if (concurrency < 0) {
            add("concurrency", concurrency, "expected a number of items, or 0 for no limit");
        }
        return this;
    }

    DefinitionCheck clusterListener(Duration beforeFirstTimeout, Duration afterLastTimeout) {
        duration("beforeFirstTimeout", beforeFirstTimeout);
        duration("afterLastTimeout", afterLastTimeout);
        return this;
    }

    DefinitionCheck watchdog(WatchdogSettings watchdog, boolean oneOff, boolean monitorExecution) {
        limit("stuckAfter", watchdog.stuckAfter());
        limit("expectWithin", watchdog.expectWithin());
        if (watchdog.watchesFirings() && (oneOff || !monitorExecution)) {
            String expected = oneOff
                    ? "only for a job with a cron; remove this setting, or give the job a cron"
                    : "needs the records that monitorExecution writes; set monitorExecution to true, or remove this"
                            + " setting";
            add("expectWithin", DurationText.of(watchdog.expectWithin()), expected);
        }
        return this;
    }

    /** A second at least: for each limit that passes, something is read. */
    private void limit(String setting, Duration found) {
        boolean tooShort = !found.isZero() && found.compareTo(Duration.ofSeconds(1)) < 0;
        if (tooShort || found.compareTo(MAX_DURATION) > 0) {
            add(setting, DurationText.of(found), "expected 0 for no limit, or a duration from 1 s to 365 days");
        }
    }

    private void duration(String setting, Duration found) {
        if (found.isNegative() || found.compareTo(MAX_DURATION) > 0) {
            add(setting, DurationText.of(found), "expected a duration from 0 to 365 days");
        }
    }

    DefinitionCheck script(JobType jobType, String scriptCommandLine) {
        text("scriptCommandLine", scriptCommandLine);
        if (jobType != JobType.SCRIPT) {
            return this;
        }
        if (scriptCommandLine.isBlank()) {
            return add("scriptCommandLine", scriptCommandLine, "a SCRIPT job needs a command line to run");
        }
        try {
            ScriptCommand.parse(scriptCommandLine);
            return this;
        } catch (IllegalArgumentException e) {
            String expected = "expected a program and its arguments, quoted where they contain spaces (%s)";
            return add("scriptCommandLine", scriptCommandLine, expected.formatted(e.getMessage()));
        }
    }

    /** A script receives its parameters as JSON in one argument, in which a character may take six bytes. */
    DefinitionCheck argument(JobType jobType, String jobParameter, String shardingItemParameters) {
        if (jobType != JobType.SCRIPT) {
            return this;
        }
        int ofJob = argumentBytes(jobParameter);
        int ofItem = ItemParameters.parse(shardingItemParameters).byItem().values().stream()
                .mapToInt(DefinitionCheck::argumentBytes)
                .max()
                .orElse(0);
        if (ofJob + ofItem > MAX_ARGUMENT) {
            String expected =
                    "a script receives jobParameter and its item's parameter in one argument, as JSON in ASCII,"
                            + " where they may have %d bytes together; write long ones to a file, and pass its name";
            add(
                    ofJob >= ofItem ? "jobParameter" : "shardingItemParameters",
                    ofJob + ofItem + " bytes",
                    expected.formatted(MAX_ARGUMENT));
        }
        return this;
    }

    private static int argumentBytes(String text) {
        return text.chars()
                .map(c -> switch (c) {
                    case '"', '\\', '\b', '\t', '\n', '\f', '\r' -> 2;
                    default -> c >= ' ' && c < 0x80 ? 1 : 6;
                })
                .sum();
    }

    DefinitionCheck http(JobType jobType, Optional<HttpRequestSettings> http) {
        if (jobType == JobType.HTTP && http.isEmpty()) {
            return add("http.uri", "", "an HTTP job needs a URI to call");
        }
        if (jobType != JobType.HTTP && http.isPresent()) {
            return add(
                    "http.uri", http.get().uri(), "only for an HTTP job; set jobType to HTTP, or remove this setting");
        }
        http.ifPresent(request -> {
            violations.addAll(request.violations());
            text("http.uri", request.uri())
                    .text("http.body", request.body())
                    .text("http.contentType", request.contentType());
            request.headers().forEach((name, value) -> text("http.headers", name + value));
        });
        return this;
    }

    /** Checks the texts that only have a size limit. */
    DefinitionCheck texts(
            String jobClass, String jobParameter, String description, String strategy, Map<String, String> properties) {
        properties.forEach((key, value) -> text("jobProperties", key + value));
        return text("jobClass", jobClass)
                .text("jobParameter", jobParameter)
                .text("description", description)
                .text("jobShardingStrategyClass", strategy);
    }

    private DefinitionCheck add(String setting, Object found, String expected) {
        violations.add(new Violation(setting, found.toString(), expected));
        return this;
    }
}
