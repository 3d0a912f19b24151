package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.testing.ChangedRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** One rule of the protocol, taken out of every transaction that carries it. */
enum Mutation implements Flaw {
    ORPHAN_WITHOUT_ASSERTED_ABSENCE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return creates(commit, "/running", false) ? without(commit, path -> path.endsWith("/running")) : commit;
        }
    },
    BELL_DELETED_WITHOUT_ITS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return each(
                    commit,
                    operation -> operation instanceof Operation.Delete && isBell(operation)
                            ? new Operation.Delete(operation.path(), ANY)
                            : operation);
        }
    },
    CLAIM_WITHOUT_THE_RECORDS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean claims = creates(commit, "/running", true) && !creates(commit, "/failover", true);
            return claims ? anyRecordVersion(commit) : commit;
        }
    },
    /** A firing is known by the second in which it is claimed. */
    CLAIM_AT_ITS_OWN_TIME {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return creates(commit, "/running", true) && !creates(commit, "/failover", true)
                    ? eachText(commit, Mutation::isRecord, Mutation::atItsOwnTime)
                    : commit;
        }
    },
    CLAIM_WITHOUT_ITS_INSTANCE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return creates(commit, "/running", true)
                    ? without(commit, path -> path.startsWith(TREE.instances() + "/"))
                    : commit;
        }
    },
    PAUSE_AFTER_FAILURES_WITHOUT_VERSIONS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return pausesItself(commit)
                    ? each(
                            new RegistryCommit(commit.operations().stream()
                                    .filter(step -> !(step instanceof Operation.Check))
                                    .toList()),
                            step -> step instanceof Operation.Set set
                                    ? new Operation.Set(set.path(), set.data(), ANY)
                                    : step)
                    : commit;
        }
    },
    OWNER_THAT_NEVER_OFFERS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .filter(step -> !(step instanceof Operation.Create && isOffer(step)))
                    .toList());
        }
    },
    /** What waits elsewhere is claimed whatever has become of it since. */
    HELP_WITHOUT_THE_RECORDS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return Late.helps(commit) ? anyRecordVersion(withoutOffers(commit)) : commit;
        }
    },
    OFFER_THAT_STAYS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return withoutOffers(commit);
        }
    },
    /** What was decided under a choice of instances is carried out under another. */
    CLAIM_WITHOUT_THE_VERSION_OF_THE_CHOICE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return withoutChecks(commit, TREE.extension()::equals);
        }
    },
    /** All instances show that they are in zone b, and those of zone a don't know it. */
    STARTS_WHATEVER_ITS_LABELS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return each(
                    commit,
                    operation -> operation instanceof Operation.Create create
                                    && create.path().startsWith(TREE.instances() + "/")
                            ? new Operation.Create(
                                    create.path(),
                                    new String(create.data(), StandardCharsets.UTF_8)
                                            .replace("zone=a", "zone=b")
                                            .getBytes(StandardCharsets.UTF_8),
                                    create.ephemeral())
                            : operation);
        }
    },
    COMPLETION_WITHOUT_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) ? anyRecordVersion(commit) : commit;
        }
    },
    UNCLAIM_THAT_FORGETS_A_MANUAL_RUN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) ? without(commit, Mutation::isItemTrigger) : commit;
        }
    },
    TAKE_THAT_FORGETS_THE_RUN_PARAMETER {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return creates(commit, "/failover", true)
                    ? eachText(commit, Mutation::isRecord, text -> text.replaceAll("\"parameter\":\"[^\"]*\",", ""))
                    : commit;
        }
    },
    FIRINGS_SET_WITHOUT_THEIR_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.firings()::equals);
        }
    },
    CLAIM_WITHOUT_THE_VERSION_OF_FIRINGS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return each(
                    commit,
                    operation -> operation instanceof Operation.Check
                                    && operation.path().equals(TREE.firings())
                            ? new Operation.Check(operation.path(), ANY)
                            : operation);
        }
    },
    BACKFILL_WITHOUT_ITS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.backfill()::equals);
        }
    },
    BACKFILL_ASKED_FOR_WITHOUT_ITS_CURSOR {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean asks = commit.operations().stream().anyMatch(step -> isItemTrigger(step.path()));
            return asks ? without(commit, TREE.backfill()::equals) : commit;
        }
    },
    /** A step of a backfill that follows from an assignment is written under another. */
    BACKFILL_WITHOUT_THE_EPOCH {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean steps = commit.operations().stream()
                    .anyMatch(
                            step -> step instanceof Operation.Set && step.path().equals(TREE.backfill()));
            return steps
                    ? new RegistryCommit(commit.operations().stream()
                            .filter(step -> !(step instanceof Operation.Check
                                    && step.path().equals(TREE.sharding())))
                            .toList())
                    : commit;
        }
    },
    DELAY_WITHOUT_ITS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.delay()::equals);
        }
    },
    DELAY_ASKED_FOR_WITHOUT_ITS_NODE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean asks = commit.operations().stream().anyMatch(step -> isItemTrigger(step.path()));
            return asks ? without(commit, TREE.delay()::equals) : commit;
        }
    },
    /** The end of a firing that follows from an assignment is written under another. */
    DELAY_ENDED_WITHOUT_THE_EPOCH {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return endsADelay(commit) ? withoutChecks(commit, TREE.sharding()::equals) : commit;
        }
    },
    /** The end of a firing that follows from settings is written under others. */
    DELAY_ENDED_WITHOUT_THE_SETTINGS {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return endsADelay(commit)
                    ? withoutChecks(commit, Set.of(TREE.config(), TREE.extension())::contains)
                    : commit;
        }
    },
    REFUSAL_THAT_LEAVES_NO_END {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(
                    commit,
                    Mutation::isRecord,
                    text -> isRefusal(text) ? text.replaceAll("\"runId\":\"[^\"]*\",", "") : text);
        }
    },
    /** The item's last execution stays what it was, as with a firing that was skipped. */
    REFUSAL_THAT_SHOWS_NO_FAILURE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(
                    commit,
                    Mutation::isRecord,
                    text -> isRefusal(text)
                            ? text.replace("\"FAILED\"", "\"COMPLETED\"").replaceAll("\"attempt\":\\d+,", "")
                            : text);
        }
    },
    REPORT_WITHOUT_ITS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.watchdog()::equals);
        }
    },
    REPORT_THAT_IS_NOT_STORED {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return without(commit, TREE.watchdog()::equals);
        }
    },
    CALL_WITHOUT_ITS_NEXT_ATTEMPT {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(
                    commit, TREE.firings()::equals, text -> text.replaceAll("\"attempt\":\\d+", "\"attempt\":1"));
        }
    },
    CALL_WITHOUT_ITS_LOCK {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return without(commit, Mutation::isFiringLock);
        }
    },
    /** An instance that goes on with a call relies on what it has read of the lock. */
    TAKE_OF_A_CALL_WITHOUT_THE_ABSENCE_OF_ITS_LOCK {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean takes = commit.operations().stream()
                    .anyMatch(step -> step instanceof Operation.Set set
                            && set.path().equals(TREE.firings())
                            && text(set).contains("\"attempt\":2"));
            return takes ? without(commit, Mutation::isFiringLock) : commit;
        }
    },
    /** The end of a firing, without what it leaves for the jobs that run after this one. */
    END_THAT_FOLLOWERS_ARE_NOT_TOLD {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return without(commit, path -> path.startsWith(FOLLOWER.after() + "/"));
        }
    },
    CALL_THAT_LEAVES_ITS_LOCK {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .filter(step -> !(step instanceof Operation.Delete && isFiringLock(step.path())))
                    .toList());
        }
    },
    /** A part of a request is carried out although the request has been completed without it. */
    REQUEST_WITHOUT_THE_VERSION_OF_THE_SIGNAL {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.triggers()::equals);
        }
    },
    /** An operator waits no longer for one that has left, and nobody is told. */
    WAIT_ENDED_WITHOUT_A_SIGNAL {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean ends = commit.operations().stream()
                            .anyMatch(step -> step instanceof Operation.Check
                                    && step.path().equals(TREE.instances()))
                    && commit.operations().stream()
                            .anyMatch(step -> step instanceof Operation.Delete
                                    && step.path().startsWith(TREE.drains() + "/"));
            return ends ? without(commit, TREE.necessary()::equals) : commit;
        }
    },
    /** Whoever starts nothing, because of its clock, keeps its items. */
    WRONG_CLOCK_NOT_SHOWN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return each(
                    commit,
                    step -> showsItself(step) && step instanceof Operation.Set set && isOfWrongClock(set.data())
                            ? new Operation.Set(set.path(), withoutClock(set.data()), set.version())
                            : step);
        }
    },
    /** Whoever has set its clock right stays without items. */
    RIGHT_CLOCK_NOT_SHOWN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .filter(step ->
                            !(showsItself(step) && step instanceof Operation.Set set && !isOfWrongClock(set.data())))
                    .toList());
        }
    },
    MANUAL_RUN_ASKED_FOR_WITHOUT_ITS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, path -> path.endsWith("/trigger"));
        }
    },
    ORPHAN_WHOSE_WISH_IS_FORGOTTEN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return creates(commit, "/running", false)
                    ? eachText(commit, Mutation::isRecord, text -> withoutWish(text, "INTERRUPTED"))
                    : commit;
        }
    },
    END_WHOSE_WISH_IS_FORGOTTEN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) && !isFromOperator(commit)
                    ? eachText(commit, Mutation::isRecord, text -> withoutWish(text, "COMPLETED"))
                    : commit;
        }
    },
    WISH_WITHOUT_THE_RECORDS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return isFromOperator(commit) ? anyRecordVersion(commit) : commit;
        }
    },
    CANCELLED_FIRING_THAT_SKIPS_NOTHING {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return isFromOperator(commit)
                    ? new RegistryCommit(commit.operations().stream()
                            .filter(step -> !(step instanceof Operation.Set set
                                    && isRecord(set.path())
                                    && !text(set).contains("\"cancelled\":{")))
                            .toList())
                    : commit;
        }
    },
    CANCELLED_RUN_THAT_WAITS_ON {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(commit, Mutation::isItemTrigger, text -> text.replaceAll(",\"dropped\":\\{[^}]*\\}", ""));
        }
    },
    NEW_ITEM_WITHOUT_FLOOR {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return each(
                    commit,
                    operation ->
                            operation instanceof Operation.Set set && set.path().equals(TREE.sharding())
                                    ? new Operation.Set(set.path(), withoutFloor(set.data()), set.version())
                                    : operation);
        }
    },
    /** That nobody owns anything is a pause, whyever it is so; and what a pause meets is forgotten. */
    FULL_STOP_TAKEN_FOR_A_PAUSE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(
                    commit,
                    TREE.sharding()::equals,
                    text -> withoutFormer(text)
                            .replaceAll("\"pausedFrom\":\"[^\"]*\",", "")
                            .replace("\"owners\":{}", "\"pausedFrom\":\"2999-01-01T00:00:00Z\",\"owners\":{}"));
        }
    },
    SCHEDULE_BEFORE_FORGOTTEN {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(commit, TREE.sharding()::equals, Mutation::withoutFormer);
        }
    },
    CHECKPOINT_WITHOUT_THE_RECORDS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return writesCheckpointAlone(commit) ? without(commit, Mutation::isRecord) : commit;
        }
    },
    END_WITHOUT_ITS_LAST_CHECKPOINT {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) ? without(commit, Mutation::isCheckpoint) : commit;
        }
    },
    LEAVE_WITHOUT_THE_PARENTS_VERSION {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return anyVersion(commit, TREE.instances()::equals);
        }
    },
    NODE_MADE_WITHOUT_MOVING_ITS_PARENT {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return new RegistryCommit(commit.operations().stream()
                    .filter(step -> !(step instanceof Operation.Set set
                            && set.version() == ANY
                            && List.of(TREE.instances(), TREE.election()).contains(set.path())))
                    .toList());
        }
    },
    LATE_END_THAT_WAKES_NOBODY {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) ? without(commit, TREE.triggers()::equals) : commit;
        }
    },
    /** The plan that ends a pause keeps the beginning that firings had before it. */
    PAUSE_THAT_IS_MADE_UP_FOR {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return eachText(
                    commit,
                    path -> path.equals(TREE.sharding()),
                    text -> text.replaceAll("\"since\":\"[^\"]*\"", "\"since\":\"" + World.START + "\""));
        }
    },
    COMPLETION_WITHOUT_THE_EPOCH {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit) ? without(commit, path -> path.equals(TREE.sharding())) : commit;
        }
    },
    END_THAT_LEAVES_THE_FAILOVER_NODE {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return ends(commit)
                    ? without(commit, path -> path.startsWith(TREE.sharding()) && path.endsWith("/failover"))
                    : commit;
        }
    },
    /** What the leader has once written as the beginning of its plan never goes back. */
    TIME_FROM_THE_FUTURE_NOT_CORRECTED {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            return commit;
        }

        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                private String latest = "";

                @Override
                protected RegistryCommit sent(RegistryCommit commit) {
                    return eachText(commit, TREE.sharding()::equals, text -> {
                        String since = text.replaceAll(".*?\"since\":\"([^\"]*)\".*", "$1");
                        latest = since.compareTo(latest) > 0 ? since : latest;
                        return text.replace("\"since\":\"" + since + "\"", "\"since\":\"" + latest + "\"");
                    });
                }
            };
        }
    },
    LATE_LOCK_NOT_REHOMED {
        @Override
        RegistryCommit rewrite(RegistryCommit commit) {
            boolean late = commit.operations().get(0) instanceof Operation.Check && ends(commit);
            return late ? without(commit, path -> path.endsWith("/running")) : commit;
        }
    };

    private static final JobTree TREE = new JobTree(Scenario.JOB);
    private static final Pattern STARTED =
            Pattern.compile("\"startedAt\":\"(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)");
    private static final JobTree FOLLOWER = new JobTree(Scenario.FOLLOWER);
    private static final int ANY = RegistryCommit.ANY_VERSION;

    abstract RegistryCommit rewrite(RegistryCommit commit);

    @Override
    public Registry apply(Registry registry) {
        return new ChangedRegistry(registry) {
            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                return commit.isEmpty() ? commit : rewrite(commit);
            }
        };
    }

    // ------------------------------------------------------------------ transactions

    /** Whether it deletes a lock and creates none: the end of an execution. */
    static boolean ends(RegistryCommit commit) {
        boolean sets = commit.operations().stream()
                .anyMatch(operation -> operation instanceof Operation.Set && isRecord(operation.path()));
        return sets && !creates(commit, "/running", true) && !creates(commit, "/running", false);
    }

    /** That of an execution which goes on. */
    static boolean writesCheckpointAlone(RegistryCommit commit) {
        return commit.operations().stream().anyMatch(operation -> isCheckpoint(operation.path()))
                && commit.operations().stream()
                        .noneMatch(operation -> operation instanceof Operation.Set && isRecord(operation.path()));
    }

    static boolean creates(RegistryCommit commit, String name, boolean ephemeral) {
        return commit.operations().stream()
                .anyMatch(operation -> operation instanceof Operation.Create create
                        && create.ephemeral() == ephemeral
                        && create.path().endsWith(name));
    }

    static boolean isOffer(Operation step) {
        return step.path().contains("/offers/");
    }

    private static RegistryCommit withoutOffers(RegistryCommit commit) {
        return new RegistryCommit(commit.operations().stream()
                .filter(step -> !(step instanceof Operation.Delete && isOffer(step)))
                .toList());
    }

    private static RegistryCommit anyRecordVersion(RegistryCommit commit) {
        return anyVersion(commit, Mutation::isRecord);
    }

    private static RegistryCommit anyVersion(RegistryCommit commit, Predicate<String> paths) {
        return each(
                commit,
                operation -> operation instanceof Operation.Set set && paths.test(set.path())
                        ? new Operation.Set(set.path(), set.data(), ANY)
                        : operation);
    }

    private static boolean showsItself(Operation step) {
        return step instanceof Operation.Set set
                && step.path().startsWith(TREE.instances() + "/")
                && new String(set.data(), StandardCharsets.UTF_8).contains("jobInstanceId");
    }

    private static boolean isOfWrongClock(byte[] instance) {
        return NodeCodec.clockDiffers(new String(instance, StandardCharsets.UTF_8));
    }

    private static byte[] withoutClock(byte[] instance) {
        String text = new String(instance, StandardCharsets.UTF_8);
        return text.replaceAll("( #)? clock differs", "").getBytes(StandardCharsets.UTF_8);
    }

    private static RegistryCommit without(RegistryCommit commit, Predicate<String> paths) {
        return new RegistryCommit(commit.operations().stream()
                .filter(operation -> !paths.test(operation.path()))
                .toList());
    }

    private static RegistryCommit withoutChecks(RegistryCommit commit, Predicate<String> paths) {
        return new RegistryCommit(commit.operations().stream()
                .filter(operation -> !(operation instanceof Operation.Check && paths.test(operation.path())))
                .toList());
    }

    static boolean endsADelay(RegistryCommit commit) {
        return commit.operations().stream()
                .anyMatch(step -> step instanceof Operation.Set set
                        && set.path().equals(TREE.delay())
                        && new String(set.data(), StandardCharsets.UTF_8).contains("\"ended\""));
    }

    private static RegistryCommit each(RegistryCommit commit, UnaryOperator<Operation> change) {
        List<Operation> changed = commit.operations().stream().map(change).toList();
        return new RegistryCommit(changed);
    }

    private static RegistryCommit eachText(
            RegistryCommit commit, Predicate<String> paths, UnaryOperator<String> change) {
        return each(
                commit,
                operation -> operation instanceof Operation.Set set && paths.test(set.path())
                        ? new Operation.Set(
                                set.path(),
                                change.apply(new String(set.data(), StandardCharsets.UTF_8))
                                        .getBytes(StandardCharsets.UTF_8),
                                set.version())
                        : operation);
    }

    private static boolean isBell(Operation operation) {
        return operation.path().equals(TREE.necessary());
    }

    private static String atItsOwnTime(String record) {
        return STARTED.matcher(record)
                .results()
                .findFirst()
                .map(started -> record.replaceAll(
                        "\"scheduledAt\":\"[^\"]*\"", "\"scheduledAt\":\"" + started.group(1) + "Z\""))
                .orElse(record);
    }

    static boolean isRecord(String path) {
        return isRecord(path, TREE);
    }

    private static boolean isFiringLock(String path) {
        return path.startsWith(TREE.firings() + "/");
    }

    static boolean isRecord(String path, JobTree tree) {
        String parent = tree.sharding() + "/";
        return path.startsWith(parent)
                && JobTree.itemNumber(path.substring(parent.length())).isPresent();
    }

    /** Whether a transaction has created a node. */
    static boolean creates(List<Replica.Change> changes, String path) {
        return changes.stream()
                .anyMatch(change ->
                        change.kind() == Replica.Kind.CREATED && change.path().equals(path));
    }

    /** Whether it pauses a job after failures, not for the first time. */
    static boolean pausesItself(RegistryCommit commit) {
        return commit.operations().stream()
                .anyMatch(step -> step instanceof Operation.Set set
                        && set.path().equals(TREE.paused())
                        && text(set).contains("\"failures\""));
    }

    private static boolean isItemTrigger(String path) {
        return path.startsWith(TREE.sharding() + "/") && path.endsWith("/trigger");
    }

    private static boolean isCheckpoint(String path) {
        return path.startsWith(TREE.sharding() + "/") && path.endsWith("/checkpoint");
    }

    private static boolean isRefusal(String record) {
        return record.contains("\"state\":\"FAILED\"") && !record.contains("\"startedAt\"");
    }

    private static String withoutWish(String text, String state) {
        return text.contains("\"cancelled\":{")
                ? text.replaceAll(",\"cancelled\":\\{[^}]*\\}", "").replace("\"FAILED\"", '"' + state + '"')
                : text;
    }

    /** Instances check the definition with what they write, or write or delete a lock. */
    private static boolean isFromOperator(RegistryCommit commit) {
        return commit.operations().stream().noneMatch(step -> step.path().endsWith("/running"))
                && commit.operations().stream()
                        .noneMatch(
                                step -> List.of(TREE.config(), TREE.extension()).contains(step.path()))
                && commit.operations().stream().anyMatch(step -> isRecord(step.path()));
    }

    private static String text(Operation.Set set) {
        return new String(set.data(), StandardCharsets.UTF_8);
    }

    private static String withoutFormer(String text) {
        return text.replaceAll("\"former\":\\[[^\\]]*\\],", "");
    }

    private static byte[] withoutFloor(byte[] data) {
        return new String(data, StandardCharsets.UTF_8)
                .replaceAll("\"floor\":\"[^\"]*\",", "")
                .getBytes(StandardCharsets.UTF_8);
    }
}
