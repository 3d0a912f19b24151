package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.spring.ElasticJob;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds where the application declares its jobs: in annotations, {@link JobDefinition} beans, and properties. */
final class JobDeclarations {
    private static final Logger log = LoggerFactory.getLogger(JobBeanCollector.class);

    private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

    private final ConfigurableListableBeanFactory beans;
    private final JobSettings settings;
    private final UnaryOperator<String> resolver;

    /** @param resolver of placeholders and expressions */
    JobDeclarations(ConfigurableListableBeanFactory beans, JobSettings settings, UnaryOperator<String> resolver) {
        this.beans = beans;
        this.settings = settings;
        this.resolver = resolver;
    }

    List<Declared> byBeans() {
        return Stream.concat(annotated(), definitions()).toList();
    }

    /** @param declared the names of all jobs that beans declare */
    List<Declared> byPropertiesAlone(SortedSet<String> declared) {
        return settings.namesBeside(declared).stream()
                .flatMap(name -> {
                    ElasticJobProperties.Job given = settings.of(name);
                    JobType type = given.jobType();
                    String bean = given.bean();
                    boolean declares = bean != null || (type != null && type.isWithoutCode());
                    return declares ? Stream.of(Declared.byProperties(name, bean == null ? "" : bean)) : Stream.empty();
                })
                .toList();
    }

    private Stream<Declared> annotated() {
        return Stream.of(beans.getBeanNamesForAnnotation(ElasticJob.class))
                .map(bean -> ScopedProxyUtils.isScopedTarget(bean) ? bean.substring(SCOPED_TARGET.length()) : bean)
                .distinct()
                .map(this::declared);
    }

    private Stream<Declared> definitions() {
        return beans.getBeansOfType(JobDefinition.class).entrySet().stream()
                .flatMap(bean -> defined(bean.getKey(), bean.getValue()).stream());
    }

    /** The definition of a script or an HTTP request is a whole job. Any other needs a bean that does the work. */
    private Optional<Declared> defined(String beanName, JobDefinition definition) {
        if (definition.jobType().isWithoutCode()) {
            return Optional.of(Declared.byDefinition(beanName, "", definition));
        }
        Optional<Declared> declared =
                workBean(definition).map(work -> Declared.byDefinition(beanName, work, definition));
        if (declared.isEmpty()) {
            log.warn(
                    "Bean \"{}\" defines the job \"{}\", but no bean does its work, so nothing runs it. Give its SimpleJob or"
                            + " DataflowJob bean the job's name, or set its name as the property \"{}\", unless you register"
                            + " it with ElasticJobEngine.register",
                    beanName,
                    definition.jobName(),
                    JobProblems.property(definition.jobName(), "bean"));
        }
        return declared;
    }

    private Optional<String> workBean(JobDefinition definition) {
        String given = settings.of(definition.jobName()).bean();
        if (given != null) {
            return Optional.of(given);
        }
        List<String> candidates = JobBeanChecks.jobBeans(beans);
        if (candidates.contains(definition.jobName())) {
            return Optional.of(definition.jobName());
        }
        List<String> ofClass = candidates.stream()
                .filter(bean -> className(bean).equals(definition.jobClass()))
                .toList();
        return ofClass.size() == 1 ? Optional.of(ofClass.get(0)) : Optional.empty();
    }

    private Declared declared(String beanName) {
        Method factoryMethod = factoryMethod(beanName);
        ElasticJob onMethod = factoryMethod == null
                ? null
                : AnnotatedElementUtils.findMergedAnnotation(factoryMethod, ElasticJob.class);
        if (factoryMethod != null && onMethod != null) {
            String origin =
                    "%s.%s()".formatted(factoryMethod.getDeclaringClass().getName(), factoryMethod.getName());
            return Declared.byAnnotation(beanName, jobName(onMethod, beanName), onMethod, origin);
        }
        ElasticJob onClass = beans.findAnnotationOnBean(behindProxy(beanName), ElasticJob.class);
        if (onClass == null) {
            throw new IllegalStateException(
                    "Bean \"%s\" was expected to have @ElasticJob, but has none".formatted(beanName));
        }
        return Declared.byAnnotation(beanName, jobName(onClass, beanName), onClass, className(beanName));
    }

    private String jobName(ElasticJob annotation, String beanName) {
        return annotation.name().isEmpty() ? beanName : resolver.apply(annotation.name());
    }

    private String className(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, behindProxy(beanName));
        return type == null ? beanName : ClassUtils.getUserClass(type).getName();
    }

    /** The bean that a scoped proxy stands for has the annotation and the {@code @Bean} method. */
    private String behindProxy(String beanName) {
        String target = SCOPED_TARGET + beanName;
        return beans.containsBeanDefinition(target) ? target : beanName;
    }

    /** The {@code @Bean} method of a bean, if it has one. */
    @Nullable
    Method factoryMethod(String beanName) {
        String made = behindProxy(beanName);
        if (!beans.containsBeanDefinition(made)) {
            return null;
        }
        return beans.getMergedBeanDefinition(made) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
    }
}
