package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.util.ClassUtils;

/** A native image can write every answer of the endpoint. */
class EndpointHintsTest {
    @Test
    void everyBodyHasAHint() {
        var hints = new RuntimeHints();
        new ElasticJobEndpointAutoConfiguration.Bodies()
                .registerHints(hints, getClass().getClassLoader());

        List<Class<?>> bodies = new ArrayList<>();
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AssignableTypeFilter(OperationResponseBody.class));
        for (BeanDefinition found : scanner.findCandidateComponents(getClass().getPackageName())) {
            bodies.add(ClassUtils.resolveClassName(Objects.requireNonNull(found.getBeanClassName()), null));
        }
        assertThat(bodies)
                .hasSizeGreaterThan(15)
                .allSatisfy(
                        body -> assertThat(RuntimeHintsPredicates.reflection().onType(body))
                                .accepts(hints));
    }
}
