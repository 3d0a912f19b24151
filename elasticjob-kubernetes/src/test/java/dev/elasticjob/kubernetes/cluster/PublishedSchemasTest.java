package dev.elasticjob.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubernetes.client.openapi.JSON;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What people apply, and what the controller creates, agrees with the schemas that Kubernetes publishes: no field is unknown,
 * none is missing, and each has its type. The models of Kubernetes' own Java client are generated from these schemas.
 */
class PublishedSchemasTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final Gson GSON = JSON.getGson();
    private static final String MODELS = "io.kubernetes.client.openapi.models.";
    private static final String POD_TEMPLATE = MODELS + "V1PodTemplateSpec";
    private static final Path ROOT = Path.of("..");
    private static final Pattern BETWEEN_DOCUMENTS = Pattern.compile("(?m)^---.*$");
    private static final Pattern SNIPPET = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** A resource, and where it is written. */
    private record Written(Path where, Map<?, ?> resource) {
        String kind() {
            return String.valueOf(resource.get("kind"));
        }

        /** Not one of a tool, or of an extension. */
        boolean isOfKubernetes() {
            String group = String.valueOf(resource.get("apiVersion")).replaceFirst("/?[^/]*$", "");
            return !group.contains(".") || (group.endsWith(".k8s.io") && !group.startsWith("kustomize."));
        }

        @Override
        public String toString() {
            return where + ": " + kind();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatPeopleApplyAgrees(Written written) {
        assertThat(fault(model(written), written.resource())).isEmpty();
    }

    static Stream<Written> whatPeopleApplyAgrees() throws IOException {
        return written().stream().filter(Written::isOfKubernetes);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void theTemplateOfAnElasticAppAgrees(Written written) {
        Map<?, ?> spec = (Map<?, ?>) written.resource().get("spec");

        assertThat(fault(POD_TEMPLATE, spec.get("template"))).isEmpty();
    }

    static Stream<Written> theTemplateOfAnElasticAppAgrees() throws IOException {
        return written().stream()
                .filter(written -> written.kind().equals("ElasticApp"))
                .filter(written -> written.resource().containsKey("spec"));
    }

    @Test
    void everythingThatIsDeployedIsAmongThem() throws IOException {
        assertThat(written())
                .filteredOn(Written::isOfKubernetes)
                .extracting(Written::kind)
                .contains(
                        "CustomResourceDefinition",
                        "ServiceAccount",
                        "Role",
                        "RoleBinding",
                        "Deployment",
                        "PodDisruptionBudget",
                        "PriorityClass");
    }

    @Test
    void whatTheControllerCreatesAgrees() {
        AppSpec spec = new ElasticAppCheck(SERIALIZATION)
                .check("shop", SERIALIZATION.unmarshal("""
                registryNamespace: billing
                pools:
                - {name: default, maxWorkers: 10, capacity: 4, resources: {requests: {memory: 4Gi}}}
                template:
                  spec:
                    containers:
                    - {name: app, image: "shop:1.4", env: [{name: PROFILE, value: prod}]}
                """, Map.class))
                .spec()
                .orElseThrow();
        SeenApp app = new SeenApp(
                new SeenApp.Identity("jobs", "shop", "uid-1", 1),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
        WorkerObjects objects =
                new WorkerObjects(SERIALIZATION, new RegistryAccess("zookeeper:2181", Optional.empty()));

        assertThat(fault(
                        MODELS + "V1Job", objects.worker(app, spec, spec.pools().get(0), new Place(2, 7))))
                .isEmpty();
        assertThat(fault(
                        MODELS + "V1Deployment",
                        objects.base(app, spec, spec.pools().get(0), 2)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: app, imagee: x}|imagee",
                "{image: x}|name",
                "{name: app, image: 5}|image",
                "{name: app, ports: [{containerPort: x}]}|x"
            })
    void aFaultIsFound(String container, String named) {
        Object template = SERIALIZATION.unmarshal("spec: {containers: [%s]}".formatted(container), Map.class);

        assertThat(fault(POD_TEMPLATE, template))
                .hasValueSatisfying(fault -> assertThat(fault).contains(named));
    }

    // ------------------------------------------------------------------ helpers

    private static List<Written> written() throws IOException {
        List<Written> all = new ArrayList<>();
        for (Path file : files(ROOT.resolve("elasticjob-kubernetes").resolve("deploy"), ".yaml")) {
            add(all, file, Files.readString(file));
        }
        for (Path file : files(ROOT.resolve("samples"), ".yaml")) {
            add(all, file, Files.readString(file));
        }
        for (Path file : files(ROOT.resolve("docs").resolve("guide"), ".md")) {
            SNIPPET.matcher(Files.readString(file))
                    .results()
                    .forEach(snippet -> add(all, file, snippet.group(1).stripIndent()));
        }
        return all;
    }

    private static List<Path> files(Path below, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(file -> file.toString().endsWith(suffix))
                    .filter(file -> !file.toString().contains("target"))
                    .filter(file -> !file.toString().contains("src"))
                    .sorted()
                    .toList();
        }
    }

    private static void add(List<Written> all, Path file, String yaml) {
        BETWEEN_DOCUMENTS
                .splitAsStream(yaml)
                .filter(document -> document.contains("apiVersion:"))
                .map(document -> new Written(ROOT.relativize(file), SERIALIZATION.unmarshal(document, Map.class)))
                .forEach(all::add);
    }

    private static String model(Written written) {
        String version = String.valueOf(written.resource().get("apiVersion")).replaceFirst(".*/", "");
        return MODELS + Character.toUpperCase(version.charAt(0)) + version.substring(1) + written.kind();
    }

    /** What the model refuses, or reads otherwise than it is written: a number, say, where a text is expected. */
    private static Optional<String> fault(String model, Object resource) {
        JsonElement json = JsonParser.parseString(SERIALIZATION.asJson(resource));
        try {
            Class<?> type = Class.forName(model);
            type.getMethod("validateJsonElement", JsonElement.class).invoke(null, json);
            return difference("", json, GSON.toJsonTree(GSON.fromJson(json, type)));
        } catch (InvocationTargetException e) {
            return Optional.of(String.valueOf(e.getCause().getMessage()));
        } catch (JsonParseException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("There is no such kind in Kubernetes: " + model, e);
        }
    }

    /** The first value that was read as another one; what is only read is a default. */
    private static Optional<String> difference(String path, JsonElement written, JsonElement read) {
        if (written instanceof JsonObject fields && read instanceof JsonObject others) {
            return fields.keySet().stream()
                    .flatMap(name -> difference(path + "." + name, fields.get(name), others.get(name)).stream())
                    .findFirst();
        }
        if (written instanceof JsonArray items && read instanceof JsonArray others && items.size() == others.size()) {
            return IntStream.range(0, items.size())
                    .boxed()
                    .flatMap(
                            index -> difference(path + "[" + index + "]", items.get(index), others.get(index)).stream())
                    .findFirst();
        }
        return written.equals(read)
                ? Optional.empty()
                : Optional.of("%s is written as %s, and read as %s".formatted(path, written, read));
    }
}
