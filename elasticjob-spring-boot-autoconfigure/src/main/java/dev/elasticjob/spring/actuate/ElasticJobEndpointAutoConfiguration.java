package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.EngineLifecycle;
import dev.elasticjob.spring.autoconfigure.GroupBeans;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import dev.elasticjob.spring.history.JobHistory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The endpoint, if the Actuator exists and exposes it. */
@AutoConfiguration(after = ElasticJobAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(JobBeanCollector.class)
public final class ElasticJobEndpointAutoConfiguration {
    /** A separate class, so that its condition is evaluated only if the condition's class exists. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = ElasticJobEndpoint.class)
    @ImportRuntimeHints(Bodies.class)
    static class Exposed {
        /** Replaces a parent context's endpoint; otherwise the Actuator would find two. */
        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        ElasticJobEndpoint elasticJobEndpoint(ListableBeanFactory beans, ElasticJobProperties properties) {
            JobQuestions questions = new JobQuestions(
                    () -> inspectors(beans, JobInspector.class, Exposed::knowsJobs),
                    new GroupWatch(() -> allGroups(beans), Clock.systemUTC()),
                    new AppWatch(() -> allApps(beans), Clock.systemUTC()),
                    properties.registry().connectionTimeout());
            HistoryOperations history = new HistoryOperations(() ->
                    Optional.ofNullable(beans.getBeanProvider(JobHistory.class).getIfAvailable()));
            JobCommands commands = new JobCommands(
                    () -> inspectors(beans, JobAdmin.class, Exposed::knowsJobs), questions, Clock.systemUTC());
            return new ElasticJobEndpoint(
                    new JobViews(questions, history, commands),
                    () -> inspectors(beans, GroupInspector.class, Exposed::hasGroups),
                    properties.worker().enabled() ? "application" : "namespace");
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        ElasticJobEndpointWebExtension elasticJobEndpointWebExtension(ElasticJobEndpoint endpoint) {
            return new ElasticJobEndpointWebExtension(endpoint);
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        GivenValuesAdvisor elasticJobGivenValuesAdvisor() {
            return new GivenValuesAdvisor();
        }

        private static CompletionStage<List<GroupReport>> allGroups(ListableBeanFactory beans) {
            return inspectors(beans, GroupInspector.class, any -> knowsJobs(any) || hasGroups(any)).stream()
                    .findFirst()
                    .map(GroupInspector::all)
                    .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        }

        private static CompletionStage<List<AppReport>> allApps(ListableBeanFactory beans) {
            return inspectors(beans, JobInspector.class, Exposed::knowsJobs).stream()
                    .findFirst()
                    .map(JobInspector::apps)
                    .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        }

        private static boolean knowsJobs(ListableBeanFactory beans) {
            return beans.getBeansOfType(EngineLifecycle.class).values().stream().anyMatch(EngineLifecycle::knowsJobs);
        }

        private static boolean hasGroups(ListableBeanFactory beans) {
            return beans.getBeansOfType(GroupBeans.class).values().stream().anyMatch(GroupBeans::hasGroups);
        }

        /** Of this context and those above it. One without any must not be asked: it would connect the registry. */
        private static <T> List<T> inspectors(
                ListableBeanFactory beans, Class<T> type, Predicate<ListableBeanFactory> hasAny) {
            List<T> inspectors = new ArrayList<>();
            if (hasAny.test(beans)) {
                inspectors.add(beans.getBeanProvider(type).getObject());
            }
            if (beans instanceof HierarchicalBeanFactory here
                    && here.getParentBeanFactory() instanceof ListableBeanFactory above) {
                inspectors.addAll(inspectors(above, type, hasAny));
            }
            return inspectors;
        }
    }

    /**
     * What the endpoint answers, for a native image: the Actuator only finds what a method of the endpoint names as its
     * result, and most name an interface.
     */
    static final class Bodies implements RuntimeHintsRegistrar {
        private static final List<Class<?>> ALL = List.of(
                ElasticJobEndpointWebExtension.ProblemBody.class,
                CarriedOutBody.class,
                CarriedOutBody.EffectBody.class,
                CarriedOutBody.ChangeBody.class,
                PausedBy.class,
                DrainAnswer.class,
                JobCommands.DefinitionBody.class,
                JobCommands.UnreadableBody.class,
                JobsBody.class,
                JobsBody.JobWithItemsBody.class,
                HistoryBody.class,
                HistoryBody.ExecutionBody.class,
                HistoryBody.RunsBody.class,
                NamespaceBody.DemandBody.class,
                NamespaceBody.PageBody.class,
                NamespaceBody.ServersBody.class,
                NamespaceBody.AttentionBody.class,
                NamespaceBody.CommandsBody.class,
                NamespaceBody.PreviewBody.class,
                NamespaceBody.InstancesBody.class,
                NamespaceBody.DueTimesBody.class,
                NamespaceBody.TreeBody.class,
                NamespaceBody.ExplanationBody.class);

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            var binding = new BindingReflectionHintsRegistrar();
            ALL.forEach(body -> binding.registerReflectionHints(hints.reflection(), body));
        }
    }
}
