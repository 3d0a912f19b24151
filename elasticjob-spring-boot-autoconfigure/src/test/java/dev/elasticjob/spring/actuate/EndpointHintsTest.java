package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A native image can write every answer of the endpoint. */
class EndpointHintsTest {
    @Test
    void everyBodyHasAHint() {
        var hints = new RuntimeHints();
        new ElasticJobEndpointAutoConfiguration.Bodies()
                .registerHints(hints, getClass().getClassLoader());

        List<Class<?>> bodies = Stream.of(
                        ElasticJobEndpointWebExtension.class,
                        JobCommands.class,
                        JobsBody.class,
                        HistoryBody.class,
                        NamespaceBody.class)
                .<Class<?>>flatMap(type -> Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses())))
                .filter(OperationResponseBody.class::isAssignableFrom)
                .toList();
        assertThat(bodies)
                .hasSizeGreaterThan(8)
                .allSatisfy(
                        body -> assertThat(RuntimeHintsPredicates.reflection().onType(body))
                                .accepts(hints));
    }
}
