package dev.elasticjob.simulation;

import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
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
    /** What they replace may be gone by then, and made anew by another. */
    REGISTRATIONS {
        @Override
        boolean holds(RegistryCommit commit) {
            return commit.operations().stream()
                    .anyMatch(step -> step instanceof Operation.Create create
                            && create.ephemeral()
                            && create.path().startsWith(TREE.instances() + "/"));
        }

        /** Longer than the former session lives on. */
        @Override
        int longestMillis() {
            return 12_000;
        }
    },
    /** Those of executions that go on: by themselves, they hardly ever meet a successor. */
    CHECKPOINTS {
        @Override
        boolean holds(RegistryCommit commit) {
            return Mutation.writesCheckpointAlone(commit);
        }
    },
    /** Somebody else may have paused the job, and an operator resumed it. */
    PAUSES_AFTER_FAILURES {
        @Override
        boolean holds(RegistryCommit commit) {
            return Mutation.pausesItself(commit);
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
    },
    /** The ends of executions go out at once; it is their answers that come late, and are lost: so they go out again. */
    REPEATED_ENDS {
        @Override
        boolean holds(RegistryCommit commit) {
            return Mutation.ends(commit);
        }

        @Override
        public Registry apply(Registry registry) {
            return new Unanswered(registry, this);
        }
    },
    /** The same for instances that leave. */
    /** Claims of what others offer. */
    HELPS {
        @Override
        public Registry apply(Registry registry) {
            return late(registry, registry);
        }

        /** It must see which offers a claim deletes, also if the rule takes that out. */
        @Override
        Registry apply(Flaw flaw, Registry registry) {
            return late(registry, flaw.apply(registry));
        }

        private Registry late(Registry registry, Registry flawed) {
            return new LateHelper(flawed, ((SimulatedRegistry) registry).network());
        }
    },
    REPEATED_LEAVES {
        @Override
        boolean holds(RegistryCommit commit) {
            return commit.operations().stream()
                    .anyMatch(
                            step -> step instanceof Operation.Set && step.path().equals(TREE.instances()));
        }

        @Override
        public Registry apply(Registry registry) {
            return new Unanswered(registry, this);
        }
    };

    private static final int LONGEST_SILENCE_MILLIS = 9_000;
    private static final JobTree TREE = new JobTree(Scenario.JOB);

    static boolean helps(RegistryCommit commit) {
        return commit.operations().stream().anyMatch(step -> step instanceof Operation.Delete && Mutation.isOffer(step))
                && commit.operations().stream().anyMatch(step -> step.path().endsWith("/running"));
    }

    int longestMillis() {
        return 4_000;
    }

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
                        : later(longestMillis()).thenCompose(now -> super.commit(session, commit));
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

    Registry apply(Flaw flaw, Registry registry) {
        return flaw.apply(apply(registry));
    }

    /** The same with a rule taken out. */
    Flaw and(Flaw flaw) {
        return new Flaw() {
            @Override
            public Registry apply(Registry registry) {
                return Late.this.apply(flaw, registry);
            }

            @Override
            public InstanceCapacity capacity(OptionalInt limit) {
                return flaw.capacity(limit);
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

    /** The one who helps is so late that the owner may have begun and ended the item meanwhile. */
    private static final class LateHelper extends ChangedRegistry {
        private final Network network;
        private final Set<String> its = new HashSet<>();

        LateHelper(Registry registry, Network network) {
            super(registry);
            this.network = network;
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            List<String> offers = commit.operations().stream()
                    .filter(Mutation::isOffer)
                    .map(Operation::path)
                    .toList();
            if (!helps(commit)) {
                its.addAll(offers);
            }
            if (network.isCalm() || !helps(commit) || offers.stream().anyMatch(its::contains)) {
                return super.commit(session, commit);
            }
            CompletableFuture<Void> released = new CompletableFuture<>();
            network.later(
                    Duration.ofMillis(network.random().nextInt(LONGEST_SILENCE_MILLIS)), () -> released.complete(null));
            return released.thenCompose(now -> super.commit(session, commit));
        }
    }

    private static final class Unanswered extends ChangedRegistry {
        private final Late late;
        private final Network network;
        private final Set<RegistryCommit> unanswered = new HashSet<>();

        Unanswered(Registry registry, Late late) {
            super(registry);
            this.late = late;
            this.network = ((SimulatedRegistry) registry).network();
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            boolean first = !network.isCalm() && late.holds(commit) && unanswered.add(commit);
            if (!first) {
                return super.commit(session, commit);
            }
            CompletableFuture<CommitOutcome> lost = new CompletableFuture<>();
            super.commit(session, commit);
            network.later(
                    Duration.ofMillis(network.random().nextInt(LONGEST_SILENCE_MILLIS)),
                    () -> lost.completeExceptionally(new RegistryUnavailableException(
                            "The answer is lost", true, new IllegalStateException("on purpose"))));
            return lost;
        }
    }
}
