package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.spring.ElasticJob;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanExpressionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ScannedGenericBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds where the application declares its jobs: in annotations, {@link JobDefinition} beans, and properties. */
final class JobDeclarations {
    private static final Logger log = LoggerFactory.getLogger(JobBeanCollector.class);

    private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

    private final ConfigurableListableBeanFactory beans;
    private final JobProperties settings;
    private final UnaryOperator<String> resolver;
    private final Collection<String> fetchedLater;

    /**
     * @param resolver of placeholders and expressions
     * @param fetchedLater names of beans that are left alone if they don't exist yet
     */
    JobDeclarations(
            ConfigurableListableBeanFactory beans,
            JobProperties settings,
            UnaryOperator<String> resolver,
            Collection<String> fetchedLater) {
        this.beans = beans;
        this.fetchedLater = fetchedLater;
        this.settings = settings;
        this.resolver = resolver;
    }

    List<Declared> byBeans() {
        return Stream.of(annotated(), methods(), definitions())
                .flatMap(found -> found)
                .toList();
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
        return Stream.concat(Stream.of(beans.getBeanNamesForAnnotation(ElasticJob.class)), annotatedBehindInterfaces())
                .map(bean -> ScopedProxyUtils.isScopedTarget(bean) ? bean.substring(SCOPED_TARGET.length()) : bean)
                .distinct()
                .map(this::declared);
    }

    private Stream<Declared> methods() {
        return Stream.of(beans.getBeanDefinitionNames())
                .filter(bean -> !ScopedProxyUtils.isScopedTarget(bean))
                .flatMap(bean -> JobMethods.of(beans, behindProxy(bean)).map(method -> declared(bean, method)));
    }

    private Declared declared(String beanName, Method method) {
        ElasticJob annotation =
                Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, ElasticJob.class));
        return Declared.byMethod(beanName, jobName(annotation, method.getName()), annotation, method, origin(method));
    }

    /**
     * Beans whose type only says that they are jobs, because a {@code @Bean} method returns the interface, or a proxy
     * implements it: the object itself has the annotation.
     */
    private Stream<String> annotatedBehindInterfaces() {
        return JobBeanChecks.jobBeans(beans).stream()
                .filter(beans::isSingleton)
                .filter(bean -> beans.containsSingleton(bean) || !fetchedLater.contains(bean))
                .filter(bean -> onClassOf(bean).isPresent());
    }

    private Optional<ElasticJob> onClassOf(String bean) {
        Class<?> target = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(beans.getBean(bean)));
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(target, ElasticJob.class));
    }

    /**
     * Warns about a class that is a bean because it was scanned, and that the application registers as well: that is one job
     * more than somebody may have meant.
     */
    static void warnOfScannedTwins(ConfigurableListableBeanFactory beans, List<Declared> declared) {
        declared.stream()
                .filter(one -> one.kind() == Declared.Kind.ANNOTATION)
                .collect(Collectors.groupingBy(Declared::origin, TreeMap::new, Collectors.toList()))
                .forEach((type, jobs) -> {
                    List<String> scanned = jobs.stream()
                            .map(Declared::beanName)
                            .filter(bean -> isScanned(beans, bean))
                            .toList();
                    if (!scanned.isEmpty() && jobs.size() > scanned.size()) {
                        List<String> others = jobs.stream()
                                .map(Declared::beanName)
                                .filter(bean -> !scanned.contains(bean))
                                .toList();
                        log.warn(
                                "{} is registered as the beans {}, and once more as bean {}, because @ElasticJob makes it a"
                                        + " component and its package is scanned: that one is a job too. If it isn't meant, take"
                                        + " the class out of the scanned packages, or declare its jobs with the property"
                                        + " \"bean\" or with JobDefinition beans instead of the annotation",
                                type,
                                others,
                                scanned);
                    }
                });
    }

    private static boolean isScanned(ConfigurableListableBeanFactory beans, String bean) {
        return beans.containsBeanDefinition(bean)
                && beans.getBeanDefinition(bean) instanceof ScannedGenericBeanDefinition;
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
            return Declared.byAnnotation(beanName, jobName(onMethod, beanName), onMethod, origin(factoryMethod));
        }
        ElasticJob onClass = Optional.ofNullable(beans.findAnnotationOnBean(behindProxy(beanName), ElasticJob.class))
                .or(() -> onClassOf(beanName))
                .orElseThrow(() -> new IllegalStateException(
                        "Bean \"%s\" was expected to have @ElasticJob, but has none".formatted(beanName)));
        return Declared.byAnnotation(beanName, jobName(onClass, beanName), onClass, className(beanName));
    }

    private static String origin(Method method) {
        return "%s.%s()".formatted(method.getDeclaringClass().getName(), method.getName());
    }

    /** The name as it is written, if it can't be resolved. */
    private String jobName(ElasticJob annotation, String otherwise) {
        try {
            return annotation.name().isEmpty() ? otherwise : resolver.apply(annotation.name());
        } catch (IllegalArgumentException | BeanExpressionException e) {
            return annotation.name();
        }
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
