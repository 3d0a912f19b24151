package dev.elasticjob.kubernetes.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.app.ElasticAppCheck.Checked;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElasticAppCheckTest {
    private static final String TEMPLATE = """
            template:
              spec:
                containers: [{name: app, image: "shop:1.4"}]
            """;

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final ElasticAppCheck check = new ElasticAppCheck(serialization);

    @Test
    void theShortestResourceHasDefaults() {
        Checked checked = check("shop", "pools: [{name: default, maxWorkers: 10}]\n" + TEMPLATE);

        assertThat(checked.faults()).isEmpty();
        AppSpec spec = checked.spec().orElseThrow();
        assertThat(spec.registryNamespace()).isEqualTo("shop");
        assertThat(spec.suspend()).isFalse();
        Pool pool = spec.pools().get(0);
        assertThat(pool.capacity()).isEqualTo(1);
        assertThat(pool.baseWorkers()).isZero();
        assertThat(pool.startAhead()).isEqualTo(Duration.ofSeconds(30));
        assertThat(pool.idleAfter()).isEqualTo(Duration.ofSeconds(60));
        assertThat(pool.startTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(spec.template().getSpec().getContainers().get(0).getImage()).isEqualTo("shop:1.4");
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        Checked checked = check("a-name-that-is-much-too-long-for-the-workers", """
                suspend: "yes"
                pool: []
                pools:
                - {name: Default, maxWorkers: 0, capacity: many, startAhead: soon}
                - {name: reports, jobs: [report, "r*"], maxWorkers: 5, baseWorkers: 6, startAhead: 2m}
                - {name: more, jobs: [report], maxWorkers: 5, resources: {limits: 4}}
                - {name: rest, maxWorkers: 5, nodeSelector: {disk: ssd}}
                - {name: rest, maxWorkers: 5, idleAfter: 0s, startAhead: 0s}
                template:
                  metadata: {labels: {elasticjob.dev/pool: x}}
                  spec:
                    restartPolicy: Always
                    containers: [{name: web, image: a}, {name: log, image: b}]
                """);

        assertThat(checked.spec()).isEmpty();
        assertThat(checked.faults())
                .anyMatch(fault -> fault.startsWith("metadata.name: expected at most 40 characters"))
                .contains("spec.suspend: expected true or false, found \"yes\". Correct it")
                .contains("spec.pool: there is no such field. Use one of registryNamespace, suspend, pools, template")
                .anyMatch(fault -> fault.startsWith("spec.pools[0].name: expected a text that matches"))
                .contains("spec.pools[0].maxWorkers: expected 1 to 999, found 0. Correct it")
                .contains("spec.pools[0].capacity: expected a whole number, found \"many\". Correct it")
                .anyMatch(fault -> fault.startsWith("spec.pools[0].startAhead: expected a text that matches"))
                .anyMatch(fault -> fault.startsWith("spec.pools[1].jobs: expected a text that matches"))
                .anyMatch(fault -> fault.startsWith(
                        "spec.pools[2].resources: expected what Kubernetes calls ResourceRequirements"))
                .anyMatch(fault -> fault.startsWith("spec.pools[3].nodeSelector: there is no such field"))
                .anyMatch(fault -> fault.startsWith("spec.pools[4]: expected idleAfter and startTimeout above 0"))
                .contains("spec.pools: expected each name once, found \"rest\" 2 times. Rename all but one")
                .anyMatch(fault -> fault.startsWith("spec.pools: expected at most one pool without jobs"))
                .contains("spec.template.metadata.labels: \"elasticjob.dev/pool\" is set by the controller. Remove it")
                .anyMatch(fault -> fault.startsWith("spec.template.spec.restartPolicy: the controller sets it"))
                .anyMatch(
                        fault -> fault.startsWith("spec.template.spec.containers: expected one that is named \"app\""));
    }

    @Test
    void fieldsThatDoNotFitTogetherAreTold() {
        Checked checked = check("shop", """
                pools:
                - {name: a, jobs: [report], maxWorkers: 5, baseWorkers: 6}
                - {name: b, jobs: [report], maxWorkers: 5, startAhead: 2m}
                """ + TEMPLATE);

        assertThat(checked.faults())
                .containsExactly(
                        "spec.pools[0].baseWorkers: expected at most maxWorkers, which is 5, found 6. Lower it, or raise maxWorkers",
                        "spec.pools[1].startAhead: expected at most idleAfter, or a worker that is started ahead leaves before the firing; found 2 min and 1 min. Raise idleAfter",
                        "spec.pools: expected job \"report\" in one pool, found it in a, b. Leave it in one of them");
    }

    @Test
    void freshWorkersAreNeverAlwaysThere() {
        Checked checked = check("shop", """
                pools:
                - {name: a, maxWorkers: 5, baseWorkers: 1, freshWorkers: true}
                """ + TEMPLATE);

        assertThat(checked.faults())
                .containsExactly(
                        "spec.pools[0].baseWorkers: expected 0 with freshWorkers, because Kubernetes starts workers that are always there again and again, with growing pauses; found 1. Set it to 0, or leave out freshWorkers");
    }

    @Test
    void aTemplateThatSetsWhatTheControllerSetsIsRefused() {
        Checked checked = check("shop", """
                pools: [{name: default, maxWorkers: 10}]
                template:
                  spec:
                    containers:
                    - name: app
                      env: [{name: ELASTICJOB_WORKER_CAPACITY, value: "3"}, {name: PROFILE, value: prod}]
                """);

        assertThat(checked.faults())
                .containsExactly(
                        "spec.template.spec.containers: expected an image of container \"app\", found none. Set it",
                        "spec.template.spec.containers: ELASTICJOB_WORKER_CAPACITY of container \"app\" is set by the controller. Remove it; see spec.registryNamespace and the fields of the pool");
    }

    @Test
    void aTemplateWithoutContainerIsRefused() {
        Checked checked = check("shop", "pools: [{name: default, maxWorkers: 10}]\ntemplate: {}");

        assertThat(checked.faults())
                .containsExactly(
                        "spec.template.spec.containers: expected the application's container, found none. Add it with its name and image");
    }

    @Test
    void nothingAtAllIsRefused() {
        assertThat(check.check("shop", Map.of()).faults())
                .containsExactly(
                        "spec.pools: expected a list of objects, found nothing. Set it",
                        "spec.template: expected an object, found nothing. Set it");
    }

    private Checked check(String name, String spec) {
        return check.check(name, serialization.unmarshal(spec, Map.class));
    }
}
