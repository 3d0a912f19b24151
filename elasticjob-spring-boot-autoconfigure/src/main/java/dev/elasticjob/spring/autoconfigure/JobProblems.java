package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.definition.text.PropertyText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ClassUtils;

/** The problems of an application's jobs, collected for one report. Used once, by one thread. */
final class JobProblems {
    private static final String ACTION =
            "Correct the problems listed above. A property overrides the annotation. The project's docs/reference/settings.md lists all"
                    + " settings with their defaults.";

    /** A job name that needs no brackets in a property name. */
    private static final Pattern PLAIN_NAME = Pattern.compile("\\p{Alnum}[\\p{Alnum}_-]*");

    private final String kindsWithoutCode;
    private final List<String> lines = new ArrayList<>();
    private final List<FailureAnalyzedException> withAdvice = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** @param kindsWithoutCode the types of jobs that need no bean */
    JobProblems(List<String> kindsWithoutCode) {
        int last = kindsWithoutCode.size() - 1;
        this.kindsWithoutCode =
                String.join(", ", kindsWithoutCode.subList(0, last)) + " or " + kindsWithoutCode.get(last);
    }

    void withoutName(String origin) {
        lines.add("@ElasticJob of %s has a blank name. Give the job a name.".formatted(origin));
    }

    void namesakes(List<Declared> declared) {
        declared.stream()
                .collect(Collectors.groupingBy(Declared::jobName, LinkedHashMap::new, Collectors.toList()))
                .forEach((name, namesakes) -> {
                    if (namesakes.size() > 1) {
                        String beans = namesakes.stream()
                                .map(one -> "\"%s\" (%s)".formatted(one.beanName(), one.origin()))
                                .collect(Collectors.joining(" and "));
                        lines.add("Job \"%s\" is declared by %d beans: %s. Give each job a name of its own."
                                .formatted(name, namesakes.size(), beans));
                    }
                });
    }

    void settings(SettingProblems found) {
        lines.addAll(found.lines());
        warnings.addAll(found.warnings());
    }

    void all(List<String> found) {
        lines.addAll(found);
    }

    void warn(List<String> found) {
        warnings.addAll(found);
    }

    /** A problem that has its own advice. */
    void add(FailureAnalyzedException problem) {
        withAdvice.add(problem);
        lines.add(problem.analysis().getDescription() + " " + problem.analysis().getAction());
    }

    void unresolvedName(Declared declared) {
        lines.add(
                ("The job's name \"%s\" contains a placeholder or an expression that has no value (%s). Define the property"
                                + " that it names, or write the name out. In the keys of properties, Spring replaces no"
                                + " placeholders.")
                        .formatted(declared.jobName(), source(declared)));
    }

    /** @param failOnUnknown whether settings of an undeclared job are an error; a profile may have left out the job */
    void propertiesOfJobs(JobProperties settings, SortedSet<String> declared, boolean failOnUnknown) {
        for (JobProperties.Key key : settings.keysBeside(declared)) {
            if (key.listed()) {
                lines.add(UnknownSetting.listed(ConfigurationPropertyName.of(key.property())));
            } else {
                (failOnUnknown ? lines : warnings).add(undeclared(key, declared));
            }
        }
        for (JobProperties.Key key : settings.ambiguous(declared)) {
            List<String> alike = declared.stream().filter(key::isFor).toList();
            String line =
                    "Property \"%s\" could be for any of the jobs %s, whose names have the same letters and digits. Write the"
                            + " name in brackets, for example \"%s\", or rename a job. Environment variables can't address these"
                            + " jobs.";
            lines.add(line.formatted(key.property(), String.join(", ", alike), bracketed(alike.get(0))));
        }
    }

    private String undeclared(JobProperties.Key key, SortedSet<String> declared) {
        return ("Property \"%s\" is for a job that no bean declares.%s The declared jobs are: %s. To declare a job with"
                        + " properties, set its \"bean\" to a SimpleJob or DataflowJob bean, or its \"job-type\" to"
                        + " %s.")
                .formatted(
                        key.property(),
                        NearestName.question(key.written(), declared),
                        declared.isEmpty() ? "none" : String.join(", ", declared),
                        kindsWithoutCode);
    }

    /** @param reasons why the method can't do the work of a job */
    void unusableMethod(Declared declared, List<String> reasons) {
        reasons.forEach(
                reason -> lines.add("@ElasticJob on %s can't be a job: %s.".formatted(declared.origin(), reason)));
    }

    /** Jobs of this application that run after each other in a circle: none of them would ever run. */
    void cycles(Collection<JobDefinition> definitions) {
        for (List<String> cycle : FollowerCycles.among(definitions)) {
            lines.add(
                    "The jobs %s run after each other in a circle, so none of them would ever run. Remove one from the \"after\" of another, for example \"%s\" from \"%s\"."
                            .formatted(
                                    cycle.stream().map("\"%s\""::formatted).collect(Collectors.joining(", ")),
                                    cycle.get(1),
                                    property(cycle.get(0), "after")));
        }
    }

    /**
     * Warns of jobs that run after one that this application doesn't declare, if it declares one of a similar name. Another
     * application may declare it.
     *
     * @param names of all jobs that the application declares, also of those that don't run on this instance
     */
    void parentsOfSimilarNames(Collection<JobDefinition> definitions, Collection<String> names) {
        for (JobDefinition definition : definitions) {
            for (String parent : definition.after().jobs()) {
                if (!names.contains(parent)) {
                    NearestName.to(parent, names)
                            .filter(similar -> !similar.equals(definition.jobName()))
                            .ifPresent(similar -> warnings.add(
                                    "Job \"%s\" runs after \"%s\", which this application doesn't declare. Did you mean \"%s\"?"
                                            .formatted(definition.jobName(), parent, similar)));
                }
            }
        }
    }

    void asynchronous(Declared declared, String method) {
        lines.add(("Job \"%s\": %s is @Async, so it would return before its work is done, and the item would count as"
                        + " ended while it still runs. Remove @Async: items have threads of their own.")
                .formatted(declared.jobName(), method));
    }

    void withoutBean(Declared declared, List<String> jobBeans) {
        lines.add(
                "Job \"%s\": property \"%s\" names the bean \"%s\", but there is no such bean.%s The job beans are: %s."
                        .formatted(
                                declared.jobName(),
                                property(declared.jobName(), "bean"),
                                declared.workBean(),
                                NearestName.question(declared.workBean(), jobBeans),
                                jobBeans.isEmpty() ? "none" : String.join(", ", jobBeans)));
    }

    void scoped(Declared declared, String scope) {
        lines.add(
                ("Job \"%s\": bean \"%s\" has the scope \"%s\", but one object runs all executions, on threads without"
                                + " a web request. Remove the scope. For a new object in each call, give it the scope"
                                + " \"prototype\" with proxyMode = ScopedProxyMode.TARGET_CLASS.")
                        .formatted(declared.jobName(), declared.workBean(), scope));
    }

    /** @param named the bean that the property names for a job which another bean declares */
    void anotherBean(Declared declared, String named) {
        lines.add(
                "Job \"%s\": property \"%s\" names the bean \"%s\", but bean \"%s\" (%s) declares the job. Remove the property, or the annotation."
                        .formatted(
                                declared.jobName(),
                                property(declared.jobName(), "bean"),
                                named,
                                declared.beanName(),
                                declared.origin()));
    }

    void wrongType(Declared declared, Object bean) {
        lines.add("Job \"%s\": bean \"%s\" (%s) must implement either SimpleJob or DataflowJob."
                .formatted(
                        declared.jobName(),
                        declared.workBean(),
                        ClassUtils.getUserClass(bean).getName()));
    }

    void violations(Declared declared, DefinitionMerge merge) {
        for (Violation violation : merge.violations()) {
            lines.add("Job \"%s\": %s. %s"
                    .formatted(declared.jobName(), violation, place(declared, merge, violation.setting())));
        }
    }

    /** The problems that don't fail startup. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    void throwIfAny() {
        if (lines.size() == 1 && withAdvice.size() == 1) {
            throw withAdvice.get(0);
        }
        if (!lines.isEmpty()) {
            throw new FailureAnalyzedException(
                    lines.stream()
                            .distinct()
                            .map(line -> "    - " + line)
                            .collect(Collectors.joining(
                                    System.lineSeparator(),
                                    "The application's jobs can't be set up:" + System.lineSeparator(),
                                    "")),
                    ACTION);
        }
    }

    private static String place(Declared declared, DefinitionMerge merge, String setting) {
        String source = source(declared);
        if (setting.equals("jobName")) {
            return "It is the name in %s.".formatted(source);
        }
        String property = property(declared.jobName(), PropertyText.name(setting));
        if (merge.isSetByProperty(setting)) {
            return "It comes from the property \"%s\".".formatted(property);
        }
        return declared.kind() == Declared.Kind.PROPERTIES
                ? "Set the property \"%s\".".formatted(property)
                : "It comes from %s; the property \"%s\" overrides it.".formatted(source, property);
    }

    private static String source(Declared declared) {
        return switch (declared.kind()) {
            case ANNOTATION -> "@ElasticJob of " + declared.origin();
            case DEFINITION -> "the JobDefinition bean \"%s\"".formatted(declared.beanName());
            case PROPERTIES -> declared.origin();
        };
    }

    /** @param setting in kebab case */
    static String property(String jobName, String setting) {
        return keyed(JobProperties.JOBS.toString(), jobName) + "." + setting;
    }

    /** @param map a property that is a map by name */
    static String keyed(String map, String name) {
        return PLAIN_NAME.matcher(name).matches() ? map + "." + name : "%s[%s]".formatted(map, name);
    }

    private static String bracketed(String jobName) {
        return JobProperties.JOBS + "[" + jobName + "]";
    }
}
