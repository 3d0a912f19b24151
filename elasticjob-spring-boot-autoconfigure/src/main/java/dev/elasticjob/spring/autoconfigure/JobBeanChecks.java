package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Checks job beans for problems other than their settings. */
final class JobBeanChecks {
    private static final Logger log = LoggerFactory.getLogger(JobBeanCollector.class);
    private static final List<Class<?>> KINDS = List.of(SimpleJob.class, DataflowJob.class);

    private JobBeanChecks() {}

    /** Warns about beans that look like jobs but aren't. */
    static void warnOfUndeclared(ListableBeanFactory beans, Collection<Declared> declared) {
        List<String> jobs = declared.stream().map(Declared::beanName).toList();
        for (Class<?> kind : KINDS) {
            Stream.of(beans.getBeanNamesForType(kind, true, false))
                    .filter(Predicate.not(ScopedProxyUtils::isScopedTarget))
                    .filter(bean -> !jobs.contains(bean))
                    .forEach(bean -> log.warn(
                            "Bean \"{}\" is a {} without @ElasticJob, so nothing runs it. Put @ElasticJob on its class or on its"
                                    + " @Bean method, unless you register it with ElasticJobEngine.register",
                            bean,
                            kind.getSimpleName()));
        }
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

    private static boolean isAsync(Method method, Class<?> target) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(target, Async.class);
    }
}
