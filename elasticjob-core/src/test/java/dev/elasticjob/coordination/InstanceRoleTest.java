package dev.elasticjob.coordination;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InstanceRoleTest {
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(new ManualTime(NOON));
    private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, Runnable::run);
    private final InMemoryRegistry stranger = new InMemoryRegistry(ensemble, Runnable::run);

    @BeforeEach
    void aJob() {
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        TREE.parents().forEach(job::create);
        commit(registry, job.create(TREE.sharding()).create(TREE.config()).create(TREE.extension()));
    }

    @Test
    void aJobWithoutItsNodesIsIncompleteWhateverElseIsThere() {
        commit(
                registry,
                RegistryCommit.builder()
                        .createEphemeral(TREE.instance(US), US)
                        .delete(TREE.extension(), RegistryCommit.ANY_VERSION));

        assertThat(standing()).isEqualTo(InstanceRole.INCOMPLETE);
    }

    @Test
    void anInstanceWithoutANodeIsMissing() {
        commit(stranger, RegistryCommit.builder().createEphemeral(TREE.leader(), "somebody"));

        assertThat(standing()).isEqualTo(InstanceRole.MISSING);
    }

    @Test
    void anInstanceWhoseNodeBelongsToAnotherSessionIsReplaced() {
        commit(stranger, RegistryCommit.builder().createEphemeral(TREE.instance(US), US));

        assertThat(standing()).isEqualTo(InstanceRole.REPLACED);
    }

    @Test
    void aLeaderIsTheOneWhoseSessionOwnsTheLeadersNode() {
        commit(registry, RegistryCommit.builder().createEphemeral(TREE.instance(US), US));
        assertThat(standing()).isEqualTo(InstanceRole.CANDIDATE);

        commit(stranger, RegistryCommit.builder().createEphemeral(TREE.leader(), US));
        assertThat(standing()).as("the same id in another session").isEqualTo(InstanceRole.FOLLOWER);

        commit(stranger, RegistryCommit.builder().delete(TREE.leader(), RegistryCommit.ANY_VERSION));
        commit(registry, RegistryCommit.builder().createEphemeral(TREE.leader(), US));
        assertThat(standing()).isEqualTo(InstanceRole.LEADER);
    }

    private InstanceRole standing() {
        JobView view = new JobViewReader(TREE, registry)
                .asMember(US, "10.0.0.1")
                .toCompletableFuture()
                .join();
        return InstanceRole.of(view, registry.session().orElseThrow());
    }

    private static void commit(InMemoryRegistry by, RegistryCommit.Builder commit) {
        assertThat(by.commit(by.session().orElseThrow(), commit.build())
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CommitOutcome.Committed.class);
    }
}
