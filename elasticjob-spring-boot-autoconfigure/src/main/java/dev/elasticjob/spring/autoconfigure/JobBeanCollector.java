package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Collects the jobs after all singletons have been created, wherever they are {@linkplain JobDeclarations declared}. Merges
 * their settings into definitions, and reports all their problems in one failure. Lazy beans are fetched too, because a job runs even if it is never injected. An instance that runs nothing
 * has no jobs, and doesn't look for any.
 */
public final class JobBeanCollector implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(JobBeanCollector.class);

    private final ConfigurableListableBeanFactory beans;
    private final KnownNames names;
    private final Clock clock;
    private final boolean failOnUnknownJobs;
    private final boolean runsJobs;
    private final ElasticJobProperties properties;
    private final RegistryJobBeans registryJobs;
    private final WorkerJobs workerJobs;
    private final NameSelection runHere;
    // Written once by the thread that starts the application, then read by others.
    private volatile List<JobBean> jobs = List.of();
    private volatile List<String> leftOut = List.of();

    JobBeanCollector(
            ConfigurableListableBeanFactory beans, ElasticJobProperties properties, KnownNames names, Clock clock) {
        this.beans = beans;
        this.clock = clock;
        this.names = names;
        this.failOnUnknownJobs = properties.failOnUnknownJobs();
        this.runsJobs = properties.worker().enabled();
        this.properties = properties;
        this.registryJobs = new RegistryJobBeans(beans, properties);
        this.workerJobs = new WorkerJobs(properties.worker());
        this.runHere = workerJobs.selection();
    }

    @Override
    public void afterSingletonsInstantiated() {
        var report = new JobProblems(names.withoutCode());
        Environment environment = beans.getBean(Environment.class);
        report.settings(SettingProblems.in(environment));
        report.all(SettingRanges.problems(properties));
        if (runsJobs) {
            report.all(JobKinds.problems(EngineBeans.kinds(beans)));
            List<JobBean> found = find(new JobProperties(environment), report);
            report.throwIfAny();
            report.warnings().forEach(log::warn);
            jobs = List.copyOf(found);
            jobs.stream().map(JobBean::definition).forEach(JobBeanCollector::sayWhatHasNoEffect);
            jobs.stream().map(JobBean::definition).forEach(this::sayWhatIsOver);
            // For jobs from the registry, operators choose among the handlers.
            // Jobs that are left out may use them, too.
            if (!jobs.isEmpty() && leftOut.isEmpty() && !registryJobs.areTaken()) {
                JobBeanChecks.warnOfUnusedHandlers(
                        beans,
                        jobs.stream()
                                .map(job -> job.definition().jobExceptionHandler())
                                .toList());
            }
        }
        report.throwIfAny();
    }

    private List<JobBean> find(JobProperties settings, JobProblems report) {
        var calendars =
                new Calendars(beans.getBeansOfType(JobCalendar.class), properties.calendars(), LocalDate.now(clock));
        report.all(calendars.problems());
        SortedSet<String> above = jobsAbove();
        var declarations = new JobDeclarations(beans, settings, this::resolved, registryJobs.names());
        List<Declared> byBeans = declarations.byBeans();
        List<Declared> declared = byBeans;
        declared.stream().filter(one -> one.jobName().isBlank()).forEach(one -> report.withoutName(one.origin()));
        declared.stream().filter(Declared::hasUnresolvedName).forEach(report::unresolvedName);
        declared = declared.stream().filter(Declared::isNamed).toList();
        report.namesakes(declared);
        JobDeclarations.warnOfScannedTwins(beans, declared);
        declared = leavingOut(above, declared);
        List<Declared> byProperties = declarations.byPropertiesAlone(union(names(declared), above));
        byProperties.stream().filter(Declared::hasUnresolvedName).forEach(report::unresolvedName);
        declared = Stream.concat(declared.stream(), byProperties.stream()).toList();
        Stream<String> declaredBeans =
                Stream.concat(byBeans.stream(), byProperties.stream()).map(Declared::workBean);
        JobBeanChecks.warnOfUndeclared(
                beans,
                Stream.concat(declaredBeans, registryJobs.names().stream()).toList());
        report.propertiesOfJobs(settings, union(names(declared), above), failOnUnknownJobs);
        SortedSet<String> allNames = names(declared);
        declared = thoseOfThisInstance(declared, settings, report);
        List<JobBean> found = new ArrayList<>();
        for (Declared one : declared) {
            ElasticJobProperties.Job given = settings.of(one.jobName());
            if (isLeftOut(given)) {
                log.info(
                        "Job \"{}\": this application leaves it out, because its property \"enabled\" is false",
                        one.jobName());
            } else {
                var merge = new DefinitionMerge(one, given, this::resolved, names, calendars);
                define(one, given, merge, declarations, report).ifPresent(found::add);
            }
        }
        List<JobDefinition> definitions =
                found.stream().map(JobBean::definition).toList();
        report.warn(calendars.ending(definitions));
        report.cycles(definitions);
        report.parentsOfSimilarNames(definitions, allNames);
        checkOthers(declared.stream().anyMatch(one -> !isLeftOut(settings.of(one.jobName()))), report);
        return found;
    }

    /** Leaves out those that the instance's patterns leave out. Their settings are not checked here. */
    private List<Declared> thoseOfThisInstance(List<Declared> declared, JobProperties settings, JobProblems report) {
        List<String> idle = workerJobs.idlePatterns(names(declared));
        if (registryJobs.areTaken()) {
            idle.forEach(line -> log.info("{}. It may be meant for jobs that are kept in the registry", line));
        } else {
            report.warn(idle);
        }
        List<Declared> here =
                declared.stream().filter(one -> runHere.includes(one.jobName())).toList();
        SortedSet<String> candidates = enabled(declared, settings);
        SortedSet<String> chosen = enabled(here, settings);
        if (chosen.size() < candidates.size()) {
            leftOut = candidates.stream().filter(name -> !chosen.contains(name)).toList();
            if (chosen.isEmpty() && !registryJobs.areTaken() && !hasGroups()) {
                report.all(List.of(workerJobs.noneLeft(candidates)));
            } else {
                log.info(workerJobs.choice(candidates, chosen));
            }
        }
        return here;
    }

    private static SortedSet<String> enabled(List<Declared> declared, JobProperties settings) {
        return names(declared.stream()
                .filter(one -> !isLeftOut(settings.of(one.jobName())))
                .toList());
    }

    private boolean hasGroups() {
        return beans.getBeanProvider(GroupBeans.class).stream().anyMatch(GroupBeans::areDeclared);
    }

    private static boolean isLeftOut(ElasticJobProperties.Job given) {
        return Boolean.FALSE.equals(given.enabled());
    }

    /** What the engine would find later, one problem after the other. */
    private void checkOthers(boolean hasJobs, JobProblems report) {
        try {
            registryJobs.check();
        } catch (FailureAnalyzedException e) {
            report.add(e);
        }
        List<String> ofGroups = beans.getBeanProvider(GroupBeans.class).stream()
                .flatMap(groups -> groups.problems().stream())
                .toList();
        report.all(ofGroups);
        // An engine of the application's own doesn't need our connection.
        if (names != KnownNames.ANY && (hasJobs || registryJobs.areTaken())) {
            beans.getBeanProvider(LateRegistry.class).stream()
                    .flatMap(registry -> registry.problems().stream())
                    .forEach(report::add);
        }
    }

    /** Whether the application runs jobs: its own, or those that are kept in the registry. */
    public boolean hasJobs() {
        return !jobs.isEmpty() || registryJobs.areTaken();
    }

    /**
     * Registers all jobs of the application with an engine that isn't started: its own, or a further one that runs the
     * same beans.
     */
    public void registerWith(ElasticJobEngine engine) {
        jobs.forEach(job -> job.registerWith(engine));
    }

    /** The names of the application's jobs, in order. */
    public List<String> jobNames() {
        return jobs.stream().map(job -> job.definition().jobName()).toList();
    }

    /** The names of those jobs of the application that don't run here, because the instance's patterns leave them out. */
    public List<String> leftOutNames() {
        return leftOut;
    }

    List<JobBean> jobs() {
        return jobs;
    }

    private static void sayWhatHasNoEffect(JobDefinition definition) {
        if (definition.monitorPort() > 0) {
            log.info(
                    "Job \"{}\": monitorPort {} has no effect: nothing listens on that port. It is only stored for"
                            + " Elastic-Job 2.1.5's tools; the endpoint /actuator/elasticjob shows what that port"
                            + " used to show",
                    definition.jobName(),
                    definition.monitorPort());
        }
    }

    private void sayWhatIsOver(JobDefinition definition) {
        if (!definition.isOneOff()
                && definition.schedule().delay().isEmpty()
                && definition.schedule().nextAfter(clock.instant()).isEmpty()) {
            log.warn(
                    "Job \"{}\": \"{}\" has no firing after now. The job stays registered, and runs what is owed; remove"
                            + " it when it is no longer needed",
                    definition.jobName(),
                    definition.schedule().text());
        }
    }

    private static SortedSet<String> names(List<Declared> declared) {
        return declared.stream().map(Declared::jobName).collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> union(SortedSet<String> some, SortedSet<String> others) {
        SortedSet<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    /** The jobs of parent contexts, which run there. */
    private SortedSet<String> jobsAbove() {
        BeanFactory parent = beans.getParentBeanFactory();
        JobBeanCollector nearest = parent == null
                ? null
                : parent.getBeanProvider(JobBeanCollector.class).getIfAvailable();
        SortedSet<String> above = new TreeSet<>();
        if (nearest != null) {
            nearest.jobs.forEach(job -> above.add(job.definition().jobName()));
            above.addAll(nearest.jobsAbove());
        }
        return above;
    }

    private static List<Declared> leavingOut(SortedSet<String> above, List<Declared> declared) {
        declared.stream()
                .filter(one -> above.contains(one.jobName()))
                .forEach(one -> log.warn(
                        "Job \"{}\" already runs in the parent context, so bean \"{}\" ({}) doesn't run it in this"
                                + " one. Let only one of the two contexts scan its class, or give the job another"
                                + " name",
                        one.jobName(),
                        one.beanName(),
                        one.origin()));
        return declared.stream().filter(one -> !above.contains(one.jobName())).toList();
    }

    private Optional<JobBean> define(
            Declared declared,
            ElasticJobProperties.Job given,
            DefinitionMerge merge,
            JobDeclarations declarations,
            JobProblems report) {
        return declared.isWithoutCode()
                ? defineWithoutCode(declared, given, merge, report)
                : defineBean(declared, given, merge, declarations, report);
    }

    private static Optional<JobBean> defineWithoutCode(
            Declared declared, ElasticJobProperties.Job given, DefinitionMerge merge, JobProblems report) {
        JobType type = declared.definition()
                .map(JobDefinition::jobType)
                .orElseGet(() -> Objects.requireNonNull(given.jobType()));
        String jobClass = declared.definition().map(JobDefinition::jobClass).orElse("");
        Optional<JobDefinition> definition = merge.definition(type, jobClass);
        report.violations(declared, merge);
        return definition.map(JobBean.WithoutCode::new);
    }

    private Optional<JobBean> defineBean(
            Declared declared,
            ElasticJobProperties.Job given,
            DefinitionMerge merge,
            JobDeclarations declarations,
            JobProblems report) {
        String name = declared.workBean();
        if (!beans.containsBean(name)) {
            report.withoutBean(declared, JobBeanChecks.jobBeans(beans));
            return Optional.empty();
        }
        if (given.bean() != null && !given.bean().equals(name)) {
            report.anotherBean(declared, given.bean());
        }
        Optional<String> scope = JobBeanChecks.unusableScope(beans, name);
        if (scope.isPresent()) {
            report.scoped(declared, scope.get());
            return Optional.empty();
        }
        Object bean = beans.getBean(name);
        if (declared.method().isPresent()) {
            return defineMethod(declared, bean, declared.method().get(), merge, report);
        }
        if (bean instanceof SimpleJob == bean instanceof DataflowJob) {
            report.wrongType(declared, bean);
            return Optional.empty();
        }
        JobBeanChecks.asynchronousMethod(bean).ifPresent(method -> report.asynchronous(declared, method));
        JobType type = bean instanceof SimpleJob ? JobType.SIMPLE : JobType.DATAFLOW;
        Optional<JobDefinition> definition = merge.definition(type, jobClass(declarations.factoryMethod(name), bean));
        report.violations(declared, merge);
        return definition.map(valid -> bean instanceof SimpleJob job
                ? new JobBean.Simple(valid, job)
                : new JobBean.Dataflow(valid, (DataflowJob<?>) bean));
    }

    private static Optional<JobBean> defineMethod(
            Declared declared, Object bean, Method method, DefinitionMerge merge, JobProblems report) {
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        List<String> problems = MethodJob.problems(bean, method);
        report.unusableMethod(declared, problems);
        // Also one whose result is waited for: an interrupted execution would end, and its work go on.
        if (JobBeanChecks.isAsync(method, type)) {
            report.asynchronous(declared, declared.origin());
        }
        Optional<JobDefinition> definition = merge.definition(JobType.SIMPLE, type.getName() + "." + method.getName());
        report.violations(declared, merge);
        return problems.isEmpty()
                ? definition.map(valid -> new JobBean.Simple(valid, new MethodJob(bean, method)))
                : Optional.empty();
    }

    /**
     * The class behind all proxies. The class of a lambda differs between processes, and that of an anonymous class
     * between versions of its source, so the factory method is used instead.
     */
    private static String jobClass(@Nullable Method factoryMethod, Object bean) {
        Class<?> target = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        boolean nameless = target.isHidden() || target.isSynthetic() || target.isAnonymousClass();
        return nameless && factoryMethod != null
                ? factoryMethod.getDeclaringClass().getName() + "." + factoryMethod.getName()
                : target.getName();
    }

    /** Resolves placeholders and expressions, as {@code @Scheduled} does. */
    private String resolved(String text) {
        String resolved = new EmbeddedValueResolver(beans).resolveStringValue(text);
        return resolved == null ? "" : resolved;
    }
}
