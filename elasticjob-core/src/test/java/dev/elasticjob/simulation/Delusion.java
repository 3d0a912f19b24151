package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One rule of the protocol about what an answer means, taken out of the answers. */
enum Delusion implements UnaryOperator<Registry> {
    /** A node that carries our id is taken for ours. */
    OWNERSHIP_BY_ID {
        @Override
        public Registry apply(Registry registry) {
            return new ByIdRegistry(registry);
        }
    },
    /** Who met a lock is not told when it goes. */
    NO_WATCH_AFTER_A_REFUSAL {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<Void> awaitAbsence(String path) {
                    return new CompletableFuture<>();
                }
            };
        }
    },
    UNAVAILABLE_READ_AS_ABSENT {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    return super.read(reads).exceptionally(unavailable -> nothing(reads));
                }
            };
        }
    },
    /** The server that answers reads also answers what only checks: it needn't ask the others for that. */
    LEASE_KEPT_FRESH_BY_READS {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    List<Operation> steps = commit.operations();
                    boolean onlyChecks = steps.size() == 1 && steps.get(0) instanceof Operation.Check;
                    return onlyChecks
                            ? read(List.of(RegistryRead.data(steps.get(0).path())))
                                    .thenApply(answer ->
                                            new CommitOutcome.Committed(OptionalLong.empty(), Optional.empty()))
                            : super.commit(session, commit);
                }
            };
        }
    },
    /** A transaction whose answer was lost is sent again as soon as there is a connection, whatever its session. */
    BLIND_REPETITION_IN_A_NEW_SESSION {
        @Override
        public Registry apply(Registry registry) {
            return new RepeatingRegistry(registry);
        }
    },
    /** A disabled item that runs looks as if it had ended. */
    SKIP_OVER_A_RUNNING_RECORD {
        @Override
        public Registry apply(Registry registry) {
            return new EndedRegistry(registry);
        }
    },
    LATE_COMPLETION_BY_REMEMBERED_VERSION {
        @Override
        public Registry apply(Registry registry) {
            return new RememberingRegistry(registry);
        }
    },
    /** The first look that a new leader takes at the items shows every lock in its place. */
    ORPHANS_NOT_LOOKED_FOR_ON_ELECTION {
        @Override
        public Registry apply(Registry registry) {
            return new TrustingLeaderRegistry(registry);
        }
    };

    private static final JobTree TREE = new JobTree(Scenario.JOB);

    private static RegistryAnswer nothing(List<RegistryRead> reads) {
        return map(reads, path -> Optional.empty(), path -> Optional.empty());
    }

    private static RegistryAnswer map(
            List<RegistryRead> reads,
            Function<String, Optional<RegistryNode>> nodes,
            Function<String, Optional<List<String>>> children) {
        Map<String, Optional<RegistryNode>> mappedNodes = new HashMap<>();
        Map<String, Optional<List<String>>> mappedChildren = new HashMap<>();
        for (RegistryRead read : reads) {
            if (read instanceof RegistryRead.Children) {
                mappedChildren.put(read.path(), children.apply(read.path()));
            } else {
                mappedNodes.put(read.path(), nodes.apply(read.path()));
            }
        }
        return new RegistryAnswer(mappedNodes, mappedChildren);
    }

    private static Optional<RegistryNode> with(RegistryNode node, byte[] data, long owner) {
        return Optional.of(new RegistryNode(
                data, node.version(), node.czxid(), node.mzxid(), node.created(), node.modified(), owner));
    }

    private static final class ByIdRegistry extends ChangedRegistry {
        private String id = "";

        ByIdRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            commit.operations().stream()
                    .filter(step ->
                            step instanceof Operation.Create && step.path().startsWith(TREE.instances() + "/"))
                    .forEach(step -> id = step.path().substring(TREE.instances().length() + 1));
            return super.commit(session, commit);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            long own = session().map(RegistrySession::id).orElse(0L);
            return super.read(reads)
                    .thenApply(answer -> map(
                            reads,
                            path -> answer.node(path)
                                    .flatMap(node ->
                                            isOurs(path, node) ? with(node, node.data(), own) : Optional.of(node)),
                            path -> Optional.of(answer.children(path))));
        }

        private boolean isOurs(String path, RegistryNode node) {
            return node.isEphemeral() && (node.text().equals(id) || path.equals(TREE.instance(id)));
        }
    }

    private static final class RepeatingRegistry extends ChangedRegistry {
        RepeatingRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return super.commit(session, commit)
                    .handle((outcome, error) -> error != null && isUnknown(error)
                            ? again(commit)
                            : error == null
                                    ? CompletableFuture.completedFuture(outcome)
                                    : CompletableFuture.<CommitOutcome>failedFuture(error))
                    .thenCompose(stage -> stage);
        }

        private static boolean isUnknown(Throwable error) {
            Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            return cause instanceof RegistryUnavailableException unavailable && unavailable.outcomeUnknown();
        }

        private CompletionStage<CommitOutcome> again(RegistryCommit commit) {
            CompletableFuture<CommitOutcome> answered = new CompletableFuture<>();
            List<AutoCloseable> listening = new ArrayList<>();
            listening.add(onConnectionState(state -> {
                if (state == ConnectionState.RECONNECTED
                        && !answered.isDone()
                        && session().isPresent()) {
                    super.commit(session().get(), commit).whenComplete((outcome, error) -> {
                        if (error == null) {
                            answered.complete(outcome);
                        }
                    });
                }
            }));
            return answered;
        }
    }

    private static final class EndedRegistry extends ChangedRegistry {
        EndedRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return super.read(reads)
                    .thenApply(answer -> map(
                            reads,
                            path -> answer.node(path)
                                    .flatMap(node -> isDisabled(reads, answer, path)
                                            ? with(node, ended(node), node.ephemeralOwner())
                                            : Optional.of(node)),
                            path -> Optional.of(
                                    answer.children(path).contains("disabled")
                                            ? answer.children(path).stream()
                                                    .filter(name -> !name.equals("running"))
                                                    .toList()
                                            : answer.children(path))));
        }

        private static boolean isDisabled(List<RegistryRead> reads, RegistryAnswer answer, String path) {
            return reads.contains(RegistryRead.children(path))
                    && answer.children(path).contains("disabled");
        }

        private static byte[] ended(RegistryNode node) {
            return node.text().replace("RUNNING", "COMPLETED").getBytes(StandardCharsets.UTF_8);
        }
    }

    private static final class RememberingRegistry extends ChangedRegistry {
        private final Map<String, Integer> versions = new HashMap<>();

        RememberingRegistry(Registry registry) {
            super(registry);
        }

        @Override
        RegistryCommit sent(RegistryCommit commit) {
            boolean claims = commit.operations().stream()
                    .anyMatch(step -> step.path().endsWith("/running")
                            && step instanceof Operation.Create create
                            && create.ephemeral());
            boolean late = !claims
                    && commit.operations().size() > 1
                    && commit.operations().get(0) instanceof Operation.Check check
                    && check.path().equals(TREE.sharding());
            return new RegistryCommit(commit.operations().stream()
                    .map(step -> {
                        if (step instanceof Operation.Set set && set.path().startsWith(TREE.sharding() + "/")) {
                            if (claims) {
                                versions.put(set.path(), set.version() + 1);
                            }
                            int version = late ? versions.getOrDefault(set.path(), set.version()) : set.version();
                            return new Operation.Set(set.path(), set.data(), version);
                        }
                        return step;
                    })
                    .toList());
        }
    }

    private static final class TrustingLeaderRegistry extends ChangedRegistry {
        private boolean elected;

        TrustingLeaderRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            elected |= commit.operations().stream()
                    .anyMatch(step ->
                            step instanceof Operation.Create && step.path().equals(TREE.leader()));
            return super.commit(session, commit);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            boolean items = reads.contains(RegistryRead.children(TREE.failoverItems()));
            if (!elected || !items) {
                return super.read(reads);
            }
            elected = false;
            return super.read(reads)
                    .thenApply(answer -> map(reads, answer::node, path -> Optional.of(locked(answer, path))));
        }

        private static List<String> locked(RegistryAnswer answer, String path) {
            List<String> names = new ArrayList<>(answer.children(path));
            if (path.startsWith(TREE.sharding() + "/") && !names.contains("running")) {
                names.add("running");
            }
            return names;
        }
    }
}
