package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.time.WrittenDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanExpressionException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Merges one job's settings: the property if there is one, otherwise the value of the annotation or the {@link
 * JobDefinition} bean. Remembers the source of each setting, so that an error names the place to change. Used once, by
 * one thread.
 */
final class DefinitionMerge {
    private final Declared declared;
    private final ElasticJob annotation;
    private final ElasticJobProperties.Job properties;
    private final UnaryOperator<String> placeholders;
    private final KnownNames names;
    private final Set<String> setByProperty = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();

    DefinitionMerge(
            Declared declared,
            ElasticJobProperties.Job properties,
            UnaryOperator<String> placeholders,
            KnownNames names) {
        this.declared = declared;
        this.annotation = declared.annotation();
        this.properties = properties;
        this.placeholders = placeholders;
        this.names = names;
    }

    /** The definition; empty if there are {@link #violations()}. */
    Optional<JobDefinition> definition(JobType jobType, String jobClass) {
        var builder = declared.definition()
                .map(JobDefinition::toBuilder)
                .orElseGet(() -> JobDefinition.builder(declared.jobName()))
                .jobType(jobType)
                .jobClass(jobClass);
        schedule(builder);
        items(builder);
        recovery(builder);
        others(builder);
        execution(builder);
        kind(jobType, builder);
        try {
            JobDefinition definition = builder.build();
            checkNames(definition);
            return violations.isEmpty() ? Optional.of(definition) : Optional.empty();
        } catch (InvalidJobDefinitionException e) {
            Set<String> known = violations.stream().map(Violation::setting).collect(Collectors.toSet());
            e.violations().stream()
                    .filter(violation -> !known.contains(violation.setting()))
                    .forEach(violations::add);
            return Optional.empty();
        }
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    boolean isSetByProperty(String setting) {
        return setByProperty.contains(setting);
    }

    private void schedule(JobDefinition.Builder builder) {
        takeText(
                "cron",
                properties.cron(),
                annotation.cron(),
                cron -> builder.cron(cron.strip().equals(Scheduled.CRON_DISABLED) ? "" : cron));
        take("timeZone", properties.timeZone(), () -> zone(annotation.timeZone()), builder::timeZone);
        take("runAtStart", properties.runAtStart(), annotation::runAtStart, builder::runAtStart);
        builder.after(after());
    }

    private AfterSettings after() {
        AfterSettings base = declared.definition().map(JobDefinition::after).orElse(AfterSettings.NONE);
        return new AfterSettings(
                either("after", properties.after(), () -> texts("after", annotation.after()), base.jobs()),
                either("afterOutcome", properties.afterOutcome(), annotation::afterOutcome, base.outcome()),
                either(
                        "afterWindow",
                        properties.afterWindow(),
                        () -> duration("afterWindow", annotation.afterWindow()),
                        base.window()));
    }

    private void items(JobDefinition.Builder builder) {
        take(
                "shardingTotalCount",
                properties.shardingTotalCount(),
                annotation::shardingTotalCount,
                builder::shardingTotalCount);
        takeText(
                "shardingItemParameters",
                properties.shardingItemParameters(),
                annotation.shardingItemParameters(),
                builder::shardingItemParameters);
        takeText("jobParameter", properties.jobParameter(), annotation.jobParameter(), builder::jobParameter);
        takeText(
                "jobShardingStrategyClass",
                properties.jobShardingStrategyClass(),
                annotation.jobShardingStrategyClass(),
                name -> {
                    names.unknownStrategy(name).ifPresent(violations::add);
                    builder.jobShardingStrategyClass(name);
                });
    }

    private void recovery(JobDefinition.Builder builder) {
        take("failover", properties.failover(), annotation::failover, builder::failover);
        take("maxFailovers", properties.maxFailovers(), annotation::maxFailovers, builder::maxFailovers);
        take("misfire", properties.misfire(), annotation::misfire, builder::misfire);
        take(
                "misfireThreshold",
                properties.misfireThreshold(),
                () -> duration("misfireThreshold", annotation.misfireThreshold()),
                builder::misfireThreshold);
        take(
                "monitorExecution",
                properties.monitorExecution(),
                annotation::monitorExecution,
                builder::monitorExecution);
        take(
                "maxTimeDiffSeconds",
                properties.maxTimeDiffSeconds(),
                annotation::maxTimeDiffSeconds,
                builder::maxTimeDiffSeconds);
        take(
                "reconcileIntervalMinutes",
                properties.reconcileIntervalMinutes(),
                annotation::reconcileIntervalMinutes,
                builder::reconcileIntervalMinutes);
    }

    private void others(JobDefinition.Builder builder) {
        takeText("description", properties.description(), annotation.description(), builder::description);
        take(
                "jobProperties",
                properties.jobProperties(),
                () -> pairs(annotation.jobProperties()),
                builder::jobProperties);
        take("monitorPort", properties.monitorPort(), annotation::monitorPort, builder::monitorPort);
        take("disabled", properties.disabled(), annotation::disabled, builder::disabled);
        take("overwrite", properties.overwrite(), annotation::overwrite, builder::overwrite);
        take(
                "streamingProcess",
                properties.streamingProcess(),
                annotation::streamingProcess,
                builder::streamingProcess);
    }

    /** The two handlers are job properties, so job properties come first. */
    private void execution(JobDefinition.Builder builder) {
        take("timeout", properties.timeout(), () -> duration("timeout", annotation.timeout()), builder::timeout);
        builder.retry(retry());
        take("concurrency", properties.concurrency(), annotation::concurrency, builder::concurrency);
        take(
                "beforeFirstTimeout",
                properties.beforeFirstTimeout(),
                () -> duration("beforeFirstTimeout", annotation.beforeFirstTimeout()),
                builder::beforeFirstTimeout);
        take(
                "afterLastTimeout",
                properties.afterLastTimeout(),
                () -> duration("afterLastTimeout", annotation.afterLastTimeout()),
                builder::afterLastTimeout);
        take(
                "stuckAfter",
                properties.stuckAfter(),
                () -> duration("stuckAfter", annotation.stuckAfter()),
                builder::stuckAfter);
        take(
                "expectWithin",
                properties.expectWithin(),
                () -> duration("expectWithin", annotation.expectWithin()),
                builder::expectWithin);
        takeText(
                "jobExceptionHandler",
                properties.jobExceptionHandler(),
                annotation.jobExceptionHandler(),
                name -> giveName(name, names::unknownErrorHandler, builder::jobExceptionHandler));
        takeText(
                "executorServiceHandler",
                properties.executorServiceHandler(),
                annotation.executorServiceHandler(),
                name -> giveName(name, names::unknownExecutor, builder::executorServiceHandler));
    }

    /** If no name is given, the job property with the same meaning stays as it is. */
    private void giveName(String name, Function<String, Optional<Violation>> unknown, Consumer<String> target) {
        if (!name.isBlank()) {
            unknown.apply(name).ifPresent(violations::add);
            target.accept(name);
        }
    }

    /** Checks names among the job properties; the others have already been checked. */
    private void checkNames(JobDefinition definition) {
        if (violations.isEmpty()) {
            names.unknownErrorHandler(definition.jobExceptionHandler()).ifPresent(violations::add);
            names.unknownExecutor(definition.executorServiceHandler()).ifPresent(violations::add);
        }
    }

    private RetrySettings retry() {
        ElasticJob.Retry annotated = annotation.retry();
        ElasticJobProperties.JobRetry given =
                properties.retry() == null ? ElasticJobProperties.JobRetry.NOTHING_GIVEN : properties.retry();
        RetrySettings base = declared.definition().map(JobDefinition::retry).orElse(RetrySettings.NONE);
        return new RetrySettings(
                either("retry.maxAttempts", given.maxAttempts(), annotated::maxAttempts, base.maxAttempts()),
                retryDuration("retry.delay", given.delay(), annotated.delay(), base.delay()),
                either("retry.multiplier", given.multiplier(), annotated::multiplier, base.multiplier()),
                retryDuration("retry.maxDelay", given.maxDelay(), annotated.maxDelay(), base.maxDelay()),
                retryDuration("retry.jitter", given.jitter(), annotated.jitter(), base.jitter()),
                classNames("retry.includes", given.includes(), annotated.includes(), base.includes()),
                classNames("retry.excludes", given.excludes(), annotated.excludes(), base.excludes()));
    }

    private Duration retryDuration(String setting, @Nullable Duration property, String annotated, Duration otherwise) {
        return either(setting, property, () -> duration(setting, annotated), otherwise);
    }

    private List<String> classNames(
            String setting,
            @Nullable List<Class<? extends Throwable>> property,
            Class<? extends Throwable>[] annotated,
            List<String> otherwise) {
        List<Class<? extends Throwable>> classes = taken(setting, property, () -> List.of(annotated));
        return classes == null
                ? otherwise
                : classes.stream().map(Class::getName).toList();
    }

    private <T> T either(String setting, @Nullable T property, Supplier<? extends @Nullable T> annotated, T otherwise) {
        T value = taken(setting, property, annotated);
        return value == null ? otherwise : value;
    }

    private void kind(JobType jobType, JobDefinition.Builder builder) {
        if (properties.jobType() != null && properties.jobType() != jobType) {
            setByProperty.add("jobType");
            String expected = "the bean that declares the job makes it a %s job; remove the property";
            violations.add(new Violation("jobType", properties.jobType().name(), expected.formatted(jobType)));
        }
        String commandLine = properties.scriptCommandLine();
        if (commandLine != null) {
            setByProperty.add("scriptCommandLine");
            builder.scriptCommandLine(commandLine);
            if (jobType != JobType.SCRIPT) {
                violations.add(new Violation(
                        "scriptCommandLine",
                        commandLine,
                        "only a script has a command line, and this is a %s job; remove the property"
                                .formatted(jobType)));
            }
        }
        ElasticJobProperties.Http http = properties.http();
        if (http != null) {
            HttpRequestSettings base =
                    declared.definition().flatMap(JobDefinition::http).orElseGet(() -> HttpRequestSettings.of(""));
            builder.http(http(http, base));
        }
    }

    private HttpRequestSettings http(ElasticJobProperties.Http http, HttpRequestSettings base) {
        return new HttpRequestSettings(
                given("http.uri", http.uri(), base.uri()),
                given("http.method", http.method(), base.method()),
                given("http.body", http.body(), base.body()),
                given("http.contentType", http.contentType(), base.contentType()),
                given("http.headers", http.headers(), base.headers()),
                given("http.connectTimeout", http.connectTimeout(), base.connectTimeout()),
                given("http.responseTimeout", http.responseTimeout(), base.responseTimeout()));
    }

    private <T> T given(String setting, @Nullable T property, T otherwise) {
        return either(setting, property, () -> null, otherwise);
    }

    private void takeText(String setting, @Nullable String property, String annotated, Consumer<String> target) {
        take(setting, property, () -> text(setting, annotated), target);
    }

    private <T> void take(
            String setting, @Nullable T property, Supplier<? extends @Nullable T> annotated, Consumer<T> target) {
        T value = taken(setting, property, annotated);
        if (value != null) {
            target.accept(value);
        }
    }

    /** The rule of precedence. An unreadable value of the annotation is ignored, so the default stays. */
    private <T> @Nullable T taken(String setting, @Nullable T property, Supplier<? extends @Nullable T> annotated) {
        if (property == null) {
            return declared.kind() == Declared.Kind.ANNOTATION ? annotated.get() : null;
        }
        setByProperty.add(setting);
        return property;
    }

    private @Nullable String text(String setting, String annotated) {
        try {
            return placeholders.apply(annotated);
        } catch (IllegalArgumentException | BeanExpressionException e) {
            violations.add(new Violation(
                    setting, annotated, "its placeholders or expressions can't be resolved: " + e.getMessage()));
            return null;
        }
    }

    private List<String> texts(String setting, String[] annotated) {
        return Stream.of(annotated)
                .flatMap(text -> Stream.ofNullable(text(setting, text)))
                .toList();
    }

    private @Nullable ZoneId zone(String annotated) {
        String text = text("timeZone", annotated);
        try {
            return text == null || text.isBlank() ? null : ZoneId.of(text.strip());
        } catch (DateTimeException e) {
            violations.add(new Violation("timeZone", text, "expected a time zone, for example Europe/Berlin or UTC"));
            return null;
        }
    }

    private @Nullable Duration duration(String setting, String annotated) {
        String text = text(setting, annotated);
        Optional<String> withoutUnit = Optional.ofNullable(text).flatMap(WrittenDuration::problem);
        if (withoutUnit.isPresent()) {
            violations.add(new Violation(setting, String.valueOf(text), withoutUnit.get()));
            return null;
        }
        try {
            return text == null ? null : DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            violations.add(new Violation(setting, text, "expected a duration, for example 60s or PT1M"));
            return null;
        }
    }

    private Map<String, String> pairs(String[] annotated) {
        var pairs = new LinkedHashMap<String, String>();
        for (String pair : annotated) {
            String text = text("jobProperties", pair);
            int equals = text == null ? 0 : text.indexOf('=');
            if (text != null && equals > 0) {
                pairs.put(
                        text.substring(0, equals).strip(),
                        text.substring(equals + 1).strip());
            } else if (text != null) {
                violations.add(new Violation("jobProperties", text, "expected key=value"));
            }
        }
        return pairs;
    }
}
