package dev.elasticjob.samples.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.app.ElasticAppCheck.Checked;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the file has can be applied, and its parts fit together. */
class ElasticAppTest {
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final String[] documents = documents();

    @Test
    void itsPartsFitTogether() {
        Map<?, ?> app = serialization.unmarshal(documents[0], Map.class);
        var budget = serialization.unmarshal(documents[1], PodDisruptionBudget.class);
        var priority = serialization.unmarshal(documents[2], PriorityClass.class);
        Checked checked = new ElasticAppCheck(serialization).check("billing", (Map<?, ?>) app.get("spec"));

        assertThat(checked.faults()).isEmpty();
        assertThat(budget.getSpec().getAdditionalProperties())
                .as("unknown fields")
                .isEmpty();
        assertThat(priority.getAdditionalProperties()).as("unknown fields").isEmpty();
        AppSpec spec = checked.spec().orElseThrow();
        assertThat(budget.getSpec().getSelector().getMatchLabels())
                .containsExactly(Map.entry("elasticjob.dev/app", "billing"));
        assertThat(budget.getSpec().getMinAvailable().getIntVal())
                .isEqualTo(spec.pools().get(0).maxWorkers());
        assertThat(spec.template().getSpec().getPriorityClassName())
                .isEqualTo(priority.getMetadata().getName());
        // The shutdown timeout of the jobs, and the time in which they leave the registry.
        assertThat(spec.template().getSpec().getTerminationGracePeriodSeconds()).isGreaterThan(20 + 6);
    }

    private static String[] documents() {
        try {
            return Files.readString(Path.of("elastic-app.yaml")).split("\n---\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
