package dev.elasticjob.spring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Unknown properties below {@code elasticjob}. Spring Boot's own check would report them without the other problems of
 * the application's jobs. Like that check, this one ignores environment variables and system properties.
 */
final class UnknownSettings {
    private static final int FIRST_OF_JOB = JobSettings.JOBS.getNumberOfElements();

    /** The console checks its own properties, if it is there. */
    private static final ConfigurationPropertyName CONSOLE = ConfigurationPropertyName.of("elasticjob.console");

    private static final String CONSOLE_CLASS = "dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration";

    private static final Set<String> OF_A_JOB = Arrays.stream(ElasticJobProperties.Job.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    private UnknownSettings() {}

    /** One line of the report for each property. */
    static List<String> in(Environment environment) {
        var handler = new Collecting();
        Binder.get(environment).bind("elasticjob", Bindable.of(ElasticJobProperties.class), handler);
        boolean console = ClassUtils.isPresent(CONSOLE_CLASS, UnknownSettings.class.getClassLoader());
        return handler.unknown.stream()
                .filter(property -> !(console && CONSOLE.isAncestorOf(property.getName())))
                .sorted()
                .map(UnknownSettings::line)
                .toList();
    }

    private static String line(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        String origin = property.getOrigin() == null ? "" : " (%s)".formatted(property.getOrigin());
        return "Property \"%s\"%s is unknown. %s"
                .formatted(
                        name,
                        origin,
                        inBrackets(name)
                                .map(
                                        "If the dots belong to the job's name, write the name in brackets: \"%s\"."
                                                ::formatted)
                                .orElse("Correct or remove it."));
    }

    /** The property with brackets around the job's name, if the name has more than one element. */
    private static Optional<String> inBrackets(ConfigurationPropertyName name) {
        int elements = name.getNumberOfElements();
        boolean ofAJob = elements > FIRST_OF_JOB + 2
                && JobSettings.JOBS.isAncestorOf(name)
                && !isSettingOfAJob(name, FIRST_OF_JOB + 1);
        return IntStream.range(FIRST_OF_JOB + 2, ofAJob ? elements : 0)
                .filter(index -> isSettingOfAJob(name, index))
                .mapToObj(index -> {
                    ConfigurationPropertyName job = name.chop(index).subName(FIRST_OF_JOB);
                    return "%s[%s].%s".formatted(JobSettings.JOBS, job, name.subName(index));
                })
                .findFirst();
    }

    private static boolean isSettingOfAJob(ConfigurationPropertyName name, int index) {
        return OF_A_JOB.contains(name.getElement(index, Form.UNIFORM));
    }

    private static final class Collecting extends NoUnboundElementsBindHandler {
        private Set<ConfigurationProperty> unknown = Set.of();

        Collecting() {
            super(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        }

        @Override
        public void onFinish(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                throws Exception {
            try {
                super.onFinish(name, target, context, result);
            } catch (UnboundConfigurationPropertiesException e) {
                unknown = e.getUnboundProperties();
            }
        }
    }
}
