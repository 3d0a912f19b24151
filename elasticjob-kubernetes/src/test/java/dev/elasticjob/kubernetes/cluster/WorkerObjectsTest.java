package dev.elasticjob.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.cluster.RegistryAccess.SecretKey;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkerObjectsTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final String SPEC = """
            registryNamespace: billing
            pools:
            - {name: default, maxWorkers: 10, capacity: 4, idleAfter: 90s}
            - {name: reports, jobs: [report, archive], maxWorkers: 5, resources: {requests: {memory: 4Gi}}}
            template:
              spec:
                containers:
                - {name: app, image: "shop:1.4", env: [{name: PROFILE, value: prod}]}
            """;

    private final WorkerObjects objects = new WorkerObjects(
            SERIALIZATION, new RegistryAccess("zookeeper:2181", Optional.of(new SecretKey("zookeeper", "digest"))));
    private final SeenApp app = new SeenApp(
            new SeenApp.Identity("jobs", "shop", "uid-1", 1),
            Map.of("kueue.x-k8s.io/queue-name", "batch"),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());

    @Test
    void aWorkerIsAJobOfOnePodThatIsNeverStartedAgain() {
        Job job = worker(SPEC, 0);

        assertThat(job.getMetadata().getName()).isEqualTo("shop-default-2-7");
        assertThat(job.getMetadata().getLabels())
                .containsEntry("kueue.x-k8s.io/queue-name", "batch")
                .containsEntry("elasticjob.dev/app", "shop")
                .containsEntry("elasticjob.dev/ordinal", "2");
        assertThat(job.getMetadata().getOwnerReferences())
                .singleElement()
                .matches(owner -> owner.getUid().equals("uid-1") && owner.getController());
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(600);
        assertThat(job.getSpec().getTemplate().getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(job.getSpec().getTemplate().getSpec().getAutomountServiceAccountToken())
                .isFalse();
    }

    @Test
    void itFindsItsRegistryAndItsNameInItsEnvironment() {
        Container container = container(worker(SPEC, 0));

        assertThat(values(container))
                .containsEntry("ELASTICJOB_INSTANCE_ID", "$(ELASTICJOB_POD_IP)@-@$(ELASTICJOB_POD_NAME)")
                .containsEntry("ELASTICJOB_REGISTRY_CONNECTSTRING", "zookeeper:2181")
                .containsEntry("ELASTICJOB_REGISTRY_NAMESPACE", "billing")
                .containsEntry("ELASTICJOB_WORKER_CAPACITY", "4")
                .containsEntry("ELASTICJOB_WORKER_IDLEAFTER", "90s")
                .containsEntry("ELASTICJOB_WORKER_EXCEPT", "archive,report")
                .containsEntry("PROFILE", "prod");
        assertThat(container.getEnv())
                .filteredOn(variable -> variable.getName().equals("ELASTICJOB_REGISTRY_DIGEST"))
                .singleElement()
                .matches(variable ->
                        variable.getValueFrom().getSecretKeyRef().getName().equals("zookeeper"));
        assertThat(container.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
    }

    @Test
    void aPoolThatNamesItsJobsRunsOnlyTheseWithItsOwnResources() {
        Container container = container(worker(SPEC, 1));

        assertThat(values(container)).containsEntry("ELASTICJOB_WORKER_JOBS", "report,archive");
        assertThat(container.getResources().getRequests()).containsEntry("memory", new Quantity("4Gi"));
    }

    @Test
    void workersThatAreAlwaysThereNeverLeaveByThemselves() {
        AppSpec spec = spec(SPEC);
        Deployment base = objects.base(app, spec, spec.pools().get(0), 2);

        assertThat(values(base.getSpec().getTemplate().getSpec().getContainers().get(0)))
                .doesNotContainKey("ELASTICJOB_WORKER_IDLEAFTER");
        assertThat(base.getSpec().getTemplate().getMetadata().getLabels())
                .containsAllEntriesOf(base.getSpec().getSelector().getMatchLabels());
        assertThat(base.getSpec().getStrategy().getRollingUpdate().getMaxSurge().getIntVal())
                .isZero();
    }

    @Test
    void onlyWorkersOnDemandAreFresh() {
        String fresh = SPEC.replace("idleAfter: 90s", "freshWorkers: true");
        AppSpec spec = spec(fresh);

        assertThat(values(container(worker(SPEC, 0)))).doesNotContainKey("ELASTICJOB_WORKER_FRESH");
        assertThat(values(container(worker(fresh, 0)))).containsEntry("ELASTICJOB_WORKER_FRESH", "true");
        assertThat(values(objects.base(app, spec, spec.pools().get(0), 1)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)))
                .doesNotContainKey("ELASTICJOB_WORKER_FRESH");
    }

    @Test
    void onlyWhatWorkersAreStartedFromChangesTheTemplate() {
        String template = template(SPEC);

        assertThat(template(SPEC)).isEqualTo(template);
        assertThat(template(SPEC.replace("maxWorkers: 10", "maxWorkers: 20"))).isEqualTo(template);
        assertThat(template(SPEC.replace("shop:1.4", "shop:1.5"))).isNotEqualTo(template);
        assertThat(template(SPEC.replace("capacity: 4", "capacity: 5"))).isNotEqualTo(template);
        assertThat(template(SPEC.replace("[report, archive]", "[report]"))).isNotEqualTo(template);
    }

    private String template(String text) {
        AppSpec spec = spec(text);
        return objects.template(spec, spec.pools().get(0));
    }

    private Job worker(String text, int pool) {
        AppSpec spec = spec(text);
        Pool wanted = spec.pools().get(pool);
        return objects.worker(app, spec, wanted, new Place(2, 7));
    }

    private static Container container(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    private static Map<String, String> values(Container container) {
        return container.getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    private static AppSpec spec(String text) {
        return new ElasticAppCheck(SERIALIZATION)
                .check("shop", SERIALIZATION.unmarshal(text, Map.class))
                .spec()
                .orElseThrow();
    }
}
