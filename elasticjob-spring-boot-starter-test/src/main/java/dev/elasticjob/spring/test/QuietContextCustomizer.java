package dev.elasticjob.spring.test;

import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Keeps a test that doesn't ask for jobs from running them, and from commanding them: it would join whichever cluster it
 * reaches. Any property source of the test or the application may say otherwise.
 */
record QuietContextCustomizer() implements ContextCustomizer {
    static final String SOURCE = "elasticJobTestDefaults";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
        context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource(SOURCE, Map.of(CommandGuard.ASKS, "false")));
        context.getBeanFactory().addBeanPostProcessor(new CommandGuard(context.getEnvironment()));
    }
}
