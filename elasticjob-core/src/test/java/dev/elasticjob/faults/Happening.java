package dev.elasticjob.faults;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Something that a process of the workload has told, as a line of its output: {@code * START at=… item=3 …}.
 *
 * @param process which told it, by the test's own name; empty in the process itself
 * @param details by their names
 */
record Happening(String process, Kind kind, Map<String, String> details) {
    private static final String MARK = "* ";

    enum Kind {
        START,
        END,
        FOLDED,
        LOST,
        STATE,
        OWNS,
        BEAT,
        LEFT,
        REFUSED
    }

    Happening {
        details = Map.copyOf(details);
    }

    static Happening of(Kind kind) {
        return new Happening("", kind, Map.of());
    }

    static Happening start(ShardingContext context) {
        return execution(Kind.START, context, Map.of());
    }

    /** @param whole false when it was interrupted */
    static Happening end(ShardingContext context, boolean whole) {
        return execution(Kind.END, context, Map.of("whole", String.valueOf(whole)));
    }

    private static Happening execution(Kind kind, ShardingContext context, Map<String, String> more) {
        Map<String, String> details = new LinkedHashMap<>(more);
        details.put("job", context.getJobName());
        details.put("item", String.valueOf(context.getShardingItem()));
        details.put("firing", context.getScheduledTime().toString());
        details.put("attempt", String.valueOf(context.getAttempt()));
        details.put("token", String.valueOf(context.getFencingToken()));
        return new Happening("", kind, details);
    }

    /** Firings of an item that don't run, before one that does. */
    static Happening gap(Kind kind, String job, int item, Instant before, int count) {
        return new Happening(
                "",
                kind,
                Map.of(
                        "job",
                        job,
                        "item",
                        String.valueOf(item),
                        "firing",
                        before.toString(),
                        "count",
                        String.valueOf(count)));
    }

    static Happening state(String job, JobState state) {
        return new Happening("", Kind.STATE, Map.of("job", job, "state", state.name()));
    }

    static Happening owns(String job, Set<Integer> items) {
        String list = items.stream().map(String::valueOf).collect(Collectors.joining(","));
        return new Happening("", Kind.OWNS, Map.of("job", job, "items", list));
    }

    String line(Instant now) {
        String told = details.entrySet().stream()
                .map(detail -> " " + detail.getKey() + "=" + detail.getValue())
                .collect(Collectors.joining());
        return MARK + kind + " at=" + now + told;
    }

    /** Empty when the line tells something else, such as the log. */
    static Optional<Happening> parse(String process, String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] words = line.substring(MARK.length()).split(" ");
        Map<String, String> details = Arrays.stream(words)
                .skip(1)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(detail -> detail[0], detail -> detail[1]));
        return Optional.of(new Happening(process, Kind.valueOf(words[0]), details));
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** Whether it is told of that job. */
    boolean isOf(String job) {
        return job.equals(details.get("job"));
    }

    /** Whether it is told of the process. */
    boolean isOfNone() {
        return !details.containsKey("job");
    }

    Instant at() {
        return Instant.parse(detail("at"));
    }

    int item() {
        return Integer.parseInt(detail("item"));
    }

    Instant firing() {
        return Instant.parse(detail("firing"));
    }

    int attempt() {
        return Integer.parseInt(detail("attempt"));
    }

    long token() {
        return Long.parseLong(detail("token"));
    }

    int count() {
        return Integer.parseInt(detail("count"));
    }

    boolean whole() {
        return Boolean.parseBoolean(detail("whole"));
    }

    JobState state() {
        return JobState.valueOf(detail("state"));
    }

    Set<Integer> items() {
        String list = detail("items");
        return list.isEmpty()
                ? Set.of()
                : Arrays.stream(list.split(",")).map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private String detail(String name) {
        return Optional.ofNullable(details.get(name))
                .orElseThrow(() -> new IllegalStateException(this + " tells no " + name));
    }
}
