package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.cluster.SeenApp;
import dev.elasticjob.kubernetes.plan.AppPlan;
import dev.elasticjob.kubernetes.plan.Condition;
import dev.elasticjob.kubernetes.plan.PoolMemory;
import dev.elasticjob.kubernetes.plan.PoolPlan;
import dev.elasticjob.kubernetes.plan.Starts;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of an application as the API server keeps it: what people read, and what the next decision needs. A status that
 * can't be read counts as empty. Pure.
 */
final class AppStatus {
    private static final String CONDITIONS = "conditions";
    private static final String POOLS = "pools";

    private AppStatus() {}

    // ------------------------------------------------------------------ reading

    static PoolMemory memory(Map<String, Object> status, String pool) {
        return objects(status.get(POOLS))
                .filter(known -> pool.equals(known.get("name")))
                .map(known -> object(known.get("memory")))
                .map(AppStatus::memory)
                .findFirst()
                .orElse(PoolMemory.NONE);
    }

    static PoolMemory memory(Map<?, ?> known) {
        return new PoolMemory(
                text(known.get("introduced")),
                time(known.get("introducedAt")),
                texts(known.get("jobs")),
                texts(known.get("before")),
                texts(known.get("registered")),
                new Starts(
                        text(known.get("failing")),
                        number(known.get("failedStarts")),
                        number(known.get("failedBefore")),
                        time(known.get("lastFailure")),
                        texts(known.get("round"))));
    }

    /** The condition as it was written last; empty if it never was. */
    static Optional<Condition> condition(Map<String, Object> status, Condition.Kind kind) {
        return objects(status.get(CONDITIONS))
                .filter(known -> kind.name().equals(known.get("type")))
                .map(known -> new Condition(
                        kind,
                        "True".equals(known.get("status")),
                        text(known.get("reason")),
                        text(known.get("message"))))
                .findFirst();
    }

    private static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Stream<Map<?, ?>> objects(@Nullable Object value) {
        return value instanceof Collection<?> list ? list.stream().map(AppStatus::object) : Stream.empty();
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    private static int number(@Nullable Object value) {
        return value instanceof Number number ? number.intValue() : 0;
    }

    private static Set<String> texts(@Nullable Object value) {
        return value instanceof Collection<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.toSet())
                : Set.of();
    }

    private static Optional<Instant> time(@Nullable Object value) {
        try {
            return value instanceof String text ? Optional.of(Instant.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    // ------------------------------------------------------------------ writing

    /** After a decision. */
    static Map<String, Object> of(SeenApp app, AppPlan plan, List<Condition> conditions, Instant now) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("observedGeneration", app.identity().generation());
        status.put("open", sum(plan, PoolPlan.Figures::open));
        status.put("running", sum(plan, PoolPlan.Figures::running));
        status.put("workers", sum(plan, PoolPlan.Figures::workers));
        plan.pools().stream()
                .flatMap(pool -> pool.figures().nextDue().stream())
                .min(Comparator.naturalOrder())
                .ifPresent(due -> status.put("nextFiring", due.toString()));
        status.put(
                "jobs",
                plan.pools().stream()
                        .flatMap(pool -> pool.jobs().stream())
                        .sorted()
                        .distinct()
                        .toList());
        status.put(POOLS, plan.pools().stream().map(AppStatus::pool).toList());
        status.put(CONDITIONS, conditions(app, conditions, now));
        return status;
    }

    /** When nothing could be decided: the figures stay as they were known last. */
    static Map<String, Object> undecided(SeenApp app, Condition ready, Instant now) {
        Map<String, Object> status = new LinkedHashMap<>(app.status());
        status.put("observedGeneration", app.identity().generation());
        List<Condition> all = new ArrayList<>(List.of(ready));
        Stream.of(Condition.Kind.WorkersBlocked, Condition.Kind.ScalesToZero)
                .flatMap(kind -> condition(app.status(), kind).stream())
                .forEach(all::add);
        status.put(CONDITIONS, conditions(app, all, now));
        return status;
    }

    private static int sum(AppPlan plan, ToIntFunction<PoolPlan.Figures> figure) {
        return plan.pools().stream().map(PoolPlan::figures).mapToInt(figure).sum();
    }

    private static Map<String, Object> pool(PoolPlan plan) {
        Map<String, Object> pool = new LinkedHashMap<>();
        pool.put("name", plan.view().pool().name());
        pool.put("open", plan.figures().open());
        pool.put("running", plan.figures().running());
        pool.put("workers", plan.figures().workers());
        pool.put("need", plan.figures().need());
        pool.put("jobs", plan.jobs());
        pool.put("memory", memory(plan.memory()));
        return pool;
    }

    static Map<String, Object> memory(PoolMemory memory) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("introduced", memory.introduced());
        memory.introducedAt().ifPresent(at -> written.put("introducedAt", at.toString()));
        written.put("jobs", List.copyOf(new TreeSet<>(memory.jobs())));
        if (!memory.before().isEmpty()) {
            written.put("before", List.copyOf(new TreeSet<>(memory.before())));
        }
        written.put("registered", List.copyOf(new TreeSet<>(memory.registered())));
        Starts starts = memory.starts();
        if (starts.last().isPresent()) {
            written.put("failing", starts.template());
            written.put("failedStarts", starts.failed());
            written.put("failedBefore", starts.formerly());
            starts.last().ifPresent(at -> written.put("lastFailure", at.toString()));
            written.put("round", List.copyOf(new TreeSet<>(starts.round())));
        }
        return written;
    }

    private static List<Map<String, Object>> conditions(SeenApp app, List<Condition> conditions, Instant now) {
        return conditions.stream()
                .map(condition -> {
                    Map<String, Object> written = new LinkedHashMap<>();
                    written.put("type", condition.kind().name());
                    written.put("status", condition.holds() ? "True" : "False");
                    written.put("reason", condition.reason());
                    written.put("message", condition.message());
                    written.put(
                            "lastTransitionTime", since(app.status(), condition).orElse(now.toString()));
                    return written;
                })
                .toList();
    }

    private static Optional<String> since(Map<String, Object> before, Condition condition) {
        return objects(before.get(CONDITIONS))
                .filter(known -> condition.kind().name().equals(known.get("type")))
                .filter(known -> (condition.holds() ? "True" : "False").equals(known.get("status")))
                .map(known -> text(known.get("lastTransitionTime")))
                .filter(time -> !time.isEmpty())
                .findFirst();
    }

    /** Whether a status says the same as the one that was written last. */
    static boolean isSame(Map<String, Object> next, Map<String, Object> before) {
        return plain(next).equals(plain(before));
    }

    /** Numbers of one kind: the API server's answers have their own. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .filter(entry -> entry.getValue() != null)
                    .collect(Collectors.toMap(
                            entry -> String.valueOf(entry.getKey()), entry -> plain(entry.getValue())));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(AppStatus::plain).toList();
        }
        return value instanceof Number number ? (Object) number.longValue() : value;
    }
}
