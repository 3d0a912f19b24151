package dev.elasticjob.spring.test;

import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** The settings of an {@link ElasticJobTest}. Tests with equal settings share an application. */
record ElasticJobContextCustomizer(JobEnvironment environment, Instant startTime, Duration timeout)
        implements ContextCustomizer {
    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
        TestPropertyValues.of(
                        "elasticjob.enabled=true",
                        "elasticjob.worker.enabled=true",
                        // A test may leave out jobs for which the application has settings.
                        "elasticjob.fail-on-unknown-jobs=false",
                        "elasticjob.registry.server-tick=" + TestRegistry.TICK)
                .applyTo(context);
        context.getBeanFactory().registerSingleton("elasticJobTestSettings", this);
        new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context.getBeanFactory())
                .register(ElasticJobTestConfiguration.class);
    }
}
