package dev.elasticjob.simulation;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** One rule about the registry's data, taken out of what the engines are given. */
enum DataLossMutation implements Flaw {
    CLAIM_WITHOUT_THE_VERSION_OF_ITS_BASE("tokens never fall") {
        @Override
        Stream<Operation> changed(Operation operation) {
            return isOfRegistry(operation) && operation instanceof Operation.Check
                    ? Stream.empty()
                    : Stream.of(operation);
        }
    },
    /** It counts for the one who raises it, and for nobody else. */
    BASE_THAT_IS_NOT_WRITTEN("told once") {
        @Override
        Stream<Operation> changed(Operation operation) {
            return Stream.of(rewritten(operation, text -> text.replaceAll("\"base\":[0-9]+", "\"base\":0")));
        }
    },
    FOOTPRINTS_NOT_COMPARED("told in time") {
        @Override
        Map<String, Optional<RegistryNode>> seen(Map<String, Optional<RegistryNode>> nodes) {
            Map<String, Optional<RegistryNode>> left = new HashMap<>();
            nodes.forEach((path, node) -> left.put(path, path.equals(PATH) ? node : Optional.empty()));
            return left;
        }
    },
    LOSS_THAT_IS_NOT_WRITTEN("all know") {
        @Override
        Stream<Operation> changed(Operation operation) {
            return isOfRegistry(operation) && operation instanceof Operation.Set
                    ? Stream.empty()
                    : Stream.of(operation);
        }
    },
    LOSS_TAKEN_FOR_A_CONFIRMED_ONE("held") {
        @Override
        Map<String, Optional<RegistryNode>> seen(Map<String, Optional<RegistryNode>> nodes) {
            Map<String, Optional<RegistryNode>> confirmed = new HashMap<>(nodes);
            confirmed.computeIfPresent(
                    PATH,
                    (path, node) -> node.map(found -> found.holding(found.text()
                            .replace("\"by\"", "\"confirmedBy\":\"nobody\",\"by\"")
                            .getBytes(StandardCharsets.UTF_8))));
            return confirmed;
        }
    },
    NOBODY_WATCHES_THE_REGISTRYS_NODE("everything due runs once") {
        @Override
        boolean watches(String path) {
            return !path.equals(PATH);
        }
    };

    private static final String PATH = JobTree.registry();

    private final String broken;

    DataLossMutation(String broken) {
        this.broken = broken;
    }

    /** The promise that the rule keeps. */
    String broken() {
        return broken;
    }

    Stream<Operation> changed(Operation operation) {
        return Stream.of(operation);
    }

    /** What a look at the registry's own node, and at others with it, shows. */
    Map<String, Optional<RegistryNode>> seen(Map<String, Optional<RegistryNode>> nodes) {
        return nodes;
    }

    boolean watches(String path) {
        return true;
    }

    private static boolean isOfRegistry(Operation operation) {
        return operation.path().equals(PATH);
    }

    private static Operation rewritten(Operation operation, UnaryOperator<String> change) {
        if (!isOfRegistry(operation)) {
            return operation;
        }
        byte[] data = change.apply(new String(operation.data(), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
        if (operation instanceof Operation.Set set) {
            return new Operation.Set(set.path(), data, set.version());
        }
        return operation instanceof Operation.Create create
                ? new Operation.Create(create.path(), data, create.ephemeral())
                : operation;
    }

    @Override
    public Registry apply(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                return new RegistryCommit(commit.operations().stream()
                        .flatMap(DataLossMutation.this::changed)
                        .toList());
            }

            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                boolean looks = reads.stream().anyMatch(read -> read.path().equals(PATH));
                return super.read(reads).thenApply(answer -> looks ? seenIn(answer, reads) : answer);
            }

            @Override
            public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
                return watches(path) ? super.watch(path, scope, lookAgain) : () -> {};
            }
        };
    }

    private RegistryAnswer seenIn(RegistryAnswer answer, List<RegistryRead> reads) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        reads.forEach(read -> nodes.put(read.path(), answer.node(read.path())));
        return new RegistryAnswer(seen(nodes), Map.of());
    }
}
