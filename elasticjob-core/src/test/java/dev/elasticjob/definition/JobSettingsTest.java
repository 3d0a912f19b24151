package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition.Builder;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row has what users need of it: an accessor, a method of the builder, and words. */
class JobSettingsTest {
    /** Of the builder, but of no row: the two handlers are properties of the job. */
    private static final Set<String> FURTHER_METHODS =
            Set.of("set", "build", "jobProperty", "jobExceptionHandler", "executorServiceHandler");

    /** What the definition says beside its rows. */
    private static final Set<String> FURTHER_ACCESSORS = Set.of(
            "jobName",
            "isOneOff",
            "mayFollow",
            "schedule",
            "itemParameters",
            "weightOf",
            "isWeighted",
            "limitsClocks",
            "toleratesClock",
            "instances",
            "mayRunOn",
            "jobExceptionHandler",
            "executorServiceHandler",
            "toBuilder",
            "equals",
            "hashCode",
            "toString",
            "get",
            "watchdog");

    private final JobDefinitionCodec codec = new JobDefinitionCodec();

    static List<Setting<?>> rows() {
        return JobSettings.ALL;
    }

    @Test
    void theRowsAreTheAccessorsAndTheMethodsOfTheBuilder() {
        Set<String> rows = rows().stream().map(Setting::name).collect(Collectors.toSet());

        assertThat(rows).hasSameSizeAs(rows());
        assertThat(names(Builder.class, FURTHER_METHODS)).isEqualTo(rows);
        Set<String> accessors = names(JobDefinition.class, FURTHER_ACCESSORS);
        accessors.addAll(names(WatchdogSettings.class, Set.of("exceeded", "watchesExecutions", "watchesFirings")));
        assertThat(accessors).containsAll(rows);
        assertThat(names(JobDefinition.class, FURTHER_ACCESSORS)).isSubsetOf(rows);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatTheBuilderTakesTheAccessorReturns(Setting<?> row) throws ReflectiveOperationException {
        Object sample = sample(row);
        JobDefinition without = base(row).build();

        JobDefinition definition = given(base(row), row, sample).build();

        assertThat(accessed(definition, row.name())).isEqualTo(sample).isEqualTo(definition.get(row));
        assertThat(accessed(without, row.name())).isEqualTo(row.standard());
        assertThat(definition)
                .isNotEqualTo(without)
                .isEqualTo(definition.toBuilder().build());
        assertThat(definition.toString()).contains(row.name() + "=" + sample);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatIsGivenIsStoredInThePlaceOfItsRow(Setting<?> row) throws ReflectiveOperationException {
        JobDefinition definition = given(base(row), row, sample(row)).build();

        String extension = new String(codec.extension(definition, Optional.empty()), StandardCharsets.UTF_8);
        String key = "\"" + row.name() + "\":";

        if (codec.isWhole(definition)) {
            assertThat(extension).contains(key);
        } else {
            String config = new String(codec.config(definition, Optional.empty()), StandardCharsets.UTF_8);
            assertThat(config.contains(key)).isEqualTo(row.place() == Setting.Place.CONFIG);
            assertThat(extension.contains(key))
                    .isEqualTo(row.place() == Setting.Place.EXTENSION || row == JobSettings.JOB_PROPERTIES);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aRowIsDescribedInSentences(Setting<?> row) {
        assertThat(row.description()).endsWith(".").hasSizeGreaterThan(20);
    }

    @Test
    void whatMayBeASecretIsNotInTheText() {
        HttpRequestSettings request = HttpRequestSettings.of("http://localhost")
                .withBody("POST", "hidden body", "")
                .withHeaders(Map.of("Authorization", "hidden header"));

        assertThat(JobDefinition.builder("orders")
                        .jobType(JobType.HTTP)
                        .http(request)
                        .build()
                        .toString())
                .contains("jobName=orders", "http://localhost")
                .doesNotContain("hidden");
    }

    private static Builder base(Setting<?> row) {
        Builder builder = JobDefinition.builder("orders");
        if (row == JobSettings.HTTP) {
            return builder;
        }
        if (row == JobSettings.CATCH_UP_LIMIT || row == JobSettings.CATCH_UP_WINDOW) {
            return builder.cron("0 0 3 * * ?").catchUp(CatchUp.EACH);
        }
        if (row == JobSettings.MOVE_TO_NEXT_DAY) {
            return builder.cron("0 0 3 * * ?").calendar("SAT");
        }
        return Set.of(
                                JobSettings.CRON,
                                JobSettings.EVERY,
                                JobSettings.FIXED_DELAY,
                                JobSettings.AT,
                                JobSettings.RUN_AT_START,
                                JobSettings.AFTER)
                        .contains(row)
                ? builder
                : builder.cron("0 0 3 * * ?");
    }

    private static Object sample(Setting<?> row) {
        return switch (row.name()) {
            case "jobType" -> JobType.DATAFLOW;
            case "cron" -> "0 0 4 * * ?";
            case "timeZone" -> ZoneId.of("Pacific/Kiritimati");
            case "shardingItemParameters" -> "0=a";
            case "itemWeights" -> "0=2";
            case "calendar" -> "SAT,SUN";
            case "jobProperties" -> Map.of("region", "eu");
            case "http" -> Optional.of(HttpRequestSettings.of("http://localhost"));
            case "retry" -> RetrySettings.of(3, Duration.ofSeconds(5));
            case "after" -> AfterSettings.of("import");
            case "overlap" -> Overlap.SKIP;
            case "catchUp" -> CatchUp.EACH;
            default -> sampleLike(row.standard());
        };
    }

    private static Object sampleLike(Object standard) {
        if (standard instanceof Boolean flag) {
            return !flag;
        }
        if (standard instanceof Optional) {
            return Optional.of(Instant.parse("2026-12-24T18:00:00Z"));
        }
        return standard instanceof Integer ? 7 : standard instanceof Duration ? Duration.ofMinutes(7) : "sample";
    }

    private static Builder given(Builder builder, Setting<?> row, Object sample) throws ReflectiveOperationException {
        switch (row.name()) {
            case "http" -> builder.jobType(JobType.HTTP);
            case "scriptCommandLine" -> builder.jobType(JobType.SCRIPT);
            case "streamingProcess" -> builder.jobType(JobType.DATAFLOW);
            default -> {}
        }
        Method method = Stream.of(Builder.class.getMethods())
                .filter(one -> one.getName().equals(row.name()))
                .findAny()
                .orElseThrow();
        return (Builder) method.invoke(builder, sample instanceof Optional<?> some ? some.orElseThrow() : sample);
    }

    private static Object accessed(JobDefinition job, String name) throws ReflectiveOperationException {
        return switch (name) {
            case "stuckAfter" -> job.watchdog().stuckAfter();
            case "expectWithin" -> job.watchdog().expectWithin();
            default -> JobDefinition.class.getMethod(name).invoke(job);
        };
    }

    private static Set<String> names(Class<?> type, Set<String> further) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !further.contains(name)
                        && !Set.of("equals", "hashCode", "toString").contains(name))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
