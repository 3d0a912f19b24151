package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the rows of the fault table have in common: what they open is closed, and what they find is reported. */
abstract class FaultTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Opened opened = new Opened();

    final <T extends AutoCloseable> T open(T resource) {
        opened.add(resource);
        return resource;
    }

    final FaultCluster cluster(String row, WorkloadSettings settings) {
        return open(new FaultCluster(row, settings));
    }

    /** The judgement of all firings from one to another, both included. */
    static Verdict judge(FaultCluster cluster, Instant first, Instant last) {
        return judge(cluster, cluster.settings().job(), first, last);
    }

    static Verdict judge(FaultCluster cluster, String job, Instant first, Instant last) {
        return new FaultOracle(cluster.history().of(job)).judge(cluster.settings(), first, last);
    }

    /** When the node of the instance was seen to be gone, by a client of the test's own. */
    final CompletableFuture<Instant> disappearance(String connectString, WorkloadSettings workload, String instance) {
        Registry registry = open(CuratorRegistry.connect(RegistrySettings.of(connectString, Workload.NAMESPACE)));
        return registry.awaitAbsence(new JobTree(workload.job()).instance(instance))
                .thenApply(absent -> Instant.now())
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** What an item did last, as it stands in the registry. */
    final String record(String connectString, WorkloadSettings workload, int item) {
        Registry registry = open(CuratorRegistry.connect(RegistrySettings.of(connectString, Workload.NAMESPACE)));
        String path = new JobTree(workload.job()).item(item);
        return registry.read(List.of(RegistryRead.data(path)))
                .thenApply(answer -> answer.node(path).orElseThrow().text())
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** Reports the row, and lets no broken promise pass. */
    static Verdict judged(FaultCluster cluster, Verdict verdict, String... more) {
        String figures = verdict.figures() + (more.length == 0 ? "" : ", " + String.join(", ", more));
        FaultTable.report(cluster.row(), figures);
        assertThat(verdict.brokenPromises())
                .as("broken promises in: %s", figures)
                .isEmpty();
        return verdict;
    }
}
