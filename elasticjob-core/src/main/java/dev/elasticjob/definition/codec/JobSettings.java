package dev.elasticjob.definition.codec;

import static dev.elasticjob.definition.codec.JobSettings.Place.EXTENSION;
import static dev.elasticjob.definition.codec.JobSettings.Place.WHOLE;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobDefinition.Builder;
import dev.elasticjob.definition.JobType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The table of a job's settings, in the order of 2.1.5's keys: each setting with its key, its place, and whether it is
 * compared. A new setting is one line here. Missing settings have the defaults of {@link Builder}.
 */
@SuppressWarnings("BadImport") // Builder is always a definition's here, and its long name would break each line.
final class JobSettings {
    static final String CLASS = "jobClass";
    static final String TYPE = "jobType";
    static final String CRON = "cron";
    static final String TOTAL_COUNT = "shardingTotalCount";
    static final String ITEM_PARAMETERS = "shardingItemParameters";
    static final String FAILOVER = "failover";
    static final String PROPERTIES = "jobProperties";
    static final String MONITORED = "monitorExecution";
    static final String EXPECT_WITHIN = "expectWithin";

    static final List<Setting<?>> ALL = List.of(
            text(CLASS, JobDefinition::jobClass, Builder::jobClass),
            setting(TYPE, StoredSettings::type, JobDefinition::jobType, Builder::jobType),
            text(CRON, JobDefinition::cron, Builder::cron),
            setting("timeZone", StoredSettings::zone, JobDefinition::timeZone, Builder::timeZone)
                    .in(EXTENSION),
            number(TOTAL_COUNT, JobDefinition::shardingTotalCount, Builder::shardingTotalCount),
            text(ITEM_PARAMETERS, JobDefinition::shardingItemParameters, Builder::shardingItemParameters),
            text("jobParameter", JobDefinition::jobParameter, Builder::jobParameter),
            flag(FAILOVER, JobDefinition::failover, Builder::failover),
            flag("misfire", JobDefinition::misfire, Builder::misfire),
            text("description", JobDefinition::description, Builder::description),
            setting(PROPERTIES, StoredSettings::texts, JobDefinition::jobProperties, Builder::jobProperties),
            flag("streamingProcess", JobDefinition::streamingProcess, Builder::streamingProcess)
                    .onlyFor(JobType.DATAFLOW),
            text("scriptCommandLine", JobDefinition::scriptCommandLine, Builder::scriptCommandLine)
                    .onlyFor(JobType.SCRIPT),
            setting(
                            "http",
                            (stored, key) -> Optional.of(stored.http(key)),
                            JobDefinition::http,
                            (job, http) -> http.ifPresent(job::http))
                    .onlyFor(JobType.HTTP)
                    .in(WHOLE),
            flag(MONITORED, JobDefinition::monitorExecution, Builder::monitorExecution),
            number("maxTimeDiffSeconds", JobDefinition::maxTimeDiffSeconds, Builder::maxTimeDiffSeconds),
            number("monitorPort", JobDefinition::monitorPort, Builder::monitorPort),
            text(
                    "jobShardingStrategyClass",
                    JobDefinition::jobShardingStrategyClass,
                    Builder::jobShardingStrategyClass),
            number(
                    "reconcileIntervalMinutes",
                    JobDefinition::reconcileIntervalMinutes,
                    Builder::reconcileIntervalMinutes),
            flag("disabled", JobDefinition::disabled, Builder::disabled),
            flag("overwrite", JobDefinition::overwrite, Builder::overwrite),
            setting(
                            "misfireThreshold",
                            StoredSettings::duration,
                            JobDefinition::misfireThreshold,
                            Builder::misfireThreshold)
                    .in(EXTENSION),
            number("maxFailovers", JobDefinition::maxFailovers, Builder::maxFailovers)
                    .in(EXTENSION),
            setting("timeout", StoredSettings::duration, JobDefinition::timeout, Builder::timeout)
                    .in(EXTENSION),
            setting("retry", StoredSettings::retry, JobDefinition::retry, Builder::retry)
                    .in(EXTENSION),
            number("concurrency", JobDefinition::concurrency, Builder::concurrency)
                    .in(EXTENSION),
            flag("runAtStart", JobDefinition::runAtStart, Builder::runAtStart)
                    .onlyIf(JobDefinition::isOneOff)
                    .in(WHOLE),
            setting("after", StoredSettings::after, JobDefinition::after, Builder::after)
                    .onlyIf(definition -> !definition.after().jobs().isEmpty())
                    .in(WHOLE),
            flag("clusterListener", JobDefinition::clusterListener, Builder::clusterListener)
                    .onlyIf(JobSettings::hasListener)
                    .in(EXTENSION),
            setting(
                            "beforeFirstTimeout",
                            StoredSettings::duration,
                            JobDefinition::beforeFirstTimeout,
                            Builder::beforeFirstTimeout)
                    .onlyIf(JobSettings::hasListener)
                    .in(EXTENSION),
            setting(
                            "afterLastTimeout",
                            StoredSettings::duration,
                            JobDefinition::afterLastTimeout,
                            Builder::afterLastTimeout)
                    .onlyIf(JobSettings::hasListener)
                    .in(EXTENSION),
            setting(
                            "stuckAfter",
                            StoredSettings::duration,
                            job -> job.watchdog().stuckAfter(),
                            Builder::stuckAfter)
                    .onlyIf(job -> job.watchdog().watchesExecutions())
                    .in(EXTENSION),
            setting(
                            EXPECT_WITHIN,
                            StoredSettings::duration,
                            job -> job.watchdog().expectWithin(),
                            Builder::expectWithin)
                    .onlyIf(job -> job.watchdog().watchesFirings())
                    .in(EXTENSION));

    /** Its settings are those of every job that doesn't set them. */
    private static final JobDefinition DEFAULTS =
            JobDefinition.builder("defaults").build();

    private JobSettings() {}

    /** Other jobs don't store these settings: their nodes have no use for them. */
    private static boolean hasListener(JobDefinition job) {
        return job.clusterListener()
                || !job.beforeFirstTimeout().equals(DEFAULTS.beforeFirstTimeout())
                || !job.afterLastTimeout().equals(DEFAULTS.afterLastTimeout());
    }

    /** Where a setting is stored. */
    enum Place {
        /** In the config, or in an extension that is the whole definition. */
        CONFIG,
        /** Only in an extension that is the whole definition. */
        WHOLE,
        /** Always in the extension. */
        EXTENSION
    }

    static List<Setting<?>> storedIn(Place... places) {
        return ALL.stream()
                .filter(setting -> Set.of(places).contains(setting.place))
                .toList();
    }

    static Set<String> namesIn(Place... places) {
        return storedIn(places).stream().map(Setting::name).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * One setting.
     *
     * @param name its key, and its name in {@link JobDefinition}
     * @param reader reads it by its key; empty if it is missing
     * @param applies whether a definition has this setting
     */
    record Setting<T>(
            String name,
            Place place,
            BiFunction<StoredSettings, String, Optional<T>> reader,
            Function<JobDefinition, T> value,
            BiConsumer<Builder, T> setter,
            Predicate<JobDefinition> applies) {
        void read(StoredSettings stored, Builder builder) {
            reader.apply(stored, name).ifPresent(found -> setter.accept(builder, found));
        }

        /** Most values need no mapper, which allocates several kilobytes for each. */
        JsonNode write(JobDefinition definition, JsonMapper mapper) {
            T found = value.apply(definition);
            if (found instanceof String text) {
                return mapper.getNodeFactory().stringNode(text);
            }
            if (found instanceof Boolean flag) {
                return mapper.getNodeFactory().booleanNode(flag);
            }
            return found instanceof Integer number
                    ? mapper.getNodeFactory().numberNode(number.intValue())
                    : mapper.valueToTree(found);
        }

        void copy(JobDefinition from, Builder builder) {
            setter.accept(builder, value.apply(from));
        }

        private Setting<T> in(Place other) {
            return new Setting<>(name, other, reader, value, setter, applies);
        }

        private Setting<T> onlyIf(Predicate<JobDefinition> condition) {
            return new Setting<>(name, place, reader, value, setter, condition);
        }

        private Setting<T> onlyFor(JobType type) {
            return onlyIf(definition -> definition.jobType() == type);
        }
    }

    private static Setting<String> text(
            String name, Function<JobDefinition, String> value, BiConsumer<Builder, String> setter) {
        return setting(name, StoredSettings::text, value, setter);
    }

    private static Setting<Integer> number(
            String name, Function<JobDefinition, Integer> value, BiConsumer<Builder, Integer> setter) {
        return setting(name, StoredSettings::number, value, setter);
    }

    private static Setting<Boolean> flag(
            String name, Function<JobDefinition, Boolean> value, BiConsumer<Builder, Boolean> setter) {
        return setting(name, StoredSettings::flag, value, setter);
    }

    private static <T> Setting<T> setting(
            String name,
            BiFunction<StoredSettings, String, Optional<T>> reader,
            Function<JobDefinition, T> value,
            BiConsumer<Builder, T> setter) {
        return new Setting<>(name, Place.CONFIG, reader, value, setter, any -> true);
    }
}
