package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.time.WrittenDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.PropertyResolver;
import org.springframework.util.ClassUtils;

/**
 * Binds what can be read and remembers what can't, so that one report has all of it: values of the wrong type, durations
 * without a unit, and placeholders that no property resolves. What can't be read counts as not set. Used once, by one
 * thread.
 */
final class TolerantBinding extends AbstractBindHandler {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]*)[^}]*}");
    /** Where the name of a job's setting begins. */
    private static final int SETTING_OF_JOB = JobProperties.JOBS.getNumberOfElements() + 1;
    /** Texts of jobs that may contain anything. */
    private static final Set<String> FREE_TEXTS =
            Set.of("jobparameter", "shardingitemparameters", "jobproperties", "description", "scriptcommandline");
    /** Their references are replaced when a request is sent: see {@link SecretReferences}. */
    private static final Set<String> WITH_REFERENCES = Set.of("headers", "body");

    private static final Set<String> SECRETS =
            Set.of("secrets", "secret", "password", "digest", "url", "headers", "body");

    private final PropertyResolver environment;
    private final SortedMap<ConfigurationPropertyName, String> problems = new TreeMap<>();
    private final SortedMap<ConfigurationPropertyName, String> warnings = new TreeMap<>();

    TolerantBinding(PropertyResolver environment) {
        this.environment = environment;
    }

    /** One line of the report for each property that can't be used. */
    Map<ConfigurationPropertyName, String> problems() {
        return problems;
    }

    /** One line for each property that can be used, but probably isn't what was meant. */
    Collection<String> warnings() {
        return warnings.values();
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property == null || result instanceof Record || result instanceof Map) {
            return result;
        }
        String text = text(property);
        if (result instanceof Duration && WrittenDuration.problem(text).isPresent()) {
            return refused(
                    property, is(property, text), WrittenDuration.problem(text).get() + ".");
        }
        Optional<String> missing = unresolved(property, text);
        return missing.isEmpty() ? result : withoutPlaceholder(property, text, missing.get(), result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (error instanceof UnboundConfigurationPropertiesException) {
            return null;
        }
        if (property == null) {
            problems.put(name, "Property \"%s\" can't be read: %s.".formatted(name, cause(error)));
            return null;
        }
        String text = text(property);
        Optional<String> missing = unresolved(property, text);
        if (missing.isPresent()) {
            return refused(property, is(property, text), define(missing.get()));
        }
        return refused(
                property, is(property, text), expected(target.getType().resolve(Object.class), text, error) + ".");
    }

    private @Nullable Object refused(ConfigurationProperty property, String found, String expected) {
        problems.put(property.getName(), "Property %s: %s".formatted(found, expected));
        return null;
    }

    private @Nullable Object withoutPlaceholder(
            ConfigurationProperty property, String text, String missing, Object result) {
        if (isOfJob(property.getName(), WITH_REFERENCES)) {
            return result;
        }
        if (!isOfJob(property.getName(), FREE_TEXTS)) {
            return refused(property, is(property, text), define(missing));
        }
        warnings.put(
                property.getName(),
                "Property %s, and no property \"%s\" exists: the job gets this text as it is. If it was to be replaced, %s"
                        .formatted(is(property, text), missing, define(missing)));
        return result;
    }

    private static String define(String missing) {
        return "define the property \"%1$s\", correct the name, or give a value for when it is missing, as in ${%1$s:value}."
                .formatted(missing);
    }

    /** The name in the first placeholder that is still there. One with a backslash in front was meant as text. */
    private static Optional<String> unresolved(ConfigurationProperty property, String text) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        boolean escaped = String.valueOf(property.getValue()).contains("\\${");
        return placeholder.find() && !escaped ? Optional.of(placeholder.group(1)) : Optional.empty();
    }

    private String text(ConfigurationProperty property) {
        return environment.resolvePlaceholders(String.valueOf(property.getValue()));
    }

    private static String is(ConfigurationProperty property, String text) {
        ConfigurationPropertyName name = property.getName();
        boolean secret = elements(name, 0).stream().anyMatch(SECRETS::contains);
        String origin = property.getOrigin() == null ? "" : " (%s)".formatted(property.getOrigin());
        return "\"%s\"%s is %s".formatted(name, origin, secret ? "a text that is not shown" : "\"" + text + "\"");
    }

    private static boolean isOfJob(ConfigurationPropertyName name, Set<String> settings) {
        return JobProperties.JOBS.isAncestorOf(name)
                && elements(name, SETTING_OF_JOB).stream().anyMatch(settings::contains);
    }

    private static List<String> elements(ConfigurationPropertyName name, int from) {
        return IntStream.range(from, name.getNumberOfElements())
                .mapToObj(index -> name.getElement(index, Form.UNIFORM))
                .toList();
    }

    private static String expected(Class<?> type, String text, Exception error) {
        Class<?> wanted = ClassUtils.resolvePrimitiveIfNecessary(type);
        if (wanted.isEnum()) {
            return expectedOne(wanted, text);
        }
        if (wanted == Duration.class) {
            return WrittenDuration.problem(text).orElse("expected a duration, for example 5s, 500ms or PT1M");
        }
        if (wanted == Boolean.class) {
            return "expected true or false";
        }
        if (wanted == Integer.class) {
            return "expected a whole number up to " + Integer.MAX_VALUE;
        }
        if (wanted == Double.class) {
            return "expected a number";
        }
        if (wanted == Instant.class) {
            return DeclaredSettings.A_TIME;
        }
        if (wanted == ZoneId.class) {
            return "expected a time zone, for example Europe/Berlin or UTC";
        }
        if (wanted == Path.class) {
            return "expected a path";
        }
        if (Collection.class.isAssignableFrom(wanted)) {
            return "expected names of classes on the class path (%s)".formatted(cause(error));
        }
        return wanted.isRecord() || Map.class.isAssignableFrom(wanted)
                ? "expected no value here, but settings below this name"
                : cause(error);
    }

    private static String expectedOne(Class<?> type, String text) {
        List<String> known = Arrays.stream(type.getEnumConstants())
                .map(one -> one.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        return "expected one of %s.%s"
                .formatted(String.join(", ", known), NearestName.question(text, known))
                .replaceFirst("[.]$", "");
    }

    private static String cause(Exception error) {
        return String.valueOf(NestedExceptionUtils.getMostSpecificCause(error).getMessage())
                .replaceFirst("[.]$", "");
    }
}
