package dev.elasticjob.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.kubernetes.plan.Reason;
import dev.elasticjob.kubernetes.plan.Worker;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Kubernetes says of a worker, as its API writes it. */
class SeenWorkersTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    @Test
    void aPodThatFindsNoNodeIsPending() {
        Worker worker = worker("{}", """
                phase: Pending
                conditions:
                - {type: PodScheduled, status: "False", reason: Unschedulable, message: "0/3 nodes are available: 3 Insufficient memory."}
                """);

        assertThat(worker.phase()).isEqualTo(Phase.PENDING);
        assertThat(worker.reason())
                .contains(new Reason("Unschedulable", "0/3 nodes are available: 3 Insufficient memory."));
    }

    @Test
    void anImageThatCanNotBePulledIsPending() {
        Worker worker = worker("{}", """
                phase: Pending
                conditions: [{type: PodScheduled, status: "True"}]
                containerStatuses:
                - state: {waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image "shop:1.5"'}}
                """);

        assertThat(worker.phase()).isEqualTo(Phase.PENDING);
        assertThat(worker.reason()).contains(new Reason("ImagePullBackOff", "Back-off pulling image \"shop:1.5\""));
    }

    @Test
    void aContainerThatIsBeingMadeIsNoReason() {
        Worker worker = worker("{}", """
                phase: Pending
                containerStatuses: [{state: {waiting: {reason: ContainerCreating}}}]
                """);

        assertThat(worker.reason()).isEmpty();
    }

    @Test
    void aWorkerThatWasKilledForItsMemorySaysIt() {
        Worker worker = worker("conditions: [{type: Failed, status: \"True\", reason: BackoffLimitExceeded}]", """
                phase: Failed
                containerStatuses:
                - state: {terminated: {reason: OOMKilled, exitCode: 137, startedAt: "2026-03-01T12:00:00Z"}}
                """);

        assertThat(worker.phase()).isEqualTo(Phase.FAILED);
        assertThat(worker.reason()).contains(new Reason("OOMKilled", "exit code 137"));
    }

    @Test
    void theLastLinesOfAWorkerThatFailedAreItsReason() {
        Worker worker = worker("conditions: [{type: Failed, status: \"True\"}]", """
                phase: Failed
                containerStatuses:
                - state: {terminated: {reason: Error, exitCode: 1, message: "no database\\n"}}
                """);

        assertThat(worker.reason()).contains(new Reason("Error", "exit code 1, last lines: no database"));
    }

    /** Who may not see what programs write cuts it off there. */
    @Test
    void howeverLongTheLogIsWhereItBeginsIsKept() {
        String log = "secret ".repeat(300) + "😀".repeat(499) + "end";

        Worker worker = worker(
                "conditions: [{type: Failed, status: \"True\", reason: BackoffLimitExceeded}]", """
                phase: Failed
                containerStatuses:
                - state: {terminated: {reason: Error, exitCode: 1, message: "%s"}}
                """.formatted(log));

        String text = worker.reason().orElseThrow().text();
        assertThat(text).startsWith("exit code 1" + PublishedApp.LAST_LINES).endsWith("😀end");
        assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .as("no half of a character")
                .isEqualTo(text);
    }

    @Test
    void anEvictedWorkerSaysIt() {
        Worker worker = worker("conditions: [{type: Failed, status: \"True\"}]", """
                phase: Failed
                reason: Evicted
                message: The node was low on resource memory.
                """);

        assertThat(worker.reason()).contains(new Reason("Evicted", "The node was low on resource memory."));
    }

    @Test
    void aFinishedJobHoldsItsPlaceAsLongAsItsPodLives() {
        Worker worker = worker("conditions: [{type: Failed, status: \"True\"}]", """
                phase: Running
                containerStatuses: [{state: {running: {startedAt: "2026-03-01T12:00:00Z"}}}]
                """);

        assertThat(worker.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aSuspendedJobIsQueued() {
        Job job = SERIALIZATION.unmarshal(text("suspend: true", "{}"), Job.class);

        Worker worker =
                SeenWorkers.onDemand(List.of(job), List.of()).get("default").get(0);

        assertThat(worker.reason()).map(Reason::code).contains("Queued");
    }

    private static Worker worker(String jobStatus, String podStatus) {
        Job job = SERIALIZATION.unmarshal(text("suspend: false", jobStatus), Job.class);
        Pod pod = SERIALIZATION.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: shop-default-0-1-abcde
                  labels: {elasticjob.dev/pool: default, elasticjob.dev/ordinal: "0", batch.kubernetes.io/job-name: shop-default-0-1}
                status:
                """ + podStatus.indent(2), Pod.class);
        return SeenWorkers.onDemand(List.of(job), List.of(pod)).get("default").get(0);
    }

    private static String text(String spec, String status) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: shop-default-0-1
                  creationTimestamp: "2026-03-01T11:59:00Z"
                  labels: {elasticjob.dev/pool: default, elasticjob.dev/ordinal: "0", elasticjob.dev/number: "1"}
                spec: {%s}
                status: {%s}
                """.formatted(spec, status.equals("{}") ? "" : status);
    }
}
