package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.PropertyResolver;

/**
 * Durations below {@code elasticjob} that are written without a unit, which Spring Boot takes for milliseconds: as a bean of
 * an application that binds its settings itself, as the stand-alone console does. It changes nothing of what is bound, so
 * whoever uses the settings asks for the {@link #problems()} first. Safe for use by any thread.
 */
public final class DurationsWithoutUnit implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("elasticjob");

    private final PropertyResolver environment;
    private final SortedMap<ConfigurationPropertyName, String> problems = new ConcurrentSkipListMap<>();

    /** @param environment resolves the placeholders */
    public DurationsWithoutUnit(PropertyResolver environment) {
        this.environment = environment;
    }

    /** One line for each of them that has been bound so far: what was found, and what is expected. */
    public List<String> problems() {
        return List.copyOf(problems.values());
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                ConfigurationProperty property = context.getConfigurationProperty();
                if (result instanceof Duration && property != null && OURS.isAncestorOf(name)) {
                    check(name, environment.resolvePlaceholders(String.valueOf(property.getValue())));
                }
                return super.onSuccess(name, target, context, result);
            }
        };
    }

    private void check(ConfigurationPropertyName name, String text) {
        WrittenDuration.problem(text)
                .ifPresent(problem -> problems.put(name, "\"%s\" is \"%s\": %s.".formatted(name, text, problem)));
    }
}
