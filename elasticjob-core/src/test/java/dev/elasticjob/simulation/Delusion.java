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
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One rule of the protocol about what an answer means, taken out of the answers. */
enum Delusion implements Flaw {
    /** A node that carries our id is taken for ours. */
    OWNERSHIP_BY_ID {
        @Override
        public Registry apply(Registry registry) {
            return new ByIdRegistry(registry);
        }
    },
    /** A lock of our session tells that a refused claim was carried out, whatever the record says. */
    OURS_BY_THE_LOCK_ALONE {
        @Override
        public Registry apply(Registry registry) {
            return new ByLockRegistry(registry);
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
    /** Nobody learns the registry's time, neither by a commit nor by its own registration: everybody goes by the own clock. */
    ANSWERS_WITHOUT_THEIR_TIME {
        @Override
        public Registry apply(Registry registry) {
            Registry reading = seen(
                    registry,
                    (path, node) -> Optional.of(
                            path.startsWith(TREE.instances() + "/")
                                    ? createdAt(node, node.created().plus(Duration.ofHours(1)))
                                    : node),
                    (path, names) -> names);
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    return super.commit(session, commit)
                            .thenApply(outcome -> outcome instanceof CommitOutcome.Committed committed
                                    ? new CommitOutcome.Committed(committed.zxid(), Optional.empty())
                                    : outcome);
                }

                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    return reading.read(reads);
                }
            };
        }
    },
    /** A connection that is interrupted is relied on like any other, until the session is given up. */
    SUSPENSION_NOT_HEARD {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public ConnectionState connectionState() {
                    ConnectionState state = super.connectionState();
                    return state == ConnectionState.SUSPENDED ? ConnectionState.CONNECTED : state;
                }

                @Override
                public Subscription onConnectionState(Consumer<ConnectionState> listener) {
                    return super.onConnectionState(state -> {
                        if (state != ConnectionState.SUSPENDED) {
                            listener.accept(state);
                        }
                    });
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
    /** That an instance which has left may come back is not known. */
    SUCCESSORS_NOT_AWAITED {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> isDrain(path) && node.text().contains("awaitedMillis")
                            ? Optional.empty()
                            : Optional.of(node),
                    (path, names) -> names);
        }
    },
    /** One that comes under another id is not taken for the successor, as if it had other labels. */
    SUCCESSORS_KNOWN_BY_THEIR_ID_ALONE {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(registry, Delusion::isDrain, text -> text.replace("labels ", "labels another=one,"));
        }
    },
    /** That it doesn't come back is not seen. */
    SUCCESSORS_AWAITED_FOR_EVER {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    Delusion::isDrain,
                    text -> text.replaceAll("\"awaitedMillis\":\\d+", "\"awaitedMillis\":3600000"));
        }
    },
    /** Nobody knows how often an item has failed. */
    FAILURES_FORGOTTEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(registry, Mutation::isRecord, text -> text.replaceAll(",\"counted\":\\{[^}]*\\}", ""));
        }
    },
    /** What the job says of firings that meet their item is not known. */
    OVERLAP_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.extension()::equals,
                    text -> text.replaceAll("(\"overlap\":)\"\\w+\"", "$1\"WAIT\""));
        }
    },
    /** That each missed firing is to run is not known. */
    CATCH_UP_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.extension()::equals,
                    text -> text.replace("\"catchUp\":\"EACH\",", "").replaceAll("\"catchUpLimit\":\\d+,?", ""));
        }
    },
    /** How old missed firings may be is not known. */
    CATCH_UP_WINDOW_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.extension()::equals,
                    text -> text.replaceAll("(\"catchUpWindow\":)\"\\w+\"", "$1\"PT0S\""));
        }
    },
    /** What runs looks as if it had been claimed long ago, until it is written. */
    CLAIM_TIME_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            Registry rewritten = rewritten(
                    registry,
                    Mutation::isRecord,
                    text -> text.contains("\"state\":\"RUNNING\"")
                            ? text.replaceAll("(\"startedAt\":)\"[^\"]*\"", "$1\"" + Instant.EPOCH + "\"")
                            : text);
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean cancels = reads.contains(RegistryRead.data(TREE.config()));
                    return (cancels ? registry : rewritten).read(reads);
                }
            };
        }
    },
    /** Whoever looks for overdue firings takes the last one of a delay for another, which no item has begun. */
    DELAYED_FIRING_TAKEN_FOR_ANOTHER {
        @Override
        public Registry apply(Registry registry) {
            Registry rewritten =
                    rewritten(registry, TREE.delay()::equals, text -> text.replaceAll("\"number\":", "\"number\":1"));
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean watches = reads.equals(RegistryRead.allData(TREE.delay()));
                    return (watches ? rewritten : registry).read(reads);
                }
            };
        }
    },
    /** Whether items start later than their firing is not known. */
    JITTER_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry, TREE.extension()::equals, text -> text.replaceAll("(\"jitter\":)\"\\w+\"", "$1\"PT0S\""));
        }
    },
    /** Each item is taken for a light one. */
    WEIGHT_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.extension()::equals,
                    text -> text.replaceAll("\"weight\":\\d+", "\"weight\":1")
                            .replaceAll("\"itemWeights\":\"[^\"]*\"", "\"itemWeights\":\"\""));
        }
    },
    /** A job that was resumed looks as it did before. */
    RESUME_THAT_ENDS_NO_COUNT {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> Optional.of(
                            path.equals(TREE.paused())
                                    ? new RegistryNode(
                                            node.data(),
                                            node.version(),
                                            node.czxid(),
                                            node.czxid(),
                                            node.created(),
                                            node.modified(),
                                            node.ephemeralOwner())
                                    : node),
                    (path, children) -> children);
        }
    },
    /** Nobody knows which firings were opened before. */
    NEWEST_FIRING_FORGOTTEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(registry, TREE.firings()::equals, text -> text.replaceAll("\"newest\":\"[^\"]*\",?", ""));
        }
    },
    /** Whether an interrupted execution is one of an open firing is not known where it could be taken. */
    OPENED_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            Registry rewritten = rewritten(
                    registry,
                    path -> path.matches(TREE.sharding() + "/\\d+"),
                    text -> text.contains("INTERRUPTED") ? text.replace(",\"opened\":true", "") : text);
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    return reads.contains(RegistryRead.data(TREE.firings())) && !looks(reads)
                            ? rewritten.read(reads)
                            : super.read(reads);
                }
            };
        }
    },
    /** Items don't wait for the listeners before them. */
    GATE_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.firings()::equals,
                    text -> text.replace("\"phase\":\"BEFORE\"", "\"phase\":\"ITEMS\""));
        }
    },
    /** Items of a manual run begin while others have yet to be asked for it. */
    REQUEST_NOT_AWAITED {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    TREE.firings()::equals,
                    text -> text.replace("\"phase\":\"ASKING\"", "\"phase\":\"ITEMS\""));
        }
    },
    /** Whoever looks whether an item is left that would begin a run finds that it was cancelled. */
    WAITING_RUNS_TAKEN_FOR_DROPPED {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    path -> path.matches(TREE.sharding() + "/\\d+/trigger"),
                    text -> text.contains("\"dropped\"")
                            ? text
                            : text.replaceAll(
                                    "(\"runId\":\"[^\"]*\")", "$1,\"dropped\":{\"actor\":\"x\",\"reason\":\"y\"}"));
        }
    },
    /** Items begin although the listeners before them have failed. */
    REFUSAL_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(registry, TREE.firings()::equals, text -> text.replaceAll(",\"refused\":\"[^\"]*\"", ""));
        }
    },
    /** What still runs looks as if it had ended, to those that look for the end of a firing. */
    LAST_END_NOT_AWAITED {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    Mutation::isRecord,
                    text -> text.replace("\"state\":\"RUNNING\"", "\"state\":\"COMPLETED\""));
        }
    },
    /** What was interrupted, and will be repeated, looks as if it had failed. */
    INTERRUPTION_TAKEN_FOR_AN_END {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry,
                    Mutation::isRecord,
                    text -> text.replace("\"state\":\"INTERRUPTED\"", "\"state\":\"FAILED\""));
        }
    },
    /** A look at the open firings that fails shows none. */
    UNANSWERED_LOOK_NOT_REPEATED {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    return looks(reads)
                            ? super.read(reads)
                                    .exceptionallyCompose(unavailable ->
                                            withoutItems(registry).read(reads))
                            : super.read(reads);
                }
            };
        }
    },
    /** Only who has written an end looks at the open firings: new owners and leaders see none. */
    LOOKS_OWED_FOR_OWN_ENDS_ONLY {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                private boolean owed;

                @Override
                protected RegistryCommit sent(RegistryCommit commit) {
                    owed |= Mutation.ends(commit);
                    return commit;
                }

                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean answered = owed || !looks(reads);
                    owed &= !looks(reads);
                    return (answered ? registry : withoutItems(registry)).read(reads);
                }
            };
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
    /** A bell is taken for what it shows: an execution that was interrupted. */
    TAKE_WITHOUT_THE_RECORDS_STATE {
        @Override
        public Registry apply(Registry registry) {
            return new BellTrustingRegistry(registry);
        }
    },
    /** An instance that gives its items away looks as if it stayed. */
    DRAINS_UNSEEN {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> isDrain(path) ? Optional.empty() : Optional.of(node),
                    (path, names) -> path.equals(TREE.drains()) ? List.of() : names);
        }
    },
    /** Who joins takes an operator's drain for its own, also in a later session. */
    DRAIN_THAT_ENDS_WITH_THE_SESSION {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    boolean joins = reads.contains(RegistryRead.data(TREE.root()))
                            && reads.contains(RegistryRead.data(TREE.leader()));
                    return joins
                            ? rewritten(registry, Delusion::isDrain, text -> "1")
                                    .read(reads)
                            : super.read(reads);
                }
            };
        }
    },
    /** A pause that is over leaves nothing behind. */
    PAUSES_FORGOTTEN_ONCE_THEY_ARE_OVER {
        @Override
        public Registry apply(Registry registry) {
            return rewritten(
                    registry, PAUSES::contains, text -> text.replaceAll("\"from\":\"[^\"]*\"", "\"from\":null"));
        }
    },
    /** Who has just joined follows the plan that it finds, and looks for pauses afterwards. */
    PAUSE_NOT_LOOKED_FOR_ON_JOINING {
        @Override
        public Registry apply(Registry registry) {
            return new HastyRegistry(registry);
        }
    },
    /** A new item begins behind what the assignment says alone. */
    NEW_ITEM_THAT_IGNORES_THE_OTHERS {
        @Override
        public Registry apply(Registry registry) {
            return new ForgetfulPlannerRegistry(registry);
        }
    },
    /** One failover more than the definition grants. */
    ONE_FAILOVER_TOO_MANY {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> path.equals(TREE.extension()) ? oneMore(node) : Optional.of(node),
                    (path, names) -> names);
        }
    },
    /** What is interrupted looks as if it had been so for an hour. */
    NO_PAUSE_BETWEEN_FAILOVERS {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> Mutation.isRecord(path) && node.text().contains("INTERRUPTED")
                            ? Optional.of(anHourOld(node))
                            : Optional.of(node),
                    (path, names) -> names);
        }
    },
    /** Firings count from the beginning of all time, whatever the plan says; what it says is carried over all the same. */
    SINCE_IGNORED {
        @Override
        public Registry apply(Registry registry) {
            return new SincelessRegistry(registry);
        }
    },
    /** No item looks disabled. */
    DISABLED_NOT_SEEN {
        @Override
        public Registry apply(Registry registry) {
            return seen(
                    registry,
                    (path, node) -> Optional.of(node),
                    (path, names) -> names.stream()
                            .filter(name -> !name.equals("disabled"))
                            .toList());
        }
    },
    /** Where firings are not recorded, no manual run is: it only waits no more. */
    MANUAL_RUN_WITHOUT_A_RECORD {
        @Override
        public Registry apply(Registry registry) {
            return new UnrecordedRunsRegistry(registry);
        }
    },
    /** What was orphaned before a leader was elected doesn't look so to it. */
    ORPHANS_NOT_LOOKED_FOR_ON_ELECTION {
        @Override
        public Registry apply(Registry registry) {
            return new TrustingLeaderRegistry(registry);
        }
    };

    private static final JobTree TREE = new JobTree(Scenario.JOB);
    private static final List<String> PAUSES = List.of(TREE.paused(), JobTree.namespacePaused());

    private static boolean isDrain(String path) {
        return path.startsWith(TREE.drains() + "/");
    }

    /** Whether it reads the open firings, and the locks of their calls. */
    static boolean looks(List<RegistryRead> reads) {
        return reads.contains(RegistryRead.children(TREE.firings()));
    }

    /** Whose items execute, or have ended, is not shown. */
    private static Registry withoutItems(Registry registry) {
        return rewritten(
                registry,
                TREE.firings()::equals,
                text -> text.contains("\"phase\":\"ITEMS\"")
                        ? text.replaceAll("\"open\":\\[.*\\]", "\"open\":[]")
                        : text);
    }

    private static RegistryAnswer nothing(List<RegistryRead> reads) {
        return map(reads, path -> Optional.empty(), path -> Optional.empty());
    }

    /** A registry that shows other nodes and children than there are. */
    private static Registry seen(
            Registry registry,
            BiFunction<String, RegistryNode, Optional<RegistryNode>> nodes,
            BiFunction<String, List<String>, List<String>> children) {
        return new ChangedRegistry(registry) {
            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                return super.read(reads)
                        .thenApply(answer -> map(
                                reads,
                                path -> answer.node(path).flatMap(node -> nodes.apply(path, node)),
                                path -> Optional.of(children.apply(path, answer.children(path)))));
            }
        };
    }

    /** A registry that shows other texts than there are. */
    private static Registry rewritten(Registry registry, Predicate<String> paths, UnaryOperator<String> change) {
        return seen(
                registry,
                (path, node) -> paths.test(path)
                        ? with(node, change.apply(node.text()).getBytes(StandardCharsets.UTF_8), node.ephemeralOwner())
                        : Optional.of(node),
                (path, children) -> children);
    }

    private static Optional<RegistryNode> oneMore(RegistryNode node) {
        String text = node.text();
        for (int failovers = 3; failovers > 1; failovers--) {
            text = text.replace("\"maxFailovers\":" + failovers, "\"maxFailovers\":" + (failovers + 1));
        }
        return with(node, text.getBytes(StandardCharsets.UTF_8), node.ephemeralOwner());
    }

    private static RegistryNode createdAt(RegistryNode node, Instant created) {
        return new RegistryNode(
                node.data(),
                node.version(),
                node.czxid(),
                node.mzxid(),
                created,
                node.modified(),
                node.ephemeralOwner(),
                node.childChanges());
    }

    private static RegistryNode anHourOld(RegistryNode node) {
        Duration hour = Duration.ofHours(1);
        return new RegistryNode(
                node.data(),
                node.version(),
                node.czxid(),
                node.mzxid(),
                node.created(),
                node.modified().minus(hour),
                node.ephemeralOwner());
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

    private static final class SincelessRegistry extends ChangedRegistry {
        private static final Pattern SINCE = Pattern.compile("\"since\":\"[^\"]*\"");
        private static final String ALWAYS = "\"since\":\"1970-01-01T00:00:00Z\"";

        private final Registry reading;
        private String told = ALWAYS;

        SincelessRegistry(Registry registry) {
            super(registry);
            reading = seen(registry, (path, node) -> Optional.of(sinceless(path, node)), (path, names) -> names);
        }

        private RegistryNode sinceless(String path, RegistryNode node) {
            Matcher since = SINCE.matcher(node.text());
            if (!path.equals(TREE.sharding()) || !since.find()) {
                return node;
            }
            told = since.group();
            byte[] text = since.replaceFirst(ALWAYS).getBytes(StandardCharsets.UTF_8);
            return with(node, text, node.ephemeralOwner()).orElseThrow();
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return reading.read(reads);
        }

        @Override
        protected RegistryCommit sent(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .map(step -> step instanceof Operation.Set set && set.path().equals(TREE.sharding())
                            ? new Operation.Set(set.path(), carriedOver(set.data()), set.version())
                            : step)
                    .toList());
        }

        private byte[] carriedOver(byte[] plan) {
            return new String(plan, StandardCharsets.UTF_8)
                    .replace(ALWAYS, told)
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Doesn't show pauses in the first reads of each session. */
    private static final class HastyRegistry extends ChangedRegistry {
        private static final int READS = 3;

        private long session;
        private int reads;

        HastyRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            long now = session().map(RegistrySession::id).orElse(0L);
            this.reads = now == session ? this.reads : 0;
            session = now;
            if (!reads.contains(RegistryRead.data(TREE.paused())) || this.reads++ >= READS) {
                return super.read(reads);
            }
            return super.read(reads)
                    .thenApply(answer -> map(
                            reads,
                            path -> PAUSES.contains(path) ? Optional.empty() : answer.node(path),
                            path -> Optional.of(answer.children(path))));
        }
    }

    private static final class UnrecordedRunsRegistry extends ChangedRegistry {
        private boolean monitored = true;

        UnrecordedRunsRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return super.read(reads).whenComplete((answer, error) -> {
                if (answer != null && reads.contains(RegistryRead.data(TREE.sharding()))) {
                    InForce.of(answer.node(TREE.sharding())).ifPresent(plan -> monitored = plan.monitored());
                }
            });
        }

        @Override
        protected RegistryCommit sent(RegistryCommit commit) {
            return monitored || !Mutation.creates(commit, "/running", true)
                    ? commit
                    : new RegistryCommit(commit.operations().stream()
                            .filter(step -> !step.path().endsWith("/running") && !Mutation.isRecord(step.path()))
                            .toList());
        }
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

    private static final class ByLockRegistry extends ChangedRegistry {
        /** As refused claims would have left them, until somebody decides. */
        private final Map<String, Operation.Set> refused = new HashMap<>();

        ByLockRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return super.commit(session, commit).whenComplete((outcome, error) -> {
                if (outcome instanceof CommitOutcome.Refused && Mutation.creates(commit, "/running", true)) {
                    commit.operations().stream()
                            .filter(Operation.Set.class::isInstance)
                            .map(Operation.Set.class::cast)
                            .filter(set -> Mutation.isRecord(set.path()))
                            .forEach(set -> refused.putIfAbsent(set.path(), set));
                }
            });
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            long own = session().map(RegistrySession::id).orElse(0L);
            return super.read(reads)
                    .thenApply(answer -> map(
                            reads,
                            path -> answer.node(path).flatMap(node -> asClaimed(reads, answer, path, node, own)),
                            path -> Optional.of(answer.children(path))));
        }

        private Optional<RegistryNode> asClaimed(
                List<RegistryRead> reads, RegistryAnswer answer, String path, RegistryNode node, long own) {
            String lock = path + "/running";
            if (!refused.containsKey(path) || !reads.contains(RegistryRead.data(lock))) {
                return Optional.of(node);
            }
            Operation.Set claim = refused.remove(path);
            boolean ours = answer.node(lock)
                    .filter(there -> there.ephemeralOwner() == own)
                    .isPresent();
            return Optional.of(
                    ours
                            ? new RegistryNode(
                                    claim.data(),
                                    claim.version() + 1,
                                    node.czxid(),
                                    node.mzxid(),
                                    node.created(),
                                    node.modified(),
                                    node.ephemeralOwner())
                            : node);
        }
    }

    private static final class RepeatingRegistry extends ChangedRegistry {
        RepeatingRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return super.commit(session, commit).whenComplete((outcome, error) -> {
                if (error != null && isUnknown(error)) {
                    repeatLater(session, commit);
                }
            });
        }

        private static boolean isUnknown(Throwable error) {
            Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            return cause instanceof RegistryUnavailableException unavailable && unavailable.outcomeUnknown();
        }

        /** Whoever sent it has been told that its session is over, and doesn't know of this. */
        private void repeatLater(RegistrySession former, RegistryCommit commit) {
            AtomicBoolean done = new AtomicBoolean();
            onConnectionState(state -> session()
                    .filter(next -> state == ConnectionState.RECONNECTED && next.id() != former.id())
                    .filter(next -> done.compareAndSet(false, true))
                    .ifPresent(next -> super.commit(next, commit)));
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
        protected RegistryCommit sent(RegistryCommit commit) {
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

    private static final class ForgetfulPlannerRegistry extends ChangedRegistry {
        private static final Pattern MOMENT = Pattern.compile("\"(?:since|floor)\":\"([^\"]+)\"");
        private String begin = World.START.toString();

        ForgetfulPlannerRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return super.read(reads).whenComplete((answer, error) -> {
                if (error == null && reads.contains(RegistryRead.data(TREE.sharding()))) {
                    answer.node(TREE.sharding())
                            .flatMap(node -> MOMENT.matcher(node.text())
                                    .results()
                                    .map(moment -> Instant.parse(moment.group(1)))
                                    .max(Instant::compareTo))
                            .ifPresent(latest -> begin = latest.toString());
                }
            });
        }

        @Override
        protected RegistryCommit sent(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .map(step -> step instanceof Operation.Create create && Mutation.isRecord(create.path())
                            ? new Operation.Create(create.path(), atTheBegin(create.data()), create.ephemeral())
                            : step)
                    .toList());
        }

        private byte[] atTheBegin(byte[] record) {
            return new String(record, StandardCharsets.UTF_8)
                    .replaceAll("\"scheduledAt\":\"[^\"]*\"", "\"scheduledAt\":\"" + begin + "\"")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    private static final class TrustingLeaderRegistry extends ChangedRegistry {
        private final Map<String, Integer> neverLookedFor = new HashMap<>();
        private boolean elected;
        private Set<String> all = Set.of();

        TrustingLeaderRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            boolean stands = commit.operations().stream()
                    .anyMatch(step ->
                            step instanceof Operation.Create && step.path().equals(TREE.leader()));
            return super.commit(session, commit).whenComplete((outcome, error) -> {
                elected |= stands && outcome instanceof CommitOutcome.Committed;
            });
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            Set<String> items = reads.stream()
                    .map(RegistryRead::path)
                    .filter(Mutation::isRecord)
                    .collect(Collectors.toSet());
            return super.read(reads).thenApply(answer -> {
                if (reads.contains(RegistryRead.children(TREE.sharding()))) {
                    all = answer.children(TREE.sharding()).stream()
                            .map(name -> TREE.sharding() + "/" + name)
                            .filter(Mutation::isRecord)
                            .collect(Collectors.toSet());
                    return answer;
                }
                return !items.isEmpty() && items.equals(all) ? asLeader(reads, answer) : answer;
            });
        }

        private RegistryAnswer asLeader(List<RegistryRead> reads, RegistryAnswer answer) {
            if (elected) {
                elected = false;
                all.stream()
                        .filter(path -> !answer.children(path).contains("running"))
                        .forEach(path -> answer.node(path)
                                .filter(node -> node.text().contains("RUNNING"))
                                .ifPresent(node -> neverLookedFor.put(path, node.version())));
            }
            return map(
                    reads,
                    path -> answer.node(path)
                            .flatMap(node -> neverLookedFor.getOrDefault(path, -1) == node.version()
                                    ? with(node, EndedRegistry.ended(node), node.ephemeralOwner())
                                    : Optional.of(node)),
                    path -> Optional.of(answer.children(path)));
        }
    }

    private static final class BellTrustingRegistry extends ChangedRegistry {
        BellTrustingRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return super.read(reads)
                    .thenApply(answer -> reads.contains(RegistryRead.children(TREE.failoverItems()))
                            ? map(
                                    reads,
                                    path -> answer.node(path).map(node -> waiting(answer, path, node)),
                                    path -> Optional.of(answer.children(path)))
                            : answer);
        }

        private static RegistryNode waiting(RegistryAnswer answer, String path, RegistryNode node) {
            String item = path.substring(path.lastIndexOf('/') + 1);
            return Mutation.isRecord(path)
                            && answer.children(TREE.failoverItems()).contains(item)
                    ? with(
                                    node,
                                    node.text()
                                            .replaceAll("NEW|COMPLETED|FAILED", "INTERRUPTED")
                                            .getBytes(StandardCharsets.UTF_8),
                                    node.ephemeralOwner())
                            .orElseThrow()
                    : node;
        }
    }
}
