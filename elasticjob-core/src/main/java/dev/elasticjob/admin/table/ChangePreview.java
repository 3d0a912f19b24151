package dev.elasticjob.admin.table;

import dev.elasticjob.admin.JobInspector.DueTimes;
import dev.elasticjob.admin.JobReport.DelayedReport;
import dev.elasticjob.admin.table.Effect.Code;
import dev.elasticjob.admin.table.Preview.Draft;
import dev.elasticjob.admin.table.Preview.Outcome;
import dev.elasticjob.definition.BuiltInStrategy;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.codec.SettingChange;
import dev.elasticjob.definition.schedule.LeftOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a change of a job's settings would do. Immutable.
 *
 * @param changes the settings that change, by name; secrets are masked
 * @param firingsBefore the next firings with the present settings; with a fixed delay, the next one, if it is known
 * @param firingsAfter the same with the new ones
 * @param leftOut what the calendar of the new settings leaves out or moves until the last of these, earliest first
 */
public record ChangePreview(
        Outcome outcome,
        List<Effect> effects,
        List<Difference> changes,
        List<Instant> firingsBefore,
        List<Instant> firingsAfter,
        List<LeftOut> leftOut)
        implements DryRun {
    private static final int FIRINGS = 10;
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /**
     * One setting that changes.
     *
     * @param setting its name; a dot leads into a group, as in {@code http.uri}
     * @param before its value; empty if it has none
     */
    public record Difference(String setting, Optional<Object> before, Optional<Object> after) {}

    public ChangePreview {
        effects = List.copyOf(effects);
        changes = List.copyOf(changes);
        firingsBefore = List.copyOf(firingsBefore);
        firingsAfter = List.copyOf(firingsAfter);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Compares two definitions of a job. Pure.
     *
     * @param delayed its last firing by a fixed delay, if it has or had one
     * @param nobodyMatches whether none of its instances matches then
     */
    public static ChangePreview of(
            JobDefinition before,
            JobDefinition after,
            Optional<DelayedReport> delayed,
            Instant now,
            boolean nobodyMatches) {
        List<Instant> firingsBefore = firings(before, delayed, now).times();
        DueTimes next = firings(after, delayed, now);
        if (before.equals(after)) {
            Preview same = Preview.nothing(Code.ALREADY);
            return new ChangePreview(
                    same.outcome(), same.effects(), List.of(), firingsBefore, next.times(), next.leftOut());
        }
        List<Effect> effects = effects(before, after, delayed, firingsBefore, next.times(), nobodyMatches);
        return new ChangePreview(
                Outcome.CHANGES, effects, differences(before, after), firingsBefore, next.times(), next.leftOut());
    }

    /** Of a job that doesn't exist yet, compared with a job whose settings have their defaults. Pure. */
    public static ChangePreview ofNew(JobDefinition created, Instant now) {
        JobDefinition defaults = JobDefinition.builder(created.jobName()).build();
        DueTimes next = firings(created, Optional.empty(), now);
        return new ChangePreview(
                Outcome.CHANGES,
                new Draft()
                        .saysIf(isDelayed(created) && !next.times().isEmpty(), Code.COUNTED_FROM_END)
                        .saysIf(BuiltInStrategy.isNotNamedBy(created), Code.OWN_STRATEGY)
                        .says(Code.JOINED_WHERE_ALLOWED)
                        .end()
                        .effects(),
                differences(defaults, created),
                List.of(),
                next.times(),
                next.leftOut());
    }

    /**
     * Of a definition that couldn't be used, compared with what could be read of it. Pure.
     *
     * @param salvaged with secrets masked
     */
    static ChangePreview ofRepaired(
            Map<String, Object> salvaged, JobDefinition repaired, Optional<DelayedReport> delayed, Instant now) {
        Map<String, Object> before = flat("", salvaged);
        DueTimes next = firings(repaired, delayed, now);
        return new ChangePreview(
                Outcome.CHANGES,
                new Draft()
                        .saysIf(isAfterEnd(repaired, delayed), Code.AFTER_THE_END)
                        .saysIf(isDelayed(repaired) && !next.times().isEmpty(), Code.COUNTED_FROM_END)
                        .says(Code.REPAIRED)
                        .saysIf(repaired.overwrite(), Code.OVERWRITTEN_AT_START)
                        .end()
                        .effects(),
                flat("", CODEC.settings(repaired)).entrySet().stream()
                        .filter(setting -> !text(setting.getValue()).equals(text(before.get(setting.getKey()))))
                        .map(setting -> new Difference(
                                setting.getKey(),
                                Optional.ofNullable(before.get(setting.getKey())),
                                Optional.of(setting.getValue())))
                        .toList(),
                List.of(),
                next.times(),
                next.leftOut());
    }

    /** A stored number or flag may be a text. */
    private static String text(@Nullable Object value) {
        return String.valueOf(value);
    }

    private static List<Effect> effects(
            JobDefinition before,
            JobDefinition after,
            Optional<DelayedReport> delayed,
            List<Instant> firingsBefore,
            List<Instant> firingsAfter,
            boolean nobodyMatches) {
        int more = after.shardingTotalCount() - before.shardingTotalCount();
        boolean otherStrategy = !before.jobShardingStrategyClass().equals(after.jobShardingStrategyClass());
        boolean otherOwners = otherStrategy || !before.runOn().equals(after.runOn());
        return new Draft()
                .counts(Code.FIRINGS_DROPPED, missing(firingsBefore, firingsAfter))
                .counts(Code.FIRINGS_ADDED, missing(firingsAfter, firingsBefore))
                .saysIf(isAfterEnd(after, delayed), Code.AFTER_THE_END)
                .saysIf(isDelayed(after) && !firingsAfter.isEmpty(), Code.COUNTED_FROM_END)
                .counts(Code.ITEMS_ADDED, more)
                .counts(Code.ITEMS_GONE, -more)
                .saysIf(nobodyMatches, Code.NOBODY_MATCHES)
                .saysIf(otherStrategy && BuiltInStrategy.isNotNamedBy(after), Code.OWN_STRATEGY)
                .saysIf(!nobodyMatches && (more != 0 || otherOwners), Code.REBALANCED)
                .saysIf(before.disabled() != after.disabled(), Code.NEW_SERVERS_ONLY)
                .says(Code.FROM_NEXT_EXECUTION)
                .saysIf(after.overwrite(), Code.OVERWRITTEN_AT_START)
                .end()
                .effects();
    }

    /** How many of the first are not among the second, in the time that both lists cover. */
    private static long missing(List<Instant> these, List<Instant> those) {
        Set<Instant> others = new HashSet<>(those);
        Optional<Instant> end = those.size() < FIRINGS ? Optional.empty() : Optional.of(those.get(FIRINGS - 1));
        return these.stream()
                .filter(time -> !others.contains(time))
                .filter(time -> end.filter(time::isAfter).isEmpty())
                .count();
    }

    private static DueTimes firings(JobDefinition definition, Optional<DelayedReport> delayed, Instant now) {
        if (!isDelayed(definition)) {
            return DueTimes.of(definition.schedule(), now, FIRINGS);
        }
        return new DueTimes(
                isAfterEnd(definition, delayed)
                        ? List.of()
                        : definition.schedule().nextAfterEnd(delayed.flatMap(DelayedReport::ended), now).stream()
                                .toList(),
                List.of());
    }

    private static boolean isDelayed(JobDefinition definition) {
        return definition.schedule().delay().isPresent();
    }

    /** While a firing goes on, nobody knows when the next one is. */
    private static boolean isAfterEnd(JobDefinition definition, Optional<DelayedReport> delayed) {
        return isDelayed(definition)
                && delayed.filter(last -> last.ended().isEmpty()).isPresent();
    }

    // ------------------------------------------------------------------ differences

    private static List<Difference> differences(JobDefinition before, JobDefinition after) {
        Map<String, Object> old = flat("", CODEC.settings(before));
        Map<String, Object> now = flat("", CODEC.settings(after));
        Set<String> names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        List<Difference> differences = new ArrayList<>();
        for (String name : names) {
            if (!Objects.equals(old.get(name), now.get(name))) {
                differences.add(
                        new Difference(name, Optional.ofNullable(old.get(name)), Optional.ofNullable(now.get(name))));
            }
        }
        CODEC.changes(before, after).stream()
                .filter(changed -> differences.stream().noneMatch(shown -> isOf(changed.setting(), shown.setting())))
                .map(ChangePreview::notShownYet)
                .forEach(differences::add);
        return differences;
    }

    private static boolean isOf(String setting, String name) {
        return name.equals(setting) || name.startsWith(setting + ".");
    }

    /** Of this setting, only what is masked has changed, or the job has no use for it. */
    private static Difference notShownYet(SettingChange change) {
        boolean masked = change.toString().contains(Secrets.MASK);
        return new Difference(
                change.setting(),
                masked ? Optional.of(Secrets.MASK) : change.before(),
                masked ? Optional.of(Secrets.MASK) : change.after());
    }

    private static Map<String, Object> flat(String prefix, Map<?, ?> settings) {
        Map<String, Object> flat = new TreeMap<>();
        settings.forEach((name, value) -> {
            if (value instanceof Map<?, ?> group) {
                flat.putAll(flat(prefix + name + ".", group));
            } else if (value != null) {
                flat.put(prefix + name, value);
            }
        });
        return flat;
    }
}
