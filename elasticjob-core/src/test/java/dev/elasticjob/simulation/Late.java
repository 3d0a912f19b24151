package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Some requests go out seconds after they were planned, each at a moment of the seed's choice, as from a process that
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
    },
    /** The looks that tell whether a refused claim was carried out: the job may be left and registered anew meanwhile. */
    DECISIONS {
        @Override
        boolean holds(List<RegistryRead> reads) {
            return reads.stream()
                    .anyMatch(read -> read instanceof RegistryRead.Data
                            && read.path().startsWith(TREE.sharding())
                            && read.path().endsWith("/running"));
        }
    };

    private static final JobTree TREE = new JobTree(Scenario.JOB);

    boolean holds(RegistryCommit commit) {
        return false;
    }

    boolean holds(List<RegistryRead> reads) {
        return false;
    }

    @Override
    public Registry apply(Registry registry) {
        Network network = ((SimulatedRegistry) registry).network();
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                return network.isCalm() || !holds(commit)
                        ? super.commit(session, commit)
                        : later(4_000).thenCompose(now -> super.commit(session, commit));
            }

            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return network.isCalm() || !holds(reads)
                        ? super.read(reads)
                        : later(12_000).thenCompose(now -> super.read(reads));
            }

            private CompletionStage<Void> later(int mostMillis) {
                CompletableFuture<Void> released = new CompletableFuture<>();
                Duration delay = Duration.ofMillis(network.random().nextInt(mostMillis));
                network.later(delay, () -> released.complete(null));
                return released;
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
