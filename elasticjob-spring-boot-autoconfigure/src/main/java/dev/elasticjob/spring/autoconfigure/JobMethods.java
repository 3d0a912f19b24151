package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.spring.ElasticJob;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods with {@link ElasticJob} in the application's beans, but for {@code @Bean} methods. */
final class JobMethods {
    private static final List<String> OF_FRAMEWORKS = List.of("java.", "org.springframework.", "com.sun.", "jdk.");

    private JobMethods() {}

    /** The annotated methods of a bean, in the order of their names. */
    static Stream<Method> of(ConfigurableListableBeanFactory beans, String bean) {
        return type(beans, bean)
                .filter(type -> OF_FRAMEWORKS.stream().noneMatch(type.getName()::startsWith))
                .filter(type -> AnnotationUtils.isCandidateClass(type, ElasticJob.class))
                .map(type -> MethodIntrospector.selectMethods(type, JobMethods::isJob))
                .stream()
                .flatMap(methods -> methods.stream().sorted(Comparator.comparing(Method::toString)));
    }

    private static boolean isJob(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, ElasticJob.class)
                && !AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }

    /**
     * The class behind all proxies: that of the object, if there is one, or else what its definition says. The product of a
     * factory bean isn't made for this.
     */
    private static Optional<Class<?>> type(ConfigurableListableBeanFactory beans, String bean) {
        Class<?> type = beans.containsSingleton(bean) && !beans.isFactoryBean(bean)
                ? AopProxyUtils.ultimateTargetClass(beans.getBean(bean))
                : AutoProxyUtils.determineTargetClass(beans, bean);
        return Optional.ofNullable(type).map(ClassUtils::getUserClass);
    }
}
