package dev.elasticjob.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * What can't be used of the properties below {@code elasticjob}: values that can't be read, and unknown names. Spring Boot's
 * own check would report the first of them, and nothing else. Like that check, this one ignores unknown names among
 * environment variables and system properties.
 *
 * @param lines one line of the report for each property
 * @param warnings one line for each property that can be used, but probably isn't what was meant
 */
record SettingProblems(List<String> lines, List<String> warnings) {
    private static final String ALL = "elasticjob";
    /** The console checks its own properties, if it is there. */
    private static final ConfigurationPropertyName CONSOLE = ConfigurationPropertyName.of("elasticjob.console");

    private static final String CONSOLE_CLASS = "dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration";

    static SettingProblems in(Environment environment) {
        var tolerant = new TolerantBinding(environment);
        var handler = new Collecting(tolerant);
        Binder.get(environment).bind(ALL, Bindable.of(ElasticJobProperties.class), handler);
        boolean console = ClassUtils.isPresent(CONSOLE_CLASS, SettingProblems.class.getClassLoader());
        var withoutLetters = KeysWithoutLetters.in(environment);
        Set<ConfigurationPropertyName> mistaken = withoutLetters.mistaken();
        List<ConfigurationPropertyName> told = tolerant.problems().keySet().stream()
                .filter(name -> !mistaken.contains(name))
                .toList();
        Stream<String> unreadable = told.stream().map(tolerant.problems()::get);
        Stream<String> unknown = handler.unknown.stream()
                .filter(property -> !(console && CONSOLE.isAncestorOf(property.getName())))
                .filter(property -> !mistaken.contains(property.getName()))
                .filter(property -> told.stream()
                        .noneMatch(name -> name.equals(property.getName()) || name.isAncestorOf(property.getName())))
                .sorted()
                .map(UnknownSetting::line);
        List<String> lines = Stream.of(unreadable, unknown, withoutLetters.lines().stream())
                .flatMap(some -> some)
                .distinct()
                .toList();
        return new SettingProblems(lines, List.copyOf(tolerant.warnings()));
    }

    private static final class Collecting extends NoUnboundElementsBindHandler {
        private final TolerantBinding tolerant;
        private Set<ConfigurationProperty> unknown = Set.of();

        Collecting(TolerantBinding tolerant) {
            super(tolerant, new UnboundElementsSourceFilter());
            this.tolerant = tolerant;
        }

        @Override
        public @Nullable Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
            return tolerant.onFailure(name, target, context, error);
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
