package dev.elasticjob.simulation;

import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A rule that those who ask for the demand don't know. The instances keep all of them. */
enum DemandMutation implements Flaw {
    PAUSES_OVERLOOKED {
        @Override
        Optional<RegistryNode> seen(RegistryRead read, Optional<RegistryNode> node) {
            return read.path().equals(TREE.paused()) ? Optional.empty() : node;
        }
    },
    RUNS_OF_THE_LEADER_OVERLOOKED {
        @Override
        Optional<RegistryNode> seen(RegistryRead read, Optional<RegistryNode> node) {
            return read.path().equals(TREE.delay()) || read.path().equals(TREE.backfill()) ? Optional.empty() : node;
        }
    },
    EVERYTHING_TAKEN_FOR_CLAIMED {
        @Override
        Optional<List<String>> seenBelow(RegistryRead read, Optional<List<String>> children) {
            return Mutation.isRecord(read.path()) ? children.map(names -> List.of("running")) : children;
        }
    },
    REQUESTS_OVERLOOKED {
        @Override
        Optional<List<String>> seenBelow(RegistryRead read, Optional<List<String>> children) {
            return without(read, "trigger", children);
        }
    },
    DISABLED_ITEMS_OVERLOOKED {
        @Override
        Optional<List<String>> seenBelow(RegistryRead read, Optional<List<String>> children) {
            return without(read, "disabled", children);
        }
    },
    INTERRUPTIONS_OVERLOOKED {
        @Override
        Optional<RegistryNode> seen(RegistryRead read, Optional<RegistryNode> node) {
            return Mutation.isRecord(read.path()) ? node.map(DemandMutation::ended) : node;
        }
    };

    private static final JobTree TREE = new JobTree(Scenario.JOB);

    Optional<RegistryNode> seen(RegistryRead read, Optional<RegistryNode> node) {
        return node;
    }

    Optional<List<String>> seenBelow(RegistryRead read, Optional<List<String>> children) {
        return children;
    }

    private static Optional<List<String>> without(RegistryRead read, String child, Optional<List<String>> children) {
        return Mutation.isRecord(read.path())
                ? children.map(names ->
                        names.stream().filter(name -> !name.equals(child)).toList())
                : children;
    }

    /** As if what was interrupted had ended. */
    private static RegistryNode ended(RegistryNode node) {
        String text = node.text().replace("\"state\":\"INTERRUPTED\"", "\"state\":\"COMPLETED\"");
        return new RegistryNode(
                text.getBytes(StandardCharsets.UTF_8),
                node.version(),
                node.czxid(),
                node.mzxid(),
                node.created(),
                node.modified(),
                node.ephemeralOwner());
    }

    @Override
    public Registry apply(Registry registry) {
        return registry;
    }

    @Override
    public Registry shown(Registry registry) {
        return new DelegatingRegistry() {
            @Override
            protected Registry delegate() {
                return registry;
            }

            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return registry.read(reads).thenApply(answer -> changed(reads, answer));
            }
        };
    }

    private RegistryAnswer changed(List<RegistryRead> reads, RegistryAnswer answer) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        Map<String, Optional<List<String>>> children = new HashMap<>();
        for (RegistryRead read : reads) {
            if (read instanceof RegistryRead.Children) {
                children.put(read.path(), seenBelow(read, Optional.of(answer.children(read.path()))));
            } else {
                nodes.put(read.path(), seen(read, answer.node(read.path())));
            }
        }
        return new RegistryAnswer(nodes, children);
    }
}
