package dev.elasticjob.spring.test;

import dev.elasticjob.admin.JobAdmin;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Refuses the commands of the starter's {@link JobAdmin} in a test that doesn't ask for jobs: they would act on whichever
 * registry it reaches, for example start a run of a job there. A {@code JobAdmin} of the test's own stays as it is.
 */
record CommandGuard(ConfigurableEnvironment environment) implements BeanPostProcessor {
    private static final String STARTERS_BEAN = "elasticJobAdmin";
    /** The property by which a test asks for jobs, or says that it only submits. */
    static final String ASKS = "elasticjob.worker.enabled";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return name.equals(STARTERS_BEAN) && bean instanceof JobAdmin && !isAskedFor() ? refusing() : bean;
    }

    private boolean isAskedFor() {
        return environment.getPropertySources().stream()
                .filter(source -> !source.getName().equals(QuietContextCustomizer.SOURCE))
                .filter(source -> !source.getName().equals("configurationProperties"))
                .anyMatch(source -> source.containsProperty(ASKS));
    }

    private static JobAdmin refusing() {
        return (JobAdmin) Proxy.newProxyInstance(
                JobAdmin.class.getClassLoader(), new Class<?>[] {JobAdmin.class}, CommandGuard::answer);
    }

    private static @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "the JobAdmin of a test without jobs";
            };
        }
        if (method.getReturnType() == JobAdmin.class) {
            return proxy;
        }
        throw new IllegalStateException(
                ("\"JobAdmin.%s\" was called in a test that doesn't ask for jobs; it would act on the configured registry,"
                                + " which other applications may share. Use @ElasticJobTest, whose registry is the test's"
                                + " own. If this test is meant to act on the configured one, set \"%s\" in it: to true to"
                                + " run the application's jobs, to false to submit only.")
                        .formatted(method.getName(), ASKS));
    }
}
