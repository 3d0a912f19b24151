package dev.elasticjob.definition.kind;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.job.Failures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of jobs that an instance has: those that every instance has, and the application's own. Immutable. */
public final class JobKinds {
    /** Those that every instance has. */
    public static final JobKinds BUILT_IN = new JobKinds(Map.of());

    private final Map<JobType, JobKind> own;

    private JobKinds(Map<JobType, JobKind> own) {
        this.own = own;
    }

    /** @throws IllegalArgumentException if kinds can't be used, with all {@link #problems} */
    public static JobKinds of(Collection<? extends JobKind> kinds) {
        List<String> problems = problems(kinds);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", problems));
        }
        Map<JobType, JobKind> own = new LinkedHashMap<>();
        kinds.forEach(kind -> own.put(new JobType(kind.name()), kind));
        return new JobKinds(own);
    }

    /** What is wrong with the kinds, in a sentence each. */
    public static List<String> problems(Collection<? extends JobKind> kinds) {
        List<String> problems = new ArrayList<>();
        Map<String, JobKind> named = new LinkedHashMap<>();
        for (JobKind kind : kinds) {
            JobKind namesake = named.putIfAbsent(kind.name(), kind);
            if (namesake != null) {
                problems.add("Two kinds of jobs have the name \"%s\": %s and %s. Remove one of them."
                        .formatted(kind.name(), className(namesake), className(kind)));
            } else {
                faults(kind)
                        .forEach(fault -> problems.add("The kind of jobs \"%s\" (%s) can't be used: %s."
                                .formatted(kind.name(), className(kind), fault)));
            }
        }
        return problems;
    }

    private static String className(JobKind kind) {
        return kind.getClass().getName();
    }

    private static Stream<String> faults(JobKind kind) {
        JobType type;
        try {
            type = new JobType(kind.name());
        } catch (IllegalArgumentException e) {
            return Stream.of("its name has to be of upper-case letters, digits and underscores");
        }
        if (isBuiltIn(type)) {
            return Stream.of("every instance has a kind of this name; choose another one");
        }
        String prefix = KindRules.prefix(type);
        return kind.properties().stream()
                .map(KindProperty::name)
                .filter(name -> !name.startsWith(prefix) || name.equals(prefix))
                .map(name -> "the name of its property \"%s\" has to begin with \"%s\"".formatted(name, prefix));
    }

    private static boolean isBuiltIn(JobType type) {
        return KindRules.builtIn().stream().anyMatch(kind -> kind.type().equals(type));
    }

    /** The application's own kind of a name. */
    public Optional<JobKind> own(JobType type) {
        return Optional.ofNullable(own.get(type));
    }

    /** All types, as people write them in properties. */
    public List<String> names() {
        return types().map(JobType::kebab).toList();
    }

    private Stream<JobType> types() {
        return Stream.concat(KindRules.builtIn().stream().map(KindRules::type), own.keySet().stream());
    }

    /** What is known of a type without running it. */
    public KindRules rules(JobType type) {
        return own(type)
                .map(kind -> KindRules.ofApplication(type, name -> isDeciding(kind, name)))
                .orElseGet(() -> KindRules.of(type));
    }

    /** Those that the kind doesn't list decide too: it may come to know them. */
    private static boolean isDeciding(JobKind kind, String name) {
        return kind.properties().stream()
                .filter(property -> property.name().equals(name))
                .allMatch(KindProperty::isDeciding);
    }

    /** The violation of a job of a type that is not there. */
    public Optional<Violation> unknown(JobType type) {
        if (isBuiltIn(type) || own.containsKey(type)) {
            return Optional.empty();
        }
        List<String> names = types().map(JobType::name).toList();
        return Optional.of(new Violation(
                JobSettings.JOB_TYPE.name(),
                type.name(),
                "this instance has no kind of jobs of this name%s; expected one of %s, or a JobKind bean of the name"
                        .formatted(NearestName.aside(type.name(), names), String.join(", ", names))));
    }

    /** What is wrong with a job, as far as this depends on the kinds that are here: everything at once. */
    public List<Violation> violations(JobDefinition job) {
        Optional<JobKind> kind = own(job.jobType());
        if (kind.isEmpty()) {
            return unknown(job.jobType()).stream().toList();
        }
        List<Violation> violations = new ArrayList<>();
        unknownProperties(kind.get(), job).forEach(violations::add);
        missingProperties(kind.get(), job).forEach(violations::add);
        violations.addAll(checkedBy(kind.get(), job));
        return violations;
    }

    /** A check that fails must concern its own job only. */
    private static List<Violation> checkedBy(JobKind kind, JobDefinition job) {
        try {
            return kind.check(job).stream()
                    .map(violation -> withoutSecrets(violation, job))
                    .toList();
        } catch (RuntimeException | LinkageError e) {
            return List.of(new Violation(
                    JobSettings.JOB_TYPE.name(),
                    kind.name(),
                    "the check of this kind has failed, so the job is not run: " + Failures.text(e)));
        }
    }

    /** The values of properties that are masked everywhere else. */
    private static Violation withoutSecrets(Violation violation, JobDefinition job) {
        String found = violation.found();
        String expected = violation.expected();
        for (Map.Entry<String, String> property : job.jobProperties().entrySet()) {
            if (Secrets.isName(property.getKey()) && !property.getValue().isBlank()) {
                found = found.replace(property.getValue(), Secrets.MASK);
                expected = expected.replace(property.getValue(), Secrets.MASK);
            }
        }
        return new Violation(violation.setting(), found, expected);
    }

    private static Stream<Violation> unknownProperties(JobKind kind, JobDefinition job) {
        String prefix = KindRules.prefix(job.jobType());
        List<String> known = kind.properties().stream().map(KindProperty::name).toList();
        return job.jobProperties().keySet().stream()
                .filter(name -> name.startsWith(prefix) && !known.contains(name))
                .map(name -> new Violation(
                        JobSettings.JOB_PROPERTIES.name(),
                        name,
                        "%s jobs have no such property%s; expected one of %s"
                                .formatted(kind.name(), NearestName.aside(name, known), String.join(", ", known))));
    }

    private static Stream<Violation> missingProperties(JobKind kind, JobDefinition job) {
        return kind.properties().stream()
                .filter(KindProperty::isRequired)
                .filter(property ->
                        job.jobProperties().getOrDefault(property.name(), "").isBlank())
                .map(property -> new Violation(
                        JobSettings.JOB_PROPERTIES.name(),
                        "",
                        "a %s job needs the property \"%s\"".formatted(kind.name(), property.name())));
    }
}
