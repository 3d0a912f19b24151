package dev.elasticjob.spring.autoconfigure;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.PropertyResolver;

/**
 * What of the properties below {@code elasticjob} can't be read in an application that binds them itself, as the stand-alone
 * console does: values of the wrong type, durations without a unit, placeholders that no property resolves. As a bean it
 * replaces Spring Boot's report, which ends at the first of them, and takes a number for milliseconds. A value that can't be
 * read counts as not set, so whoever uses the settings asks for the {@link #problems()} first. Safe for use by any thread.
 */
public final class UnreadableProperties implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("elasticjob");

    private final PropertyResolver environment;
    private final SortedMap<ConfigurationPropertyName, String> problems = new ConcurrentSkipListMap<>();

    /** @param environment resolves the placeholders */
    public UnreadableProperties(PropertyResolver environment) {
        this.environment = environment;
    }

    /** One line for each property that can't be read, of what has been bound so far: what was found, and what is expected. */
    public List<String> problems() {
        return List.copyOf(problems.values());
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new Handler(handler, new TolerantBinding(environment));
    }

    private final class Handler extends AbstractBindHandler {
        private final TolerantBinding tolerant;

        private Handler(BindHandler parent, TolerantBinding tolerant) {
            super(parent);
            this.tolerant = tolerant;
        }

        @Override
        public @Nullable Object onSuccess(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
            Object bound = super.onSuccess(name, target, context, result);
            return bound == null || !OURS.isAncestorOf(name)
                    ? bound
                    : remembered(tolerant.onSuccess(name, target, context, bound));
        }

        @Override
        public @Nullable Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                throws Exception {
            if (!OURS.isAncestorOf(name)
                    || context.getConfigurationProperty() == null
                    || error instanceof UnboundConfigurationPropertiesException) {
                return super.onFailure(name, target, context, error);
            }
            // The property exists, so it must not be told as unknown as well.
            super.onSuccess(name, target, context, "");
            return remembered(tolerant.onFailure(name, target, context, error));
        }

        private @Nullable Object remembered(@Nullable Object bound) {
            problems.putAll(tolerant.problems());
            return bound;
        }
    }
}
