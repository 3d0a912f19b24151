package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Sends multi-reads and transactions on the raw handle, once each: Curator's retry loop would repeat them unasked, even
 * in the next session.
 */
final class CuratorTransport {
    private static final byte[] NO_DATA = {};

    private final CuratorNamespace namespace;
    private final int bytesOfRoot;
    private final List<ACL> acl;
    private final AnswerSizes sizes;
    private final SuspectNodes suspects;

    CuratorTransport(CuratorNamespace namespace, List<ACL> acl) {
        this.namespace = namespace;
        this.bytesOfRoot = namespace.bytesOfRoot();
        this.acl = acl;
        this.sizes = new AnswerSizes(bytesOfRoot);
        this.suspects = new SuspectNodes(namespace);
    }

    /** Several requests are sent one after the other, before any other: their answers arrive in this order too. */
    CompletableFuture<RegistryAnswer> read(ZooKeeper zooKeeper, List<RegistryRead> reads) {
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(new RegistryAnswer(Map.of(), Map.of()));
        }
        List<String> suspected = suspects.among(reads);
        return suspected.isEmpty()
                ? requests(zooKeeper, reads)
                : unwrapped(suspects.clear(zooKeeper, suspected).thenCompose(cleared -> requests(zooKeeper, reads)));
    }

    private CompletableFuture<RegistryAnswer> requests(ZooKeeper zooKeeper, List<RegistryRead> reads) {
        List<CompletableFuture<RegistryAnswer>> parts =
                sizes.cut(reads).stream().map(part -> request(zooKeeper, part)).toList();
        return parts.size() == 1
                ? parts.get(0)
                : unwrapped(CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                        .thenApply(all -> RegistryAnswer.of(
                                parts.stream().map(CompletableFuture::join).toList())));
    }

    private CompletableFuture<RegistryAnswer> request(ZooKeeper zooKeeper, List<RegistryRead> reads) {
        return send(
                zooKeeper,
                reads.stream().map(this::operation).toList(),
                results -> answerOf(reads, results),
                code -> unanswered(reads, code));
    }

    /** Fails with the failure itself, like a single request, instead of a {@code CompletionException}. */
    private static CompletableFuture<RegistryAnswer> unwrapped(CompletableFuture<RegistryAnswer> stage) {
        CompletableFuture<RegistryAnswer> whole = new CompletableFuture<>();
        stage.whenComplete((answer, failure) -> {
            if (failure == null) {
                whole.complete(answer);
            } else {
                whole.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
            }
        });
        return whole;
    }

    CompletableFuture<CommitOutcome> commit(ZooKeeper zooKeeper, RegistryCommit commit) {
        if (commit.isEmpty()) {
            return CompletableFuture.completedFuture(new Committed(OptionalLong.empty(), Optional.empty()));
        }
        commit.mustFit(bytesOfRoot);
        List<Operation> operations = commit.operations();
        return send(
                zooKeeper,
                operations.stream().map(this::operation).toList(),
                results -> outcomeOf(operations, results),
                code -> ZooKeeperCodes.failedCommit(
                        code, namespace.node(operations.get(0).path())));
    }

    /**
     * Sends a request.
     *
     * @param translate converts the results, one for each operation
     * @param failed creates the failure if there are fewer results; the code is OK if an answer arrived, but was too
     *     large for the client, which then closes the connection
     */
    private static <T> CompletableFuture<T> send(
            ZooKeeper zooKeeper,
            List<Op> request,
            Function<List<OpResult>, T> translate,
            Function<Code, RuntimeException> failed) {
        var answered = new CompletableFuture<T>();
        zooKeeper.multi(
                request,
                (code, path, context, results) -> {
                    T value;
                    try {
                        if (results == null || results.size() != request.size()) {
                            throw failed.apply(ZooKeeperCodes.of(code));
                        }
                        value = translate.apply(results);
                    } catch (Throwable e) {
                        answered.completeExceptionally(ZooKeeperCodes.failed(e));
                        return;
                    }
                    answered.complete(value);
                },
                null);
        return answered;
    }

    private RuntimeException unanswered(List<RegistryRead> reads, Code code) {
        if (code == Code.OK) {
            suspects.suspect(reads);
        }
        return ZooKeeperCodes.failedRead(code, namespace.node(reads.get(0).path()));
    }

    private Op operation(RegistryRead read) {
        return read instanceof RegistryRead.Children
                ? Op.getChildren(namespace.node(read.path()))
                : Op.getData(namespace.node(read.path()));
    }

    private Op operation(Operation operation) {
        String path = namespace.node(operation.path());
        if (operation instanceof Operation.Check check) {
            return Op.check(path, check.version());
        }
        if (operation instanceof Operation.Set set) {
            return Op.setData(path, set.data(), set.version());
        }
        if (operation instanceof Operation.Delete delete) {
            return Op.delete(path, delete.version());
        }
        var create = (Operation.Create) operation;
        CreateMode mode = create.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
        // With options, the answer contains the node's Stat, and so the transaction's number and time.
        return Op.create(
                path, create.data(), CreateOptions.newBuilder(acl, mode).build());
    }

    /** A multi-read is answered part by part, so all nodes that are denied are known. */
    private RegistryAnswer answerOf(List<RegistryRead> reads, List<OpResult> results) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        Map<String, Optional<List<String>>> children = new HashMap<>();
        List<String> denied = new ArrayList<>();
        for (int i = 0; i < reads.size(); i++) {
            String path = reads.get(i).path();
            OpResult result = results.get(i);
            sizes.seen(reads.get(i), result);
            Code code = result instanceof ErrorResult error ? ZooKeeperCodes.of(error.getErr()) : Code.OK;
            if (code == Code.NOAUTH) {
                denied.add(namespace.node(path));
            } else if (code != Code.OK && code != Code.NONODE) {
                throw ZooKeeperCodes.failedRead(code, namespace.node(path));
            }
            if (reads.get(i) instanceof RegistryRead.Children) {
                children.put(
                        path,
                        result instanceof GetChildrenResult found
                                ? Optional.of(List.copyOf(found.getChildren()))
                                : Optional.empty());
            } else {
                nodes.put(path, result instanceof GetDataResult found ? Optional.of(node(found)) : Optional.empty());
            }
        }
        if (!denied.isEmpty()) {
            throw ZooKeeperCodes.deniedRead(denied);
        }
        return new RegistryAnswer(nodes, children);
    }

    private static RegistryNode node(GetDataResult found) {
        byte[] data = found.getData();
        Stat stat = found.getStat();
        return new RegistryNode(
                data == null ? NO_DATA : data,
                stat.getVersion(),
                stat.getCzxid(),
                stat.getMzxid(),
                Instant.ofEpochMilli(stat.getCtime()),
                Instant.ofEpochMilli(stat.getMtime()),
                stat.getEphemeralOwner(),
                stat.getCversion());
    }

    private CommitOutcome outcomeOf(List<Operation> operations, List<OpResult> results) {
        Stat newest = null;
        for (int i = 0; i < operations.size(); i++) {
            OpResult result = results.get(i);
            if (result instanceof ErrorResult error) {
                // Steps before the failed one are marked OK, those after it as rolled back.
                if (error.getErr() != Code.OK.intValue()) {
                    return refused(
                            ZooKeeperCodes.of(error.getErr()), operations.get(i).path());
                }
            } else {
                Stat stat = stat(result);
                newest = stat == null ? newest : stat;
            }
        }
        return newest == null
                ? new Committed(OptionalLong.empty(), Optional.empty())
                : new Committed(
                        OptionalLong.of(newest.getMzxid()), Optional.of(Instant.ofEpochMilli(newest.getMtime())));
    }

    private Refused refused(Code code, String path) {
        return new Refused(
                ZooKeeperCodes.refusal(code).orElseThrow(() -> ZooKeeperCodes.failedCommit(code, namespace.node(path))),
                path);
    }

    private static @Nullable Stat stat(OpResult result) {
        if (result instanceof SetDataResult set) {
            return set.getStat();
        }
        return result instanceof CreateResult create ? create.getStat() : null;
    }
}
