package dev.elasticjob.console.api;

import dev.elasticjob.console.api.PastedProperties.Property;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.RefusedException;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.Setting.DeclaredBy;
import dev.elasticjob.definition.codec.GroupParts;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.definition.text.PropertyText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * Reads the settings of a job from the block of an {@code application.yml} that declares it, or from its settings alone, as Spring
 * Boot reads them; the opposite of the YAML that a definition is shown as. Whether the values can be used says whoever takes
 * them over. Pure.
 */
final class YamlSettings {
    private static final List<String> JOBS = List.of("elasticjob", "jobs");

    /** Part of a definition, but no setting that anybody changes in the registry. */
    private static final Set<String> OF_THE_APPLICATION = Set.of("jobExceptionHandler", "executorServiceHandler");

    private static final int MOST_PROBLEMS = 50;
    private static final int LONGEST_SHOWN = 100;

    /** As Spring Boot reads booleans. */
    private static final Set<String> TRUE = Set.of("true", "on", "yes", "1");

    private static final Set<String> FALSE = Set.of("false", "off", "no", "0");

    private static final Map<String, Target> TARGETS = targets();

    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private final Set<String> ignored = new LinkedHashSet<>();

    private YamlSettings() {}

    /**
     * What a text declares.
     *
     * @param job the one that the text names; empty if it has settings only
     * @param settings by name, groups as maps, in the form that a change takes
     * @param standard the values of jobs that don't set them, by the whole names of those settings that an operator may change
     *     and whose default is the same everywhere
     * @param ignored what the text has, and only applications decide
     */
    record Declared(
            Optional<String> job, Map<String, Object> settings, Map<String, Object> standard, Set<String> ignored) {}

    /** A setting, or a part of a group, as a change names it. */
    private record Target(List<String> path, Object standard, DeclaredBy declaredBy) {
        String name() {
            return String.join(".", path);
        }
    }

    /**
     * @param job of several that the text declares, the one that is meant
     * @throws InvalidRequestException with everything in the text that can't be read, by its line
     */
    static Declared read(String job, String yaml) {
        if (!ClassUtils.isPresent("org.yaml.snakeyaml.Yaml", YamlSettings.class.getClassLoader())) {
            throw new RefusedException(
                    "This application has left out org.yaml:snakeyaml, which reads YAML: add it, or change the settings in the form");
        }
        return new YamlSettings().declared(job, PastedProperties.properties(yaml));
    }

    private Declared declared(String job, List<Property> all) {
        List<Property> ofJobs = new ArrayList<>();
        List<Property> alone = new ArrayList<>();
        all.forEach(property -> sort(property, ofJobs, alone));
        Set<String> named = new LinkedHashSet<>();
        ofJobs.forEach(property -> named.add(property.element(2)));
        Optional<String> meant =
                named.contains(job) ? Optional.of(job) : named.stream().findFirst();
        if (named.size() > 1 && !named.contains(job)) {
            violations.add(new Violation(
                    "yaml", String.join(", ", named), "expected one job, or \"%s\" among several".formatted(job)));
        }
        alone.forEach(this::add);
        ofJobs.stream()
                .filter(property -> meant.filter(property.element(2)::equals).isPresent())
                .map(property -> property.after(JOBS.size() + 1))
                .forEach(this::add);
        if (violations.isEmpty() && settings.isEmpty() && ignored.isEmpty() && meant.isEmpty()) {
            violations.add(new Violation(
                    "yaml",
                    "",
                    "expected settings of a job, such as \"cron: 0 0 4 * * ?\", or a job below elasticjob.jobs"));
        }
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
        return new Declared(meant, settings, standards(), ignored);
    }

    private void sort(Property property, List<Property> ofJobs, List<Property> alone) {
        if (property.elements() == 0) {
            wrong(property, property.name().toString(), "expected the name of a setting");
        } else if (!property.uniform(1).equals(JOBS.get(0))) {
            alone.add(property);
        } else if (property.elements() > 2 && property.uniform(2).equals(String.join(".", JOBS))) {
            ofJobs.add(property);
        } else {
            wrong(
                    property,
                    property.name().toString(),
                    "only the settings of jobs can be taken over, below elasticjob.jobs");
        }
    }

    // ------------------------------------------------------------------ one property

    private void add(Property property) {
        if (property.elements() == 0) {
            // A job that declares nothing has only defaults.
            if (!text(property).isEmpty()) {
                wrong(property, text(property), "expected the settings of a job");
            }
            return;
        }
        for (int elements = Math.min(2, property.elements()); elements > 0; elements--) {
            Target target = TARGETS.get(property.uniform(elements));
            if (target != null) {
                add(target, property, property.after(elements));
                return;
            }
        }
        Optional<String> others = OF_THE_APPLICATION.stream()
                .filter(name -> name.equalsIgnoreCase(property.uniform(1)))
                .findFirst();
        others.ifPresentOrElse(
                ignored::add,
                () -> wrong(
                        property,
                        property.element(0),
                        "there is no such setting in the registry"
                                + NearestName.aside(property.element(0), namesLike(property.element(0)))));
    }

    private void add(Target target, Property whole, Property rest) {
        Object standard = target.standard();
        if (target.declaredBy() == DeclaredBy.CODE) {
            ignored.add(target.name());
        } else if (standard instanceof Map<?, ?>) {
            Map<String, Object> entries = inside(target);
            if (rest.elements() > 0) {
                entries.put(key(rest), text(whole));
            } else if (!text(whole).isEmpty()) {
                wrong(whole, target.name(), "expected entries below it, each with a name and a value");
            }
        } else if (standard instanceof List<?>) {
            list(target).addAll(elements(whole));
        } else if (rest.elements() > 0) {
            wrong(whole, target.name(), "expected a value, not further settings");
        } else {
            group(target).put(last(target), value(standard, whole));
        }
    }

    /** A key of a map may have dots. */
    private static String key(Property rest) {
        StringBuilder key = new StringBuilder(rest.element(0));
        for (int at = 1; at < rest.elements(); at++) {
            key.append('.').append(rest.element(at));
        }
        return key.toString();
    }

    private Object value(Object standard, Property property) {
        String text = text(property);
        if (standard instanceof Enum<?> || standard instanceof JobType) {
            return text.toUpperCase(Locale.ROOT).replace('-', '_');
        }
        if (standard instanceof Boolean) {
            String word = text.toLowerCase(Locale.ROOT);
            return TRUE.contains(word) ? true : FALSE.contains(word) ? false : text;
        }
        return property.value() instanceof Number number && standard instanceof Number ? number : text;
    }

    private List<String> elements(Property property) {
        String text = text(property);
        return property.name().isLastElementIndexed()
                ? List.of(text)
                : Stream.of(text.split(","))
                        .map(String::strip)
                        .filter(one -> !one.isEmpty())
                        .toList();
    }

    /** As Spring reads it; what it would take from its environment isn't known here. */
    private String text(Property property) {
        String written = String.valueOf(property.value());
        return PropertyText.value(written).orElseGet(() -> {
            wrong(property, written, "the console doesn't know an application's placeholders: write the value");
            return "";
        });
    }

    private void wrong(Property property, String found, String expected) {
        if (violations.size() < MOST_PROBLEMS) {
            String shown = found.length() <= LONGEST_SHOWN ? found : found.substring(0, LONGEST_SHOWN) + "…";
            violations.add(new Violation("yaml" + property.line(), shown, "\"%s\": %s".formatted(shown, expected)));
        }
    }

    // ------------------------------------------------------------------ the settings, as a change takes them

    private Map<String, Object> group(Target target) {
        return target.path().size() == 1
                ? settings
                : map(settings, target.path().get(0));
    }

    private Map<String, Object> inside(Target target) {
        return map(group(target), last(target));
    }

    @SuppressWarnings("unchecked") // Only maps are put below the names of maps.
    private static Map<String, Object> map(Map<String, Object> in, String name) {
        return (Map<String, Object>) in.computeIfAbsent(name, any -> new LinkedHashMap<String, Object>());
    }

    @SuppressWarnings("unchecked") // The same of lists.
    private List<String> list(Target target) {
        return (List<String>) group(target).computeIfAbsent(last(target), any -> new ArrayList<String>());
    }

    private static String last(Target target) {
        return target.path().get(target.path().size() - 1);
    }

    // ------------------------------------------------------------------ all settings that there are

    private static Map<String, Target> targets() {
        Map<String, Target> targets = new HashMap<>();
        for (Setting<?> setting : JobSettings.ALL) {
            Object standard = setting == JobSettings.HTTP ? HttpRequestSettings.of("") : setting.standard();
            if (standard instanceof Record group && JobSettings.GROUPS.contains(setting)) {
                GroupParts.of(group).forEach((part, usual) -> {
                    String name = setting.name() + "." + part;
                    targets.put(
                            uniform(JobSettings.DECLARED_NAMES.getOrDefault(name, name)),
                            new Target(List.of(setting.name(), part), usual, setting.declaredBy()));
                });
            } else {
                targets.put(
                        uniform(setting.name()), new Target(List.of(setting.name()), standard, setting.declaredBy()));
            }
        }
        return Map.copyOf(targets);
    }

    private static String uniform(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** As the text writes its own. */
    private static Collection<String> namesLike(String written) {
        boolean camel = !written.equals(written.toLowerCase(Locale.ROOT));
        return TARGETS.values().stream()
                .map(Target::name)
                .map(name -> camel ? name : PropertyText.name(name))
                .toList();
    }

    private static Map<String, Object> standards() {
        Map<String, Object> standards = new TreeMap<>();
        TARGETS.values().stream()
                .filter(target -> target.declaredBy() == DeclaredBy.ANNOTATION_OR_PROPERTY)
                .filter(target -> !target.name().equals(JobSettings.TIME_ZONE.name()))
                .forEach(target -> standards.put(target.name(), json(target.standard())));
        return standards;
    }

    private static Object json(Object value) {
        if (value instanceof Enum<?> word) {
            return word.name();
        }
        return value instanceof Duration ? value.toString() : value instanceof Optional<?> ? "" : value;
    }
}
