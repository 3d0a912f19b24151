package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.console.api.CommandRoutes;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.api.JobRoutes;
import dev.elasticjob.console.api.SessionRoute;
import dev.elasticjob.console.live.Asking;
import dev.elasticjob.console.live.Pictures;
import dev.elasticjob.console.page.PageRoutes;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.ConsoleHandler;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The console, if the application is a web application with jobs. Without Spring Security it is served only if the
 * application says so.
 */
@AutoConfiguration(afterName = "dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration")
@ConditionalOnWebApplication
@ConditionalOnClass({JobInspector.class, PathPattern.class})
@ConditionalOnBean({JobInspector.class, JobAdmin.class})
@ConditionalOnBooleanProperty(name = "elasticjob.console.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ConsoleProperties.class)
public final class ConsoleAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(ConsoleAutoConfiguration.class);
    private static final String SECURITY = "org.springframework.security.web.SecurityFilterChain";
    private static final String NAMESPACE = "elasticjob.registry.namespace";

    /** The only registry of an embedded console. */
    private static final String REGISTRY = "default";

    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int HELD = 200;

    /** Whether the application has Spring Security. */
    private static boolean isSecured(ApplicationContext application) {
        return ClassUtils.isPresent(SECURITY, application.getClassLoader());
    }

    @Bean
    ConsoleThreads elasticJobConsoleThreads() {
        return new ConsoleThreads();
    }

    @Bean
    ServedConsole elasticJobConsole(
            ConsoleProperties properties,
            ConsoleThreads threads,
            ObjectProvider<JobInspector> inspectors,
            ObjectProvider<JobAdmin> admins,
            ApplicationContext application) {
        String path = path(properties.path());
        boolean secured = isSecured(application);
        if (!secured && properties.unsecured() == ConsoleProperties.Unsecured.NOTHING) {
            log.warn("The console is not served, because the application has no Spring Security. Add"
                    + " spring-boot-starter-security, or set \"elasticjob.console.unsecured=read-only\" to let"
                    + " everybody who can reach the application look at its jobs");
            return new ServedConsole(Optional.empty(), path, secured);
        }
        JobInspector inspector = inspectors.getIfUnique();
        JobAdmin admin = admins.getIfUnique();
        if (inspector == null || admin == null) {
            log.warn("The console is not served, because the application has several beans of the type JobInspector or"
                    + " JobAdmin. Mark one of each as @Primary");
            return new ServedConsole(Optional.empty(), path, secured);
        }
        var asking = new Asking(threads.timer(), threads.executor(), ANSWER);
        var pictures = new Pictures(asking, Clock.systemUTC(), Json::bytes, HELD);
        String namespace = application.getEnvironment().getProperty(NAMESPACE, "elasticjob");
        var registry = new ConsoleRegistry(REGISTRY, namespace, inspector, admin, asking, pictures);
        log.info("The console is served at \"{}/\" below the context path of the application", path);
        return new ServedConsole(
                Optional.of(handler(registry, path, access(properties.roles(), secured))), path, secured);
    }

    private static ConsoleHandler handler(ConsoleRegistry registry, String path, Access access) {
        List<Route> routes = new ArrayList<>(PageRoutes.fromClassPath(path).routes());
        routes.add(SessionRoute.of(access, List.of(registry), version()).route());
        routes.addAll(new JobRoutes(Map.of(registry.name(), registry)).routes());
        routes.addAll(new CommandRoutes(Map.of(registry.name(), registry)).routes());
        return new ConsoleHandler(routes, access);
    }

    private static Access access(ConsoleProperties.Roles roles, boolean secured) {
        return new Access(
                secured ? Access.Unsecured.NOTHING : Access.Unsecured.READ_ONLY,
                Optional.ofNullable(roles.viewer()),
                Optional.ofNullable(roles.operator()),
                Optional.ofNullable(roles.admin()));
    }

    private static String path(String path) {
        if (!path.matches("(/[A-Za-z0-9._-]+)+")) {
            throw new IllegalArgumentException(
                    ("Property \"elasticjob.console.path\" is \"%s\": expected a path such as \"/elasticjob\", of letters,"
                                    + " digits, dots, dashes and underscores, without a slash at its end")
                            .formatted(path));
        }
        return path;
    }

    private static String version() {
        return Optional.ofNullable(ConsoleAutoConfiguration.class.getPackage().getImplementationVersion())
                .orElse("");
    }

    /**
     * The console and its path.
     *
     * @param handler empty if the console is not served
     * @param secured whether the application has Spring Security
     */
    record ServedConsole(Optional<ConsoleHandler> handler, String path, boolean secured) {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @Import(ServletDoor.class)
    static class InServletApplication {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @Import(ReactiveDoor.class)
    static class InReactiveApplication {}
}
