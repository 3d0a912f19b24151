package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Merges one job's settings, row by row: what is {@linkplain DeclaredSettings declared}, or else the value of the {@link
 * JobDefinition} bean. Used once, by one thread.
 */
final class DefinitionMerge {
    private final Declared declared;
    private final ElasticJobProperties.Job properties;
    private final KnownNames names;
    private final List<Violation> violations = new ArrayList<>();
    private final Calendars calendars;
    private final DeclaredSettings settings;

    DefinitionMerge(
            Declared declared,
            ElasticJobProperties.Job properties,
            UnaryOperator<String> placeholders,
            KnownNames names,
            Calendars calendars) {
        this.declared = declared;
        this.properties = properties;
        this.names = names;
        this.calendars = calendars;
        this.settings = new DeclaredSettings(declared, properties, placeholders, violations::add);
    }

    /** The definition; empty if there are {@link #violations()}. */
    Optional<JobDefinition> definition(JobType jobType, String jobClass) {
        var builder = declared.definition()
                .map(JobDefinition::toBuilder)
                .orElseGet(() -> JobDefinition.builder(declared.jobName()))
                .jobType(jobType)
                .jobClass(jobClass);
        takeSettings(builder);
        checkKind(jobType);
        try {
            JobDefinition definition = builder.build();
            checkNames(definition);
            return violations.isEmpty() ? Optional.of(definition) : Optional.empty();
        } catch (InvalidJobDefinitionException e) {
            checkWork(builder, e.violations());
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
        return settings.isSetByProperty(setting);
    }

    /** The names of parts are checked. The two handlers are job properties, so these come first; a blank name changes nothing. */
    private void takeSettings(JobDefinition.Builder builder) {
        JobSettings.ALL.stream()
                .filter(setting -> setting != JobSettings.JOB_SHARDING_STRATEGY_CLASS)
                .forEach(setting -> setting.read(settings, builder));
        settings.text(JobSettings.CALENDAR.name())
                .ifPresent(name ->
                        takeName(name, calendars::unknown, known -> builder.calendar(calendars.resolved(known))));
        settings.text("jobShardingStrategyClass")
                .ifPresent(name -> takeName(name, names::unknownStrategy, builder::jobShardingStrategyClass));
        settings.text("jobExceptionHandler")
                .filter(Predicate.not(String::isBlank))
                .ifPresent(name -> takeName(name, names::unknownErrorHandler, builder::jobExceptionHandler));
        settings.text("executorServiceHandler")
                .filter(Predicate.not(String::isBlank))
                .ifPresent(name -> takeName(name, names::unknownExecutor, builder::executorServiceHandler));
    }

    private void takeName(String name, Function<String, Optional<Violation>> unknown, Consumer<String> target) {
        unknown.apply(name).ifPresent(violations::add);
        target.accept(name);
    }

    /** What the kind says, and names among the job properties; the others have already been checked. */
    private void checkNames(JobDefinition definition) {
        violations.addAll(names.violations(definition));
        Stream.of(
                        names.unknownErrorHandler(definition.jobExceptionHandler()),
                        names.unknownExecutor(definition.executorServiceHandler()))
                .flatMap(Optional::stream)
                .filter(unknown -> !isReported(unknown.setting()))
                .forEach(violations::add);
    }

    private boolean isReported(String setting) {
        return violations.stream().anyMatch(violation -> violation.setting().equals(setting));
    }

    /** What the properties say although the bean that does the work decides it. */
    private void checkKind(JobType jobType) {
        JobType given = properties.jobType();
        if (given != null && !given.equals(jobType)) {
            String expected = "the bean that declares the job makes it a %s job; remove the property";
            violations.add(names.unknownKind(given)
                    .orElseGet(() -> new Violation("jobType", given.name(), expected.formatted(jobType))));
        }
        KindRules.builtIn().stream()
                .filter(kind -> kind.isWithoutCode() && !kind.type().equals(jobType))
                .forEach(kind -> kind.settings().stream()
                        .filter(setting -> settings.isSetByProperty(setting.name()))
                        .forEach(setting -> violations.add(ofAnotherKind(setting, kind.type(), jobType))));
    }

    private Violation ofAnotherKind(Setting<?> setting, JobType kind, JobType jobType) {
        String expected = "only a %s job has this setting, and this is a %s job; remove the property";
        return new Violation(
                setting.name(),
                setting.read(settings).map(String::valueOf).orElse(""),
                expected.formatted(kind.kebab(), jobType));
    }

    /**
     * What the kind says, also if something else is wrong, so that the report has all of it. The kind sees the defaults of
     * the settings that are wrong.
     */
    private void checkWork(JobDefinition.Builder builder, List<Violation> wrong) {
        if (wrong.stream().anyMatch(violation -> isOf(violation, JobSettings.JOB_PROPERTIES))) {
            return;
        }
        try {
            JobDefinition defaults = JobDefinition.builder(declared.jobName()).build();
            JobSettings.ALL.stream()
                    .filter(setting -> wrong.stream().anyMatch(violation -> isOf(violation, setting)))
                    .forEach(setting -> setting.copy(defaults, builder));
            violations.addAll(names.violations(builder.build()));
        } catch (InvalidJobDefinitionException e) {
            // What is wrong with the name, or with the size, is reported already.
        }
    }

    /** Parts of a group have the group's name in front. */
    private static boolean isOf(Violation violation, Setting<?> setting) {
        return violation.setting().startsWith(setting.name());
    }
}
