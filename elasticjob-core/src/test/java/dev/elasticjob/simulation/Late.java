package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Some transactions go out seconds after they were planned, each at a moment of the seed's choice, as from a process that
 * gets no time: nothing may break.
 */
enum Late implements Flaw {
    CLAIMS_AND_RESHARDS {
        @Override
        boolean holds(RegistryCommit commit) {
            return Mutation.creates(commit, "/running", true)
                    || commit.operations().stream()
                            .anyMatch(step ->
                                    step instanceof Operation.Set && step.path().equals(TREE.sharding()));
        }
    },
    /** Those of executions that go on: by themselves, they hardly ever meet a successor. */
    CHECKPOINTS {
        @Override
        boolean holds(RegistryCommit commit) {
            return Mutation.writesCheckpointAlone(commit);
        }
    };

    private static final int MOST_MILLIS = 4_000;
    private static final JobTree TREE = new JobTree(Scenario.JOB);

    abstract boolean holds(RegistryCommit commit);

    @Override
    public Registry apply(Registry registry) {
        Network network = ((SimulatedRegistry) registry).network();
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                if (network.isCalm() || !holds(commit)) {
                    return super.commit(session, commit);
                }
                CompletableFuture<Void> released = new CompletableFuture<>();
                Duration delay = Duration.ofMillis(network.random().nextInt(MOST_MILLIS));
                network.later(delay, () -> released.complete(null));
                return released.thenCompose(now -> super.commit(session, commit));
            }
        };
    }

    /** The same with a rule taken out. */
    Flaw and(Flaw flaw) {
        return new Flaw() {
            @Override
            public Registry apply(Registry registry) {
                return flaw.apply(Late.this.apply(registry));
            }

            @Override
            public TaskTimer timer(TaskTimer timer) {
                return flaw.timer(timer);
            }

            @Override
            public String toString() {
                return flaw + " with late " + Late.this;
            }
        };
    }
}
