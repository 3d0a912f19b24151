package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.PathResource;
import org.springframework.core.io.Resource;

/** What {@code samples/kubernetes/deployment.yaml} says, against what an application understands and needs. */
class KubernetesDeploymentTest {
    private static final Resource FILE = new PathResource(Path.of("..", "kubernetes", "deployment.yaml"));
    /** What the engine's stop may take beyond its timeout: a second to interrupt, five for a registry that is away. */
    private static final Duration LEAVING = Duration.ofSeconds(6);
    /** The jobs have one, and the web server's requests have the next. */
    private static final int PHASES = 2;

    private final PropertySource<?> deployment = document("Deployment");
    private final PropertySource<?> settings = settings();
    private final Pod pod =
            binder(deployment).bind("spec.template.spec", Pod.class).get();

    record Pod(int terminationGracePeriodSeconds, List<Container> containers) {
        Container container() {
            return containers.get(0);
        }
    }

    record Container(List<Variable> env, Lifecycle lifecycle) {}

    record Variable(String name) {}

    record Lifecycle(PreStop preStop) {}

    record PreStop(Sleep sleep) {}

    record Sleep(int seconds) {}

    @Test
    void runningItemsMayEndAndTheirInstanceMayLeaveWithinAPhase() {
        Duration shutdownTimeout = duration("elasticjob.shutdown-timeout");
        Duration phase = duration("spring.lifecycle.timeout-per-shutdown-phase");

        assertThat(shutdownTimeout.plus(LEAVING)).isLessThanOrEqualTo(phase);
    }

    @Test
    void allPhasesEndBeforeTheContainerIsKilled() {
        Duration phases =
                duration("spring.lifecycle.timeout-per-shutdown-phase").multipliedBy(PHASES);
        Duration preStop =
                Duration.ofSeconds(pod.container().lifecycle().preStop().sleep().seconds());

        assertThat(preStop.plus(phases)).isLessThan(Duration.ofSeconds(pod.terminationGracePeriodSeconds()));
    }

    @Test
    void everyPropertyExists() throws Exception {
        Set<String> unknown = new TreeSet<>(Set.of(((EnumerablePropertySource<?>) settings).getPropertyNames()));
        assertThat(unknown).contains("elasticjob.registry.session-timeout");

        unknown.removeAll(knownProperties());

        assertThat(unknown).isEmpty();
    }

    @Test
    void everyVariableIsAProperty() throws Exception {
        Set<String> unknown = new TreeSet<>();
        pod.container().env().forEach(variable -> unknown.add(variable.name()));
        assertThat(unknown).contains("ELASTICJOB_REGISTRY_CONNECTSTRING", "ELASTICJOB_INSTANCE_IP");

        knownProperties().forEach(property -> unknown.remove(variable(property)));

        assertThat(unknown).isEmpty();
    }

    // ------------------------------------------------------------------ reading

    /** As Spring Boot binds them: dots become underscores, dashes go. */
    private static String variable(String property) {
        return property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private Duration duration(String property) {
        return binder(settings).bind(property, Duration.class).get();
    }

    private static Binder binder(PropertySource<?> source) {
        return new Binder(ConfigurationPropertySources.from(source));
    }

    private static PropertySource<?> document(String kind) {
        return load(FILE).stream()
                .filter(source -> kind.equals(source.getProperty("kind")))
                .findFirst()
                .orElseThrow();
    }

    /** The application's own file, which is text inside the other one. */
    private static PropertySource<?> settings() {
        Object text = document("ConfigMap").getProperty("data.application.yml");
        return load(new ByteArrayResource(String.valueOf(text).getBytes(StandardCharsets.UTF_8)))
                .get(0);
    }

    private static List<PropertySource<?>> load(Resource resource) {
        try {
            return new YamlPropertySourceLoader().load(resource.getDescription(), resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of all libraries on the class path. */
    private static Set<String> knownProperties() throws Exception {
        Set<String> names = new HashSet<>();
        List<URL> files = Collections.list(KubernetesDeploymentTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"));
        for (URL file : files) {
            try (InputStream metadata = file.openStream()) {
                String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
                List<?> properties = (List<?>)
                        JsonParserFactory.getJsonParser().parseMap(text).get("properties");
                properties.forEach(property -> names.add(String.valueOf(((Map<?, ?>) property).get("name"))));
            }
        }
        return names;
    }
}
