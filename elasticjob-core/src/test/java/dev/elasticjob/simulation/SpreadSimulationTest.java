package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.testing.ChangedRegistry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** "Spreading" in {@code docs/internals/protocol-placement.md}, for many {@linkplain Seeds seeds}. */
@ExtendWith(Quiet.class)
class SpreadSimulationTest {
    private static final int MUTATION_SEEDS = 500;

    @Test
    @Tag(Seeds.IN_BOTH_BUILDS)
    void jobsAreSpreadAndMovesAreBoundedWhateverGoesWrong() {
        AtomicInteger impatient = new AtomicInteger();
        List<String> broken = Seeds.oneIn(20)
                .parallel()
                .mapToObj(seed -> broken(seed, Flaw.NONE, impatient).map(what -> "seed %d: %s".formatted(seed, what)))
                .flatMap(Optional::stream)
                .limit(10)
                .toList();

        assertThat(broken)
                .as("broken seeds; one again with -Dsimulation.seed=...")
                .isEmpty();
        assertThat(impatient.get())
                .as("lives with plans that the oracles excuse")
                .isLessThanOrEqualTo((int) Seeds.oneIn(20).count() / 10 + 1);
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatIsTakenOutIsMissed(Rule rule) {
        LongPredicate breaks = seed -> broken(seed, rule, new AtomicInteger())
                .filter(what -> what.startsWith("moves bounded") || what.startsWith("placed well"))
                .isPresent();

        assertThat(KnownSeeds.of("spreading: " + rule, "moves bounded or placed well", MUTATION_SEEDS, breaks))
                .as("a seed in which %s moves an item that had better stay, or gives it to the wrong one", rule)
                .isNotEmpty();
    }

    private static Optional<String> broken(long seed, Flaw flaw, AtomicInteger impatient) {
        boolean traced = Seeds.isOneAgain();
        try (SpreadWorld world = new SpreadWorld(seed, flaw, traced)) {
            Optional<String> violation = world.live();
            impatient.addAndGet(world.impatient() > 0 ? 1 : 0);
            return traced ? violation.map(what -> world.describe()) : violation;
        }
    }

    /** A rule of the protocol, taken out of every transaction that carries it. */
    enum Rule implements Flaw {
        /** A plan comes into force whatever was planned since its loads were read. */
        ANY_VERSION_OF_THE_NODE {
            @Override
            Operation changed(Operation step) {
                return step instanceof Operation.Set
                        ? new Operation.Set(step.path(), step.data(), RegistryCommit.ANY_VERSION)
                        : new Operation.Check(step.path(), RegistryCommit.ANY_VERSION);
            }
        },
        /** Two plans that were made from the same loads come into force. */
        CHECKED_BUT_NOT_RAISED {
            @Override
            Operation changed(Operation step) {
                return step instanceof Operation.Set set
                        ? new Operation.Check(set.path(), RegistryCommit.ANY_VERSION)
                        : step;
            }
        },
        /** The first plan of all comes into force whatever was planned since. */
        NO_CREATE {
            @Override
            RegistryCommit rewritten(RegistryCommit commit) {
                return new RegistryCommit(commit.operations().stream()
                        .filter(step -> !(step instanceof Operation.Create
                                && step.path().equals(JobTree.namespaceLoads())))
                        .toList());
            }
        },
        /** Plans that come into force between the loads and the version are not in the loads. */
        LOADS_FIRST {
            @Override
            public Registry apply(Registry registry) {
                return new ChangedRegistry(registry) {
                    private Optional<RegistryAnswer> loads = Optional.empty();

                    @Override
                    public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked) {
                        if (asked.contains(RegistryRead.data(JobTree.namespaceLoads()))) {
                            return super.read(List.of(RegistryRead.children(JobTree.NAMESPACE)))
                                    .thenCompose(names -> super.read(reads(names)))
                                    .thenCompose(read -> {
                                        loads = Optional.of(read);
                                        return super.read(asked);
                                    });
                        }
                        return loads.filter(read -> isOfSeveralJobs(asked)
                                        && asked.stream().allMatch(one -> read.covers(one.path())))
                                .<CompletionStage<RegistryAnswer>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> super.read(asked));
                    }
                };
            }
        },
        /** A plan comes into force although the one before it in its turn doesn't, if another one has its version. */
        WITHOUT_THE_PLAN_BEFORE {
            @Override
            RegistryCommit rewritten(RegistryCommit commit) {
                boolean puts = commit.operations().stream()
                        .anyMatch(step -> step.path().equals(JobTree.namespaceLoads()));
                return puts
                        ? new RegistryCommit(commit.operations().stream()
                                .filter(step -> !(step instanceof Operation.Check
                                        && step.path().endsWith("/sharding")))
                                .toList())
                        : commit;
            }
        };

        Operation changed(Operation step) {
            return step;
        }

        private static boolean isOfSeveralJobs(List<RegistryRead> asked) {
            return asked.stream()
                            .filter(one -> one.path().endsWith("/sharding"))
                            .count()
                    > 1;
        }

        private static List<RegistryRead> reads(RegistryAnswer names) {
            return names.children(JobTree.NAMESPACE).stream()
                    .filter(NamespaceReader::isName)
                    .map(JobTree::new)
                    .flatMap(job -> Stream.of(
                            RegistryRead.children(job.instances()),
                            RegistryRead.data(job.instances()),
                            RegistryRead.data(job.sharding()),
                            RegistryRead.data(job.extension())))
                    .toList();
        }

        RegistryCommit rewritten(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .map(step -> step.path().equals(JobTree.namespaceLoads()) && !(step instanceof Operation.Create)
                            ? changed(step)
                            : step)
                    .toList());
        }

        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                protected RegistryCommit sent(RegistryCommit commit) {
                    return rewritten(commit);
                }
            };
        }
    }
}
