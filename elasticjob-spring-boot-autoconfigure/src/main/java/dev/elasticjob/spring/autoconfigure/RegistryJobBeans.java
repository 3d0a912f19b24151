package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.function.SingletonSupplier;

/** What an application runs only because the registry says so. Its beans are fetched at their first execution. */
record RegistryJobBeans(ListableBeanFactory beans, ElasticJobProperties properties) {
    private static final String LIMITS = "elasticjob.registry-jobs.";

    /**
     * Whether this context runs jobs that are kept in the registry. A parent context that can run jobs takes them instead of
     * its children.
     */
    boolean areTaken() {
        boolean hasParent = beans instanceof HierarchicalBeanFactory here
                && here.getParentBeanFactory() != null
                && here.getParentBeanFactory()
                                .getBeanProvider(JobBeanCollector.class)
                                .getIfAvailable()
                        != null;
        return properties.jobsFromRegistry() && properties.worker().enabled() && !hasParent;
    }

    /** The names of the beans that such jobs may run. */
    List<String> names() {
        return properties.registryJobs().allowedBeans();
    }

    /** @throws FailureAnalyzedException if a property can't be used */
    void addTo(ElasticJobEngineBuilder engine) {
        engine.registryTrust(trust());
        if (areTaken()) {
            engine.jobsFromRegistry();
        }
    }

    /** @throws FailureAnalyzedException if a property can't be used */
    void check() {
        trust();
    }

    private RegistryTrust trust() {
        ElasticJobProperties.RegistryJobs limits = properties.registryJobs();
        RegistryTrust trust = limits.scripts() ? RegistryTrust.NONE.withScripts() : RegistryTrust.NONE;
        if (limits.http()) {
            trust = withHosts(trust, limits.allowedHosts());
        }
        for (String name : limits.allowedBeans()) {
            trust = withBean(trust, name);
        }
        for (String name : limits.kinds()) {
            trust = withKind(trust, name);
        }
        return trust;
    }

    private RegistryTrust withKind(RegistryTrust trust, String name) {
        List<String> own = EngineBeans.kinds(beans).stream().map(JobKind::name).toList();
        return own.stream()
                .filter(kind -> kind.equalsIgnoreCase(name.strip().replace('-', '_')))
                .findFirst()
                .map(kind -> trust.withKind(JobType.of(kind)))
                .orElseThrow(() -> new FailureAnalyzedException(
                        "\"%skinds\" contains \"%s\", which is no kind of jobs that this application has brought.%s"
                                .formatted(LIMITS, name, NearestName.question(name, own)),
                        "Expected the name of a JobKind bean. This application has these: %s. Scripts, HTTP requests and beans have properties of their own."
                                .formatted(own)));
    }

    private static RegistryTrust withHosts(RegistryTrust trust, List<String> hosts) {
        if (hosts.isEmpty()) {
            throw new FailureAnalyzedException(
                    "\"%shttp\" is true, but \"%sallowed-hosts\" is empty.".formatted(LIMITS, LIMITS),
                    "List the hosts that this instance may send requests to, or remove \"%shttp\".".formatted(LIMITS));
        }
        try {
            return trust.withHosts(hosts);
        } catch (IllegalArgumentException e) {
            throw new FailureAnalyzedException(
                    "\"%sallowed-hosts\" can't be used. %s.".formatted(LIMITS, e.getMessage()),
                    "Correct the host. List each one by itself: there are no wildcards.",
                    e);
        }
    }

    private RegistryTrust withBean(RegistryTrust trust, String name) {
        Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
        boolean simple = type != null && SimpleJob.class.isAssignableFrom(type);
        boolean dataflow = type != null && DataflowJob.class.isAssignableFrom(type);
        if (simple == dataflow) {
            throw new FailureAnalyzedException(
                    "\"%sallowed-beans\" contains \"%s\", which is %s."
                            .formatted(LIMITS, name, type == null ? "no bean" : "a " + type.getName()),
                    "Expected the name of a bean that is either a SimpleJob or a DataflowJob. This application has these: %s."
                            .formatted(JobBeanChecks.jobBeans(beans)));
        }
        return simple
                ? trust.withCode(name, (SimpleJob) new LateSimpleJob(late(name, SimpleJob.class)))
                : trust.withCode(name, new LateDataflowJob<>(late(name, DataflowJob.class)));
    }

    private <T> Supplier<T> late(String name, Class<T> type) {
        return SingletonSupplier.of(() -> {
            T bean = beans.getBean(name, type);
            JobBeanChecks.asynchronousMethod(bean).ifPresent(method -> {
                throw new IllegalStateException(
                        "%s is @Async, so the job would end before its work is done: remove @Async".formatted(method));
            });
            return bean;
        });
    }

    private record LateSimpleJob(Supplier<SimpleJob> bean) implements SimpleJob {
        @Override
        public void execute(ShardingContext context) throws Exception {
            bean.get().execute(context);
        }
    }

    @SuppressWarnings("rawtypes") // A bean's name says nothing about its items.
    private record LateDataflowJob<T>(Supplier<DataflowJob> bean) implements DataflowJob<T> {
        @Override
        @SuppressWarnings("unchecked")
        public List<T> fetchData(ShardingContext context) throws Exception {
            return bean.get().fetchData(context);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void processData(ShardingContext context, List<T> data) throws Exception {
            bean.get().processData(context, data);
        }
    }
}
