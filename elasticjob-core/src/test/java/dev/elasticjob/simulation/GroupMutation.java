package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** One rule of the protocol of groups, taken out of what the engines are given. */
enum GroupMutation implements Flaw {
    HOLD_WITHOUT_THE_VERSION("G1") {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return Mutation.creates(commit, LOCK, true) ? withoutChecks(commit) : commit;
        }
    },
    RELEASE_WITHOUT_THE_VERSION("G1") {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean releases = commit.operations().stream()
                            .allMatch(operation ->
                                    operation instanceof Operation.Check || operation instanceof Operation.Delete)
                    && commit.operations().stream()
                            .anyMatch(operation -> operation.path().endsWith(LOCK));
            return releases ? withoutChecks(commit) : commit;
        }
    },
    LOCK_THAT_OUTLIVES_ITS_SESSION("G4") {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return Mutation.creates(commit, LOCK, true)
                    ? new RegistryCommit(commit.operations().stream()
                            .map(operation -> operation instanceof Operation.Create create
                                            && create.path().endsWith(LOCK)
                                    ? new Operation.Create(create.path(), create.data(), false)
                                    : operation)
                            .toList())
                    : commit;
        }
    },
    NOBODY_WATCHES_THE_PHASE("G4") {
        @Override
        boolean watches(String path) {
            return !path.endsWith("shares/sharding");
        }
    },
    NOBODY_WATCHES_WHO_IS_THERE("G4") {
        @Override
        boolean watches(String path) {
            return !path.endsWith("/instances");
        }
    },
    NOBODY_WATCHES_THE_LEADER("G4") {
        @Override
        boolean watches(String path) {
            return !path.endsWith("/election/instance");
        }
    },
    NOBODY_WATCHES_HOLDERS("G4") {
        @Override
        boolean awaits(String path) {
            return !path.endsWith(LOCK);
        }
    },
    /** What the session owns is never asked of the tree: neither after a refusal, nor after joining. */
    OWN_LOCKS_NOT_LOOKED_FOR("G4") {
        @Override
        CompletionStage<RegistryAnswer> answer(List<RegistryRead> reads, Registry registry) {
            boolean looks = reads.stream().anyMatch(read -> read.path().endsWith(LOCK))
                    && reads.stream().allMatch(read -> read.path().matches(".*/[0-9]+(" + LOCK + ")?"));
            return looks
                    ? registry.read(reads)
                            .thenApply(answer -> answer.plus(new RegistryAnswer(
                                    reads.stream()
                                            .map(RegistryRead::path)
                                            .filter(path -> path.endsWith(LOCK))
                                            .collect(Collectors.toMap(path -> path, path -> Optional.empty())),
                                    Map.of())))
                    : registry.read(reads);
        }
    },
    LEASE_THAT_IS_TOO_LONG("G2") {
        @Override
        RegistrySession seen(RegistrySession session) {
            return new RegistrySession(session.id(), session.timeout().multipliedBy(3));
        }
    };

    private static final String LOCK = "/running";

    private final String broken;

    GroupMutation(String broken) {
        this.broken = broken;
    }

    /** The promise that the rule keeps. */
    String broken() {
        return broken;
    }

    RegistryCommit rewrite(RegistryCommit commit) {
        return commit;
    }

    CompletionStage<RegistryAnswer> answer(List<RegistryRead> reads, Registry registry) {
        return registry.read(reads);
    }

    boolean watches(String path) {
        return true;
    }

    boolean awaits(String path) {
        return true;
    }

    RegistrySession seen(RegistrySession session) {
        return session;
    }

    private static RegistryCommit withoutChecks(RegistryCommit commit) {
        return new RegistryCommit(commit.operations().stream()
                .filter(operation -> !(operation instanceof Operation.Check))
                .toList());
    }

    @Override
    public Registry apply(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                return rewrite(commit);
            }

            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return answer(reads, registry);
            }

            @Override
            public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
                return super.watch(path, scope, watches(path) ? lookAgain : () -> {});
            }

            @Override
            public CompletionStage<Void> awaitAbsence(String path) {
                return awaits(path) ? super.awaitAbsence(path) : new CompletableFuture<>();
            }

            @Override
            public Optional<RegistrySession> session() {
                return super.session().map(GroupMutation.this::seen);
            }
        };
    }
}
