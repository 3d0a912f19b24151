package dev.elasticjob.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration.ServedConsole;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** In which applications the console is served. */
@ExtendWith(OutputCaptureExtension.class)
class ConsoleAutoConfigurationTest {
    private static final FilteredClassLoader NO_SECURITY = new FilteredClassLoader("org.springframework.security");

    private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
            .withBean(JobInspector.class, () -> unused(JobInspector.class))
            .withBean(JobAdmin.class, () -> unused(JobAdmin.class));

    @Test
    void itIsServedWithSecurity() {
        servlet.run(context ->
                assertThat(context.getBean(ServedConsole.class).handler()).isPresent());
    }

    @Test
    void withoutSecurityItIsNotServedAndTheLogSaysWhy(CapturedOutput output) {
        servlet.withClassLoader(NO_SECURITY)
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isEmpty());

        assertThat(output)
                .contains("The console is not served", "elasticjob.console.unsecured=read-only", "starter-security");
    }

    @Test
    void withoutSecurityTheApplicationMayServeReads() {
        servlet.withClassLoader(NO_SECURITY)
                .withPropertyValues("elasticjob.console.unsecured=read-only")
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isPresent());
    }

    @Test
    void anApplicationWithSeveralInspectorsStartsWithoutIt(CapturedOutput output) {
        servlet.withBean("second", JobInspector.class, () -> unused(JobInspector.class))
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isEmpty());

        assertThat(output).contains("Mark one of each as @Primary");
    }

    @Test
    void itCanBeSwitchedOffAndMoved() {
        servlet.withPropertyValues("elasticjob.console.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ServedConsole.class));
        servlet.withPropertyValues("elasticjob.console.path=/ops/jobs")
                .run(context ->
                        assertThat(context.getBean(ServedConsole.class).path()).isEqualTo("/ops/jobs"));
    }

    @Test
    void aPathOrAPropertyThatCannotBeUsedIsReported() {
        servlet.withPropertyValues("elasticjob.console.path=/jobs/")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("elasticjob.console.path"));
        servlet.withPropertyValues("elasticjob.console.colour=red")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void anApplicationWithoutAWebServerHasNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
                .withBean(JobInspector.class, () -> unused(JobInspector.class))
                .withBean(JobAdmin.class, () -> unused(JobAdmin.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ServedConsole.class));
    }

    @Test
    void aReactiveApplicationNeedsNoServlets() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("jakarta.servlet", "org.springframework.security"))
                .withPropertyValues("elasticjob.console.unsecured=read-only")
                .withBean(JobInspector.class, () -> unused(JobInspector.class))
                .withBean(JobAdmin.class, () -> unused(JobAdmin.class))
                .run(context -> assertThat(context).hasNotFailed().hasBean("elasticJobConsoleRouter"));
    }

    @Test
    void aServletApplicationNeedsNoReactor() {
        servlet.withClassLoader(new FilteredClassLoader("reactor", "org.springframework.web.reactive"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("elasticJobConsoleServlet"));
    }

    @Test
    void anApplicationWithoutJobsHasNone() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ServedConsole.class));
    }

    /** Nothing may be asked of it when the application starts. */
    private static <T> T unused(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, values) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (method.getName()) {
                            case "equals" -> proxy == values[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> port.getSimpleName();
                        };
                    }
                    throw new AssertionError(method + " was called");
                }));
    }
}
