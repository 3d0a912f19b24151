package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.SimpleJob;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Checks job beans for problems other than their settings. */
final class JobBeanChecks {
    private static final Logger log = LoggerFactory.getLogger(JobBeanCollector.class);
    private static final List<Class<?>> KINDS = List.of(SimpleJob.class, DataflowJob.class);
    /** Those of web requests, and Spring Batch's. */
    private static final Set<String> SCOPES_WITHOUT_JOBS = Set.of("request", "session", "websocket", "job", "step");

    private JobBeanChecks() {}

    /** Warns about beans that look like jobs but aren't. */
    static void warnOfUndeclared(ListableBeanFactory beans, Collection<String> jobs) {
        for (Class<?> kind : KINDS) {
            beans(beans, kind)
                    .filter(bean -> !jobs.contains(bean))
                    .forEach(bean -> log.warn(
                            "Bean \"{}\" is a {} without @ElasticJob, so nothing runs it. Put @ElasticJob on its class or on its"
                                    + " @Bean method, or set its name as the property \"bean\" of a job, unless you register"
                                    + " it with ElasticJobEngine.register",
                            bean,
                            kind.getSimpleName()));
        }
    }

    /**
     * Warns about error handlers that nobody calls.
     *
     * @param selected the handlers of the application's jobs
     */
    static void warnOfUnusedHandlers(ListableBeanFactory beans, Collection<String> selected) {
        beans(beans, JobErrorHandler.class)
                .filter(bean -> !selected.contains(bean))
                .forEach(bean -> log.warn(
                        "Bean \"{}\" is a JobErrorHandler that no job of this application selects, so it is not called when"
                                + " one fails. Set job-exception-handler to \"{}\" for the jobs that it is for, or remove"
                                + " it, unless settings in the registry or jobs registered at run time select it",
                        bean,
                        bean));
    }

    /** The names of all beans that could do the work of a job. */
    static List<String> jobBeans(ListableBeanFactory beans) {
        return KINDS.stream()
                .flatMap(kind -> beans(beans, kind))
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<String> beans(ListableBeanFactory beans, Class<?> kind) {
        return Stream.of(beans.getBeanNamesForType(kind, true, false))
                .filter(Predicate.not(ScopedProxyUtils::isScopedTarget));
    }

    /**
     * The scope of a bean that can't do the work of a job. One object runs all executions on this instance, so without a
     * scoped proxy, a bean with any scope but singleton would be created once for ever. With a proxy, each call finds the
     * object of the scope, unless the scope only exists on threads where there are no jobs.
     */
    static Optional<String> unusableScope(ConfigurableListableBeanFactory beans, String name) {
        String target = ScopedProxyUtils.getTargetBeanName(name);
        if (beans.containsBeanDefinition(target)) {
            return scope(beans, target).filter(SCOPES_WITHOUT_JOBS::contains);
        }
        return beans.isSingleton(name)
                ? Optional.empty()
                : Optional.of(scope(beans, name).orElse("prototype"));
    }

    private static Optional<String> scope(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                ? Optional.ofNullable(beans.getMergedBeanDefinition(name).getScope())
                : Optional.empty();
    }

    /** The method of a job that is {@link Async}, and so would return before its work is done. */
    static Optional<String> asynchronousMethod(Object job) {
        Class<?> target = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(job));
        return KINDS.stream()
                .filter(kind -> kind.isInstance(job))
                .flatMap(kind -> Stream.of(kind.getMethods()))
                .map(method -> ClassUtils.getMostSpecificMethod(method, target))
                .filter(method -> isAsync(method, target))
                .map(method -> target.getName() + "." + method.getName())
                .sorted()
                .findFirst();
    }

    /** @param type the class behind the bean's proxies */
    static boolean isAsync(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class);
    }
}
