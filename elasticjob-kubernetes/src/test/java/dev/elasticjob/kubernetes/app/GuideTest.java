package dev.elasticjob.kubernetes.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.ControllerProperties;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ssl.PemSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.SslProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What the guide shows can be applied, and it has each field with its default. */
class GuideTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private static final Path ROOT = Path.of("..");

    private final String guide = read();

    @Test
    void itsResourcesAreRight() {
        var check = new ElasticAppCheck(new KubernetesSerialization());

        assertThat(snippets("ElasticApp"))
                .hasSize(2)
                .allSatisfy(resource -> assertThat(check.check("shop", object(resource.get("spec")))
                                .faults())
                        .isEmpty());
    }

    @Test
    void itHasEachFieldWithItsDefault() {
        SpecField.OF_POOL.forEach(field -> assertThat(guide)
                .contains("| `pools[]." + field.name() + "` | "
                        + field.fallback().map(value -> "`" + value + "` |").orElse("")));
        SpecField.OF_APP.stream()
                .filter(field -> !field.name().equals("pools"))
                .forEach(field -> assertThat(guide).contains("| `" + field.name() + "` | "));
    }

    /** A name that is misspelt would be ignored. */
    @Test
    void itsVariablesForTlsAreThoseOfTheController() {
        Map<String, Object> variables = variables(pod("Deployment"));
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        Binder binder = Binder.get(environment);

        PemSslBundleProperties bundle = binder.bind("spring.ssl", SslProperties.class)
                .get()
                .getBundle()
                .getPem()
                .get("zookeeper");
        assertThat(bundle.getTruststore().getCertificate()).isEqualTo("file:/etc/zookeeper-tls/ca.crt");
        assertThat(bundle.getKeystore().getCertificate()).isEqualTo("file:/etc/zookeeper-tls/tls.crt");
        assertThat(bundle.getKeystore().getPrivateKey()).isEqualTo("file:/etc/zookeeper-tls/tls.key");
        assertThat(bundle.isReloadOnUpdate()).isTrue();
        ControllerProperties.Registry registry =
                binder.bind("elasticjob", ControllerProperties.class).get().registry();
        assertThat(registry.ssl().bundle()).isEqualTo("zookeeper");
        assertThat(registry.connectString()).startsWith("zookeeper-0.zookeeper:2281,");
        assertThat(environment.getProperty("spring.config.import")).isEqualTo("configtree:/etc/zookeeper-digest/");
    }

    /** The controller's connect string comes by itself, and its digest is none of theirs. */
    @Test
    void itsWorkersHaveTheControllersBundleAndNothingElseOfIt() {
        Map<?, ?> controller = pod("Deployment");
        Map<?, ?> worker = pod("ElasticApp");
        Map<String, Object> ofBundle = variables(controller);
        ofBundle.keySet().removeAll(Set.of("ELASTICJOB_REGISTRY_CONNECTSTRING", "SPRING_CONFIG_IMPORT"));

        assertThat(variables(worker)).isEqualTo(ofBundle);
        assertThat(worker.get("securityContext")).isEqualTo(controller.get("securityContext"));
        assertThat(List.<Object>copyOf((List<?>) worker.get("volumes")))
                .singleElement()
                .isEqualTo(named("zookeeper-tls", controller.get("volumes")));
        assertThat(List.<Object>copyOf((List<?>) container(worker).get("volumeMounts")))
                .singleElement()
                .isEqualTo(named("zookeeper-tls", container(controller).get("volumeMounts")));
    }

    /** A patch of a name that isn't there is refused, or adds a container. */
    @Test
    void itsPatchIsOfWhatIsDeployed() throws IOException {
        Map<?, ?> overlay = snippets("Kustomization").get(0);
        Path deployed = ROOT.resolve(String.valueOf(((List<?>) overlay.get("resources")).get(0)));
        Map<?, ?> controller = new KubernetesSerialization()
                .unmarshal(Files.readString(deployed.resolve("controller.yaml")), Map.class);
        Map<?, ?> patch = snippets("Deployment").get(0);

        assertThat(deployed.resolve("kustomization.yaml")).exists();
        assertThat(guide)
                .contains(
                        "`" + object(((List<?>) overlay.get("patches")).get(0)).get("path") + "`");
        assertThat(object(patch.get("metadata")).get("name"))
                .isEqualTo(object(controller.get("metadata")).get("name"));
        assertThat(container(pod(patch)).get("name"))
                .isEqualTo(container(pod(controller)).get("name"));
    }

    private List<Map<?, ?>> snippets(String kind) {
        return YAML.matcher(guide)
                .results()
                .<Map<?, ?>>map(found -> new KubernetesSerialization().unmarshal(found.group(1), Map.class))
                .filter(resource -> kind.equals(resource.get("kind")))
                .toList();
    }

    /** Of the first resource of that kind, which is the one with TLS. */
    private Map<?, ?> pod(String kind) {
        return pod(snippets(kind).get(0));
    }

    private static Map<?, ?> pod(Map<?, ?> resource) {
        return object(object(object(resource.get("spec")).get("template")).get("spec"));
    }

    private static Map<?, ?> container(Map<?, ?> pod) {
        return object(((List<?>) pod.get("containers")).get(0));
    }

    private static Map<String, Object> variables(Map<?, ?> pod) {
        Map<String, Object> variables = new HashMap<>();
        for (Object variable : (List<?>) container(pod).get("env")) {
            variables.put(
                    String.valueOf(object(variable).get("name")),
                    object(variable).get("value"));
        }
        return variables;
    }

    private static Map<?, ?> named(String name, Object list) {
        return ((List<?>) list)
                .stream()
                        .<Map<?, ?>>map(GuideTest::object)
                        .filter(one -> name.equals(one.get("name")))
                        .findFirst()
                        .orElseThrow();
    }

    private static Map<?, ?> object(Object value) {
        return (Map<?, ?>) value;
    }

    private static String read() {
        try {
            return Files.readString(ROOT.resolve("docs/guide/kubernetes.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
