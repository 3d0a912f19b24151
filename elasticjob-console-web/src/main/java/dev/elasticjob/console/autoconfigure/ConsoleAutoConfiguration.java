package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.console.api.ApiRoutes;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.api.Histories;
import dev.elasticjob.console.api.LogLink;
import dev.elasticjob.console.autoconfigure.ShownRegistries.Shown;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.live.Queries;
import dev.elasticjob.console.live.Snapshots;
import dev.elasticjob.console.page.PageRoutes;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.ConsoleHandler;
import dev.elasticjob.console.web.Json;
import dev.elasticjob.console.web.Route;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The console, if the application is a web application with jobs. Without Spring Security it is served only if the
 * application says so. Its switch is no condition, but the value that is bound: Spring Boot's condition knows only "true" and
 * "false", and with Spring AOT the build would decide.
 */
@AutoConfiguration(
        afterName = {
            "dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration",
            "dev.elasticjob.spring.trace.JobTraceAutoConfiguration"
        })
@ConditionalOnWebApplication
@ConditionalOnClass({JobInspector.class, PathPattern.class})
@Conditional(ConsoleAutoConfiguration.SomethingToShow.class)
@EnableConfigurationProperties(ConsoleProperties.class)
@Import(HistoryOfHost.class)
public final class ConsoleAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(ConsoleAutoConfiguration.class);
    private static final String SECURITY = "org.springframework.security.web.SecurityFilterChain";
    private static final String PROPERTIES = "elasticjob.console";
    private static final String NAMESPACE = "elasticjob.registry.namespace";

    /** The only registry of an embedded console. */
    private static final String REGISTRY = "default";

    private static final String TRACED =
            "Set \"elasticjob.tracing.enabled=true\" in the applications that run the jobs";

    private static final GroupInspector NO_GROUPS = new GroupInspector() {
        @Override
        public CompletionStage<List<GroupReport>> groups() {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<List<GroupReport>> all() {
            return groups();
        }
    };

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
            ObjectProvider<ShownRegistries> declared,
            ObjectProvider<JobInspector> inspectors,
            ObjectProvider<JobAdmin> admins,
            ObjectProvider<GroupInspector> groups,
            ObjectProvider<ConsoleHistory> histories,
            ApplicationContext application) {
        if (!properties.enabled()) {
            return ServedConsole.none(properties.path(), isSecured(application));
        }
        String path = path("path", properties.path());
        Optional<LogLink> logLink = Optional.ofNullable(properties.logLink()).map(ConsoleAutoConfiguration::logLink);
        boolean secured = isSecured(application);
        ShownRegistries given = declared.getIfAvailable();
        if (given == null) {
            reportUnknownProperties(application.getEnvironment());
        }
        if (!isSafe(properties, secured)) {
            return ServedConsole.none(path, secured);
        }
        Optional<ShownRegistries> shown = Optional.ofNullable(given)
                .or(() -> own(
                        inspectors.getIfUnique(),
                        admins.getIfUnique(),
                        Optional.ofNullable(groups.getIfUnique()),
                        application.getEnvironment()));
        if (shown.isEmpty()) {
            log.warn("The console is not served, because the application has several beans of the type JobInspector or"
                    + " JobAdmin. Mark one of each as @Primary");
            return ServedConsole.none(path, secured);
        }
        log.info("The console is served at \"{}/\" below the context path of the application", path);
        Histories past = given == null ? own(histories, threads) : declared(given, threads);
        return new ServedConsole(
                Optional.of(handler(shown.get(), past, threads, properties, logLink, secured)), path, secured);
    }

    /** Whether it may be served with what the application has; if not, the log says so. */
    private static boolean isSafe(ConsoleProperties properties, boolean secured) {
        boolean safe = secured || properties.unsecured() != ConsoleProperties.Unsecured.NOTHING;
        if (!safe) {
            log.warn("The console is not served, because the application has no Spring Security. Add"
                    + " spring-boot-starter-security, or set \"elasticjob.console.unsecured=read-only\" to let"
                    + " everybody who can reach the application look at its jobs");
        }
        return safe;
    }

    /** An application that declares the registries has properties of its own, and checks them. */
    private static void reportUnknownProperties(Environment environment) {
        Binder.get(environment)
                .bind(
                        PROPERTIES,
                        Bindable.of(ConsoleProperties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
    }

    private static Optional<ShownRegistries> own(
            @Nullable JobInspector inspector,
            @Nullable JobAdmin admin,
            Optional<GroupInspector> groups,
            Environment environment) {
        if (inspector == null || admin == null) {
            return Optional.empty();
        }
        // As the application's own connection chooses it.
        String namespace = Stream.of(NAMESPACE, "spring.application.name")
                .map(name -> environment.getProperty(name, ""))
                .filter(StringUtils::hasText)
                .findFirst()
                .orElse("elasticjob");
        return Optional.of(new ShownRegistries(List.of(new Shown(
                REGISTRY,
                namespace,
                ConsoleRegistry.Mode.OPERATED,
                inspector,
                admin,
                groups,
                Optional.empty(),
                Optional.empty()))));
    }

    private static LogLink logLink(String template) {
        List<String> problems = LogLink.problems(template);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Property \"elasticjob.console.log-link\" is \"%s\": it %s"
                    .formatted(template, String.join("; it ", problems)));
        }
        return new LogLink(template);
    }

    private static Histories own(ObjectProvider<ConsoleHistory> histories, ConsoleThreads threads) {
        return histories.stream()
                .findFirst()
                .map(history -> new Histories(Map.of(REGISTRY, asked(history, threads)), any -> TRACED))
                .orElse(Histories.none(TRACED));
    }

    private static Histories declared(ShownRegistries shown, ConsoleThreads threads) {
        Map<String, Histories.Asked> found = new LinkedHashMap<>();
        shown.registries()
                .forEach(one -> one.history().ifPresent(history -> found.put(one.name(), asked(history, threads))));
        return new Histories(found, shown.remedyWithoutHistory());
    }

    private static Histories.Asked asked(ConsoleHistory history, ConsoleThreads threads) {
        return Histories.Asked.of(history, threads.timer(), Clock.systemUTC(), threads.forOneHistory(), HELD);
    }

    private static ConsoleHandler handler(
            ShownRegistries shown,
            Histories histories,
            ConsoleThreads threads,
            ConsoleProperties properties,
            Optional<LogLink> logLink,
            boolean secured) {
        Map<String, ConsoleRegistry> registries = new LinkedHashMap<>();
        shown.registries().forEach(one -> registries.put(one.name(), registry(one, threads, logLink)));
        Access access = access(properties, secured);
        Optional<String> signOut = Optional.ofNullable(properties.signOutPath())
                .map(target -> fromThePage(properties.path(), path("sign-out-path", target)));
        List<Route> routes =
                new ArrayList<>(PageRoutes.fromClassPath(properties.path()).routes());
        routes.addAll(ApiRoutes.of(access, registries.values(), histories, signOut, version()));
        return new ConsoleHandler(routes, access);
    }

    /** @param logLink for a registry that has none of its own */
    private static ConsoleRegistry registry(Shown shown, ConsoleThreads threads, Optional<LogLink> logLink) {
        var queries = new Queries(threads.timer(), threads.forOneRegistry(), ANSWER, Queries.REGISTRY);
        var snapshots = new Snapshots(queries, Clock.systemUTC(), Json::bytes, HELD);
        return new ConsoleRegistry(
                shown.name(),
                shown.namespace(),
                shown.mode(),
                shown.inspector(),
                shown.admin(),
                new GroupWatch(shown.groups().orElse(NO_GROUPS)::all, Clock.systemUTC()),
                new AppWatch(shown.inspector()::apps, Clock.systemUTC()),
                queries,
                snapshots,
                shown.logLink().or(() -> logLink));
    }

    /** Relative, so that it is right behind a proxy that serves the application under another path. */
    private static String fromThePage(String page, String target) {
        return "../".repeat(page.split("/").length - 1) + target.substring(1);
    }

    private static Access access(ConsoleProperties properties, boolean secured) {
        ConsoleProperties.Roles roles = properties.roles();
        return new Access(
                secured ? Access.Unsecured.NOTHING : Access.Unsecured.READ_ONLY,
                Optional.ofNullable(roles.viewer()),
                Optional.ofNullable(roles.operator()),
                Optional.ofNullable(roles.admin()),
                AccessLevel.valueOf(properties.showParameters().name()),
                teams(roles.teams()));
    }

    /** @throws IllegalArgumentException with each team that has no jobs, or nobody */
    private static List<Access.Team> teams(Map<String, ConsoleProperties.Team> teams) {
        List<String> problems = new ArrayList<>();
        teams.forEach((name, team) -> {
            String property = "\"elasticjob.console.roles.teams.%s%s\"";
            try {
                if (NamePatterns.ofJobs(team.jobs()).patterns().isEmpty()) {
                    problems.add((property + " is empty: expected patterns of the names of jobs, such as \"billing-*\"")
                            .formatted(name, ".jobs"));
                }
            } catch (IllegalArgumentException e) {
                problems.add((property + " can't be used: %s").formatted(name, ".jobs", e.getMessage()));
            }
            if (role(team.operator()).isEmpty() && role(team.admin()).isEmpty()) {
                problems.add(
                        (property + " has no role: set its \"operator\", its \"admin\", or both").formatted(name, ""));
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return teams.values().stream()
                .map(team ->
                        new Access.Team(NamePatterns.ofJobs(team.jobs()), role(team.operator()), role(team.admin())))
                .toList();
    }

    /** One that is empty is none: nobody has it. */
    private static Optional<String> role(@Nullable String role) {
        return Optional.ofNullable(role).filter(name -> !name.isBlank());
    }

    private static String path(String property, String path) {
        if (!path.matches("(/[A-Za-z0-9._-]+)+")) {
            throw new IllegalArgumentException(
                    ("Property \"elasticjob.console.%s\" is \"%s\": expected a path such as \"/elasticjob\", of letters,"
                                    + " digits, dots, dashes and underscores, without a slash at its end")
                            .formatted(property, path));
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
    record ServedConsole(Optional<ConsoleHandler> handler, String path, boolean secured) {
        static ServedConsole none(String path, boolean secured) {
            return new ServedConsole(Optional.empty(), path, secured);
        }
    }

    /** Jobs of the application, or registries that it declares. */
    static final class SomethingToShow extends AnyNestedCondition {
        SomethingToShow() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean({JobInspector.class, JobAdmin.class})
        static final class OwnJobs {}

        @ConditionalOnBean(ShownRegistries.class)
        static final class Declared {}
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @Import(ServletDoor.class)
    static class InServletApplication {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @Import(ReactiveDoor.class)
    static class InReactiveApplication {}
}
