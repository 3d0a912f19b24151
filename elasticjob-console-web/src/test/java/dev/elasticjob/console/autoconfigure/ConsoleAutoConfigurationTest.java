package dev.elasticjob.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration.ServedConsole;
import dev.elasticjob.console.autoconfigure.ShownRegistries.Shown;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleRequest;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** As Spring Boot binds a boolean. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "no", "off", "0", "FALSE", "No", "OFF", "off "})
    void itCanBeSwitchedOff(String off) {
        servlet.withPropertyValues("elasticjob.console.enabled=" + off, "elasticjob.console.path=/not/used/")
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "yes", "on", "1", "TRUE", "Yes", "ON", "on "})
    void itCanBeSwitchedOn(String on) {
        servlet.withPropertyValues("elasticjob.console.enabled=" + on)
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isPresent());
    }

    @Test
    void aSwitchThatCannotBeReadEndsTheStart() {
        servlet.withPropertyValues("elasticjob.console.enabled=maybe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("'elasticjob.console.enabled'")
                        .hasStackTraceContaining("Invalid boolean value 'maybe'"));
    }

    @Test
    void itCanBeMoved() {
        servlet.withPropertyValues("elasticjob.console.path=/ops/jobs")
                .run(context ->
                        assertThat(context.getBean(ServedConsole.class).path()).isEqualTo("/ops/jobs"));
    }

    @Test
    void aPathOrAPropertyThatCannotBeUsedIsReported() {
        servlet.withPropertyValues("elasticjob.console.path=/jobs/")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("elasticjob.console.path"));
        servlet.withPropertyValues("elasticjob.console.sign-out-path=https://elsewhere")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("elasticjob.console.sign-out-path"));
        servlet.withPropertyValues("elasticjob.console.log-link=ftp://logs/{traceId}")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "Property \"elasticjob.console.log-link\" is \"ftp://logs/{traceId}\": it must")
                        .hasMessageContaining("it has {traceId}: expected placeholders of {job}"));
        servlet.withPropertyValues("elasticjob.console.colour=red")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("colour"));
    }

    @Test
    void eachTeamWithoutJobsOrWithoutRolesIsNamed() {
        servlet.withPropertyValues(
                        "elasticjob.console.roles.teams.billing.operator=BILLING",
                        "elasticjob.console.roles.teams.reports.jobs=report-*",
                        "elasticjob.console.roles.teams.orders.jobs=order-*,",
                        "elasticjob.console.roles.teams.orders.admin=ORDERS")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage(
                                "\"elasticjob.console.roles.teams.billing.jobs\" is empty: expected patterns of the names"
                                        + " of jobs, such as \"billing-*\"; \"elasticjob.console.roles.teams.reports\" has"
                                        + " no role: set its \"operator\", its \"admin\", or both;"
                                        + " \"elasticjob.console.roles.teams.orders.jobs\" can't be used: \"\": expected the"
                                        + " name of a job, in which * stands for any characters and ? for one; remove it, or"
                                        + " write *"));
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

    @Test
    void anApplicationMayDeclareWhatIsShown() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
                .withBean(ShownRegistries.class, () -> two(unused(JobInspector.class), unused(JobInspector.class)))
                .withPropertyValues("elasticjob.console.registries.north.connect-string=its-own-property")
                .run(context -> assertThat(context.getBean(ServedConsole.class).handler())
                        .isPresent());
    }

    @Test
    void aRegistryThatHangsDelaysNoOther() {
        var hangs = new CountDownLatch(1);
        JobInspector hanging = inspector(() -> {
            try {
                hangs.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // The console is closed.
            }
            return new CompletableFuture<>();
        });
        JobInspector answering = inspector(
                () -> CompletableFuture.completedFuture(new JobPage(List.of(), 0, Optional.empty(), Optional.empty())));

        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ConsoleAutoConfiguration.class))
                .withBean(ShownRegistries.class, () -> two(hanging, answering))
                .run(context -> {
                    var handler = context.getBean(ServedConsole.class).handler().orElseThrow();
                    for (int question = 0; question < 10; question++) {
                        handler.handle(list("north", "search=" + question));
                    }

                    var answer = handler.handle(list("south", "")).toCompletableFuture();

                    assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join().status())
                            .isEqualTo(200);
                });
        hangs.countDown();
    }

    private static ShownRegistries two(JobInspector north, JobInspector south) {
        JobAdmin admin = unused(JobAdmin.class);
        return new ShownRegistries(List.of(
                new Shown("north", "shop", ConsoleRegistry.Mode.OPERATED, north, admin),
                new Shown("south", "shop", ConsoleRegistry.Mode.OPERATED, south, admin)));
    }

    private static ConsoleRequest list(String registry, String query) {
        return new ConsoleRequest(
                "GET",
                "/api/v1/registries/" + registry + "/jobs",
                query,
                Map.of(),
                Optional.of(new Caller("mei", Set.of())),
                new byte[0],
                Optional::empty);
    }

    private static JobInspector inspector(Supplier<Object> answer) {
        return (JobInspector) Proxy.newProxyInstance(
                JobInspector.class.getClassLoader(),
                new Class<?>[] {JobInspector.class},
                (proxy, method, values) -> answer.get());
    }

    @Test
    void namesOfRegistriesArePartsOfAddresses() {
        for (String name : List.of("", "a/b", "..", ".hidden", "a b")) {
            assertThatThrownBy(() -> new Shown(
                            name,
                            "shop",
                            ConsoleRegistry.Mode.OPERATED,
                            unused(JobInspector.class),
                            unused(JobAdmin.class)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new ShownRegistries(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
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
