package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that run after others, for many {@linkplain Seeds seeds}. */
@ExtendWith(Quiet.class)
class FollowerSimulationTest {
    private static final int MUTATION_SEEDS = 500;

    @Test
    @Tag(Seeds.IN_BOTH_BUILDS)
    void followersRunOnceForEachFiringWhateverGoesWrong() {
        List<String> broken = Seeds.oneIn(50)
                .parallel()
                .mapToObj(seed -> broken(seed, Flaw.NONE).map(what -> "seed %d: %s".formatted(seed, what)))
                .flatMap(Optional::stream)
                .limit(10)
                .toList();

        assertThat(broken)
                .as("broken seeds; one again with -Dsimulation.seed=...")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatIsTakenOutIsMissed(Rule rule) {
        LongPredicate breaks = seed ->
                broken(seed, rule).filter(what -> what.contains(rule.reason)).isPresent();

        assertThat(KnownSeeds.of("followers: " + rule, rule.reason, MUTATION_SEEDS, breaks))
                .as("a seed in which %s breaks \"%s\"", rule, rule.reason)
                .isNotEmpty();
    }

    private static Optional<String> broken(long seed, Flaw flaw) {
        boolean traced = Seeds.isOneAgain();
        try (FollowerWorld world = new FollowerWorld(seed, flaw, traced)) {
            Optional<String> violation = world.live();
            return traced ? violation.map(what -> world.describe()) : violation;
        }
    }

    /** A rule of the protocol, taken out of every transaction that carries it. */
    enum Rule implements Flaw {
        /** Nothing says any more which run was asked for last. */
        FORMER_RUN_NOT_AWAITED("one after the other") {
            @Override
            Stream<Operation> changed(Operation operation) {
                return operation instanceof Operation.Set set && set.path().equals(REPORT.after())
                        ? Stream.of(new Operation.Set(
                                set.path(),
                                text(set).replaceAll(",\"last\":\"[^\"]*\"", "").getBytes(StandardCharsets.UTF_8),
                                set.version()))
                        : Stream.of(operation);
            }
        },
        FIRING_LEFT_AFTER_THE_REQUEST("firings are left") {
            @Override
            Stream<Operation> changed(Operation operation) {
                return isEntryDeletion(operation) ? Stream.empty() : Stream.of(operation);
            }
        },
        /** A firing is deleted and its run is asked for in two transactions. */
        FIRING_DELETED_BEFORE_THE_REQUEST("items did not run") {
            @Override
            Stream<Operation> changed(Operation operation) {
                return isEntryDeletion(operation) ? Stream.empty() : Stream.of(operation);
            }

            @Override
            public Registry apply(Registry registry) {
                return new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        List<Operation> deletions = commit.operations().stream()
                                .filter(Rule::isEntryDeletion)
                                .toList();
                        return deletions.isEmpty()
                                        || deletions.size()
                                                == commit.operations().size()
                                ? super.commit(session, commit)
                                : super.commit(session, new RegistryCommit(deletions))
                                        .thenCompose(outcome -> outcome.isCommitted()
                                                ? super.commit(session, rewritten(commit))
                                                : CompletableFuture.completedFuture(outcome));
                    }
                };
            }
        },
        CIRCLE_SEEN_BUT_NOT_CHECKED("in a circle") {
            @Override
            Stream<Operation> changed(Operation operation) {
                boolean lists = operation.path().endsWith("/followers");
                if (lists && operation instanceof Operation.Check) {
                    return Stream.empty();
                }
                return lists && operation instanceof Operation.Set set
                        ? Stream.of(new Operation.Set(set.path(), set.data(), RegistryCommit.ANY_VERSION))
                        : Stream.of(operation);
            }

            @Override
            RegistryCommit rewritten(RegistryCommit commit) {
                return withoutAssertedAbsence(super.rewritten(commit));
            }
        };

        private static final JobTree REPORT = new JobTree("report");

        private final String reason;

        Rule(String reason) {
            this.reason = reason;
        }

        abstract Stream<Operation> changed(Operation operation);

        RegistryCommit rewritten(RegistryCommit commit) {
            return new RegistryCommit(
                    commit.operations().stream().flatMap(this::changed).toList());
        }

        private static boolean isEntryDeletion(Operation operation) {
            return operation instanceof Operation.Delete && operation.path().startsWith(REPORT.after());
        }

        private static String text(Operation operation) {
            return new String(operation.data(), StandardCharsets.UTF_8);
        }

        /** A list that is created and deleted. */
        private static RegistryCommit withoutAssertedAbsence(RegistryCommit commit) {
            List<String> deleted = commit.operations().stream()
                    .filter(Operation.Delete.class::isInstance)
                    .map(Operation::path)
                    .filter(path -> path.endsWith("/followers"))
                    .toList();
            return new RegistryCommit(commit.operations().stream()
                    .filter(operation -> !deleted.contains(operation.path()))
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
