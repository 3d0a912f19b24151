package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.Registry;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says what to do with two registries. Asked before Spring Boot's own, which explains the other kinds of beans. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SeveralRegistriesFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {
    private static final List<Class<?>> KINDS = List.of(Registry.class, ZooKeeperConnectionDetails.class);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
        Class<?> type = cause.getBeanType();
        if (type == null || !KINDS.contains(type)) {
            return null;
        }
        Collection<String> found = cause.getBeanNamesFound() == null ? List.of() : cause.getBeanNamesFound();
        return new FailureAnalysis(
                "This application has several %s beans, and none is marked as that of its @ElasticJob beans: %s."
                        .formatted(type.getSimpleName(), new TreeSet<>(found)),
                "The starter runs the jobs of one registry. Mark its bean as @Primary, or declare the others with"
                        + " @Bean(defaultCandidate = false). Jobs of another registry need an ElasticJobEngine of their"
                        + " own: see \"Two registries\" in the guide, docs/guide/configuration.md.",
                cause);
    }
}
