package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A course of events that needs one rule of the protocol, and that random ones hardly ever take: because many firings have
 * to be open, because a server would have to be behind in one answer and not in the next, or because the next firing makes
 * up for what is missed. The leader is {@code a}, and owns item 1; {@code b}, which joins later, owns item 0.
 */
enum DirectedSchedule {
    /** While the claim of an item is under way, its firing is ended because too many are open. */
    FORCED_END_BEFORE_A_CLAIM(Mutation.CLAIM_WITHOUT_THE_VERSION_OF_FIRINGS) {
        @Override
        Optional<String> violation(Flaw flaw) {
            DirectedWorld world = new DirectedWorld();
            CompletableFuture<Void> sent = new CompletableFuture<>();
            world.start("a", flaw, UnaryOperator.identity());
            world.start("b", flaw, registry -> new ChangedRegistry(registry) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    return Mutation.creates(commit, "/0/running", true)
                            ? sent.thenCompose(now -> super.commit(session, commit))
                            : super.commit(session, commit);
                }
            });
            world.during("item 1", world::tooManyAreOpen);
            world.passTheFiring();
            sent.complete(null);
            world.pass(Duration.ofSeconds(10));
            return world.calls().contains("after")
                    ? inOrder(world, "item 0", "after", "P7, after: item 0 begins after the call that told its end")
                    : Optional.of("the firing was not ended");
        }
    },
    /** An instance that stands still is removed by a person before it sends its claim; its session lives on. */
    REMOVED_BEFORE_ITS_CLAIM(Mutation.CLAIM_WITHOUT_ITS_INSTANCE) {
        @Override
        Optional<String> violation(Flaw flaw) {
            DirectedWorld world = new DirectedWorld();
            world.start("a", flaw, UnaryOperator.identity());
            world.start("b", flaw, registry -> new ChangedRegistry(registry) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    if (Mutation.creates(commit, "/0/running", true)) {
                        world.remove("a");
                        world.remove("b");
                    }
                    return super.commit(session, commit);
                }
            });
            world.passTheFiring();
            if (!world.calls().contains("before returns")) {
                return Optional.of("the firing did not begin");
            }
            return world.calls().contains("item 0")
                    ? Optional.of("Presence: no instance is there, and item 0 begins")
                    : Optional.empty();
        }
    },
    /** An instance sees that the listeners are being called, and is shown the locks as they were before. */
    LOCK_SEEN_TOO_LATE(Mutation.TAKE_OF_A_CALL_WITHOUT_THE_ABSENCE_OF_ITS_LOCK) {
        @Override
        Optional<String> violation(Flaw flaw) {
            DirectedWorld world = new DirectedWorld();
            boolean[] called = {false};
            world.start("a", flaw, UnaryOperator.identity());
            world.start("b", flaw, registry -> new ChangedRegistry(registry) {
                private int behind;

                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean isBehind = called[0] && Delusion.looks(reads) && behind++ < 2;
                    return isBehind
                            ? super.read(reads)
                                    .thenApply(answer -> new RegistryAnswer(
                                            Map.of(
                                                    DirectedWorld.TREE.firings(),
                                                    answer.node(DirectedWorld.TREE.firings())),
                                            Map.of(DirectedWorld.TREE.firings(), Optional.of(List.of()))))
                            : super.read(reads);
                }
            });
            world.during("before", () -> {
                called[0] = true;
                world.pass(Duration.ofSeconds(5));
            });
            world.passTheFiring();
            return world.calls().indexOf("before returns") == 1
                    ? Optional.empty()
                    : Optional.of("P6, one at a time: " + world.calls());
        }
    },
    /** The look that is owed with the last end is not answered. */
    LAST_LOOK_UNANSWERED(Delusion.UNANSWERED_LOOK_NOT_REPEATED) {
        @Override
        Optional<String> violation(Flaw flaw) {
            boolean[] last = {false};
            DirectedWorld world = lastEnd(flaw, last, (any, registry) -> new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean fails = Delusion.looks(reads) && last[0];
                    last[0] &= !fails;
                    return fails
                            ? CompletableFuture.failedFuture(new RegistryUnavailableException(
                                    "The answer is lost", true, new IllegalStateException("on purpose")))
                            : super.read(reads);
                }
            });
            return last[0] ? Optional.of("nobody has looked") : ended(world);
        }
    },
    /** The instance that has written the last end dies before it looks. */
    LAST_LOOK_DIES_WITH_ITS_PROCESS(Delusion.LOOKS_OWED_FOR_OWN_ENDS_ONLY) {
        @Override
        Optional<String> violation(Flaw flaw) {
            boolean[] last = {false};
            return ended(lastEnd(flaw, last, (world, registry) -> new ChangedRegistry(registry) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    CompletionStage<CommitOutcome> answer = super.commit(session, commit);
                    if (!last[0] || !Mutation.ends(commit)) {
                        return answer;
                    }
                    answer.thenRun(() -> world.kill("b"));
                    return new CompletableFuture<>();
                }
            }));
        }
    },
    /** Who asks for a manual run stands still after the first item; the request is completed meanwhile. */
    REQUEST_STANDS_STILL(Mutation.REQUEST_WITHOUT_THE_VERSION_OF_THE_SIGNAL) {
        @Override
        Optional<String> violation(Flaw flaw) {
            DirectedWorld world = new DirectedWorld(3);
            world.start("a", Flaw.NONE, UnaryOperator.identity());
            world.start("b", Flaw.NONE, UnaryOperator.identity());
            CompletableFuture<Void> awake = new CompletableFuture<>();
            world.ask(flaw, awake);
            world.pass(Duration.ofSeconds(5));
            List<String> early = world.calls();
            world.pass(Duration.ofSeconds(15));
            awake.complete(null);
            world.pass(Duration.ofSeconds(3));
            if (!early.isEmpty()) {
                return Optional.of("P6, before: it begins before all items are asked: " + early);
            }
            boolean once =
                    world.calls().stream().distinct().count() == world.calls().size();
            return once && world.calls().containsAll(List.of("item 0", "item 1", "item 2", "after returns"))
                    ? inOrder(world, "before returns", "item 2", "P6, before: " + world.calls())
                    : Optional.of("P2, once: " + world.calls());
        }
    },
    /** The leader of a job with a delay stands still before it sends an end. A person deletes its leadership; its session lives on. */
    END_OF_A_DELAY_SENT_LATE(Mutation.DELAY_WITHOUT_ITS_VERSION) {
        @Override
        Optional<String> violation(Flaw flaw) {
            DirectedWorld world = DirectedWorld.withDelay(Duration.ofSeconds(5));
            CompletableFuture<Void> sent = new CompletableFuture<>();
            boolean[] isToStandStill = {false};
            world.start("a", flaw, registry -> new ChangedRegistry(registry) {
                private boolean stands;

                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    stands |= isToStandStill[0] && Mutation.endsADelay(commit);
                    return stands
                            ? sent.thenCompose(now -> super.commit(session, commit))
                            : super.commit(session, commit);
                }
            });
            world.start("b", flaw, UnaryOperator.identity());
            world.pass(Duration.ofSeconds(8));
            isToStandStill[0] = true;
            world.pass(Duration.ofSeconds(6));
            int early = world.calls().size();
            world.removeLeader();
            world.pass(Duration.ofSeconds(17));
            int before = world.calls().size();
            sent.complete(null);
            world.pass(Duration.ofSeconds(40));
            boolean goesOn = before >= early + 6 && world.calls().size() > before + 10;
            boolean once =
                    world.calls().stream().distinct().count() == world.calls().size();
            return once && goesOn ? Optional.empty() : Optional.of("P2, once: " + world.calls());
        }
    };

    final Flaw flaw;

    DirectedSchedule(Flaw flaw) {
        this.flaw = flaw;
    }

    /** What is promised and not kept. */
    abstract Optional<String> violation(Flaw flaw);

    /**
     * The firing passes. Its last item is one of {@code b}.
     *
     * @param last is set before that item returns
     * @param fault what the registry does to {@code b}
     */
    private static DirectedWorld lastEnd(
            Flaw flaw, boolean[] last, BiFunction<DirectedWorld, Registry, Registry> fault) {
        DirectedWorld world = new DirectedWorld();
        world.start("a", flaw, UnaryOperator.identity());
        world.start("b", flaw, registry -> fault.apply(world, registry));
        world.during("item 0", () -> {
            world.pass(Duration.ofSeconds(3));
            last[0] = true;
        });
        world.passTheFiring();
        return world;
    }

    private static Optional<String> inOrder(DirectedWorld world, String first, String second, String otherwise) {
        return world.calls().indexOf(first) < world.calls().indexOf(second) ? Optional.empty() : Optional.of(otherwise);
    }

    private static Optional<String> ended(DirectedWorld world) {
        world.pass(Duration.ofMinutes(5));
        return world.isOpen()
                ? Optional.of("P8, every end: the firing stays open after " + world.calls())
                : inOrder(world, "item 0 returns", "after", "P7, after: too early");
    }
}
