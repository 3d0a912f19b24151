package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Reads pictures of a job, each in as few requests as its size allows. Confined to the coordination executor. */
public final class JobViewReader {
    /** Items that are asked for at once; the registry makes several requests of it where they are large. */
    public static final int ITEMS_PER_READ = 1_000;

    /** Of an ordinary record, the names below it, and what is told of both. */
    private static final int BYTES_OF_ITEM = 512;

    private static final int UNKNOWN = -1;

    private final Source scope;
    private int bytesOfAssignment = UNKNOWN;

    public JobViewReader(JobScope scope) {
        this.scope = new Source(scope.tree(), scope.registry(), scope.connection()::read, scope.executor());
    }

    public JobViewReader(JobTree tree, Registry registry, Executor executor) {
        this.scope = new Source(tree, registry, (reads, bytes) -> registry.read(reads), executor);
    }

    private record Source(JobTree tree, Registry registry, SmallReads small, Executor executor) {}

    /** Reads whose answer is known to be small. */
    private interface SmallReads {
        CompletionStage<RegistryAnswer> read(List<RegistryRead> reads, int bytes);
    }

    /** What a member of the job needs: one request. */
    public CompletionStage<JobView> asMember(String instance, String ip) {
        return read(memberReads(instance, ip)).thenApply(answer -> JobView.of(scope.tree(), answer, instance, ip));
    }

    /**
     * The same, and what the leader, or who may become it, needs: one request.
     *
     * @param known the members as they were last seen: as long as they stay, nothing more has to be read of them
     */
    public CompletionStage<JobView> asLeader(String instance, String ip, MemberNames known) {
        JobTree tree = scope.tree();
        List<RegistryRead> reads = memberReads(instance, ip);
        reads.addAll(known.reads(tree));
        reads.add(RegistryRead.data(tree.flags()));
        reads.add(RegistryRead.data(tree.necessary()));
        reads.add(RegistryRead.data(tree.processing()));
        reads.add(RegistryRead.children(tree.instances()));
        reads.add(RegistryRead.children(tree.servers()));
        reads.add(RegistryRead.children(tree.drains()));
        reads.add(RegistryRead.children(tree.sharding()));
        reads.add(RegistryRead.children(tree.failoverItems()));
        return read(reads).thenApply(answer -> JobView.of(tree, answer, instance, ip));
    }

    private List<RegistryRead> memberReads(String instance, String ip) {
        JobTree tree = scope.tree();
        List<RegistryRead> reads = new ArrayList<>();
        for (String path : List.of(
                tree.config(),
                tree.extension(),
                tree.sharding(),
                tree.leader(),
                tree.instance(instance),
                tree.server(ip),
                tree.triggers(),
                tree.triggerOf(instance))) {
            reads.add(RegistryRead.data(path));
        }
        return reads;
    }

    /**
     * The members that the view names, and its items where they are asked for. The epoch may have moved meanwhile: what
     * is done by this is done under that of the view.
     */
    public CompletionStage<LeaderView> members(JobView view, Set<Integer> items) {
        List<RegistryRead> unread = MemberNames.of(view).reads(view.tree()).stream()
                .filter(read -> !view.answer().covers(read.path()))
                .toList();
        CompletionStage<RegistryAnswer> members = unread.isEmpty()
                ? CompletableFuture.completedFuture(view.answer())
                : read(unread).thenApply(view.answer()::plus);
        if (items.isEmpty()) {
            return members.thenApply(answer -> new LeaderView(view, membersOf(view, answer), new TreeMap<>()));
        }
        return members.thenComposeAsync(
                answer -> items(items).thenApply(found -> new LeaderView(view, membersOf(view, answer), found.items())),
                scope.executor());
    }

    private static Members membersOf(JobView view, RegistryAnswer answer) {
        JobTree tree = view.tree();
        List<Members.Member> members = new ArrayList<>();
        for (String id : view.instances()) {
            answer.node(tree.instance(id))
                    .ifPresent(node -> members.add(new Members.Member(
                            id, NodeCodec.serverIp(id, node.text()), node.czxid(), Members.Origin.of(node))));
        }
        Map<String, Members.Server> servers = new HashMap<>();
        for (String ip : view.servers()) {
            answer.node(tree.server(ip))
                    .ifPresent(
                            node -> servers.put(ip, new Members.Server(ServerState.isDisabled(node), node.modified())));
        }
        Set<Long> draining = new HashSet<>();
        for (String id : view.draining()) {
            answer.node(tree.drain(id)).ifPresent(node -> draining.add(NodeCodec.drained(node)));
        }
        return new Members(members, servers, draining);
    }

    /** The items that have a node, among those asked for, in chunks; ends with the epoch. */
    public CompletionStage<ItemsView> items(Collection<Integer> items) {
        return items(items.iterator(), Set.of(), ItemsView.nothing());
    }

    /** The same with their locks and the bell of manual runs: after a refusal, when it matters whose they are. */
    public CompletionStage<ItemsView> itemsWithLocks(Collection<Integer> items) {
        return items(items.iterator(), Set.copyOf(items), ItemsView.nothing());
    }

    private CompletionStage<ItemsView> items(Iterator<Integer> rest, Set<Integer> withLock, ItemsView soFar) {
        JobTree tree = scope.tree();
        List<Integer> chunk = new ArrayList<>();
        while (rest.hasNext() && chunk.size() < ITEMS_PER_READ) {
            chunk.add(rest.next());
        }
        List<RegistryRead> reads = ItemView.reads(tree, chunk);
        chunk.stream().filter(withLock::contains).forEach(item -> reads.add(RegistryRead.data(tree.running(item))));
        reads.add(RegistryRead.data(tree.sharding()));
        if (!withLock.isEmpty()) {
            reads.add(RegistryRead.data(tree.triggers()));
        }
        return readItems(reads, chunk.size())
                .thenComposeAsync(
                        answer -> {
                            bytesOfAssignment = answer.node(tree.sharding())
                                    .map(node -> node.data().length)
                                    .orElse(UNKNOWN);
                            for (int item : chunk) {
                                ItemView.of(tree, item, answer)
                                        .ifPresent(view -> soFar.items().put(item, view));
                                if (withLock.contains(item)) {
                                    answer.node(tree.running(item))
                                            .ifPresent(lock -> soFar.locks().put(item, lock));
                                }
                            }
                            return withMore(chunk.iterator(), soFar)
                                    .thenComposeAsync(
                                            all -> rest.hasNext()
                                                    ? items(rest, withLock, all)
                                                    : CompletableFuture.completedFuture(new ItemsView(
                                                            epoch(answer), all.items(), all.locks(), runs(answer))),
                                            scope.executor());
                        },
                        scope.executor());
    }

    /** What there is of the items beside their records: requests only where there is something. */
    private CompletionStage<ItemsView> withMore(Iterator<Integer> rest, ItemsView soFar) {
        JobTree tree = scope.tree();
        List<ItemView> some = new ArrayList<>();
        List<RegistryRead> reads = new ArrayList<>();
        for (int bytes = 0; rest.hasNext() && bytes < Batch.MAX_BYTES; ) {
            ItemView item = soFar.items().get(rest.next());
            if (item != null && item.bytesOfMore() > 0) {
                some.add(item);
                reads.addAll(item.more(tree));
                bytes += item.bytesOfMore();
            }
        }
        if (some.isEmpty()) {
            return CompletableFuture.completedFuture(soFar);
        }
        return read(reads)
                .thenComposeAsync(
                        answer -> {
                            some.forEach(item -> soFar.items().put(item.item(), item.with(tree, answer)));
                            return withMore(rest, soFar);
                        },
                        scope.executor());
    }

    private Optional<RegistryNode> runs(RegistryAnswer answer) {
        String bell = scope.tree().triggers();
        return answer.covers(bell) ? answer.node(bell) : Optional.empty();
    }

    private int epoch(RegistryAnswer answer) {
        return answer.node(scope.tree().sharding()).map(RegistryNode::version).orElse(-1);
    }

    /** Once the assignment's size is known, with what others read. */
    private CompletionStage<RegistryAnswer> readItems(List<RegistryRead> reads, int items) {
        return bytesOfAssignment == UNKNOWN
                ? scope.registry().read(reads)
                : scope.small().read(reads, bytesOfAssignment + items * BYTES_OF_ITEM);
    }

    private CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return scope.registry().read(reads).thenApplyAsync(answer -> answer, scope.executor());
    }

    /**
     * Items, and the epoch at the end of their reading.
     *
     * @param items by number; those that have no node are missing
     * @param locks of those that are locked, where they were asked for
     * @param runs the bell of manual runs, where the locks were asked for
     */
    public record ItemsView(
            int epoch,
            NavigableMap<Integer, ItemView> items,
            NavigableMap<Integer, RegistryNode> locks,
            Optional<RegistryNode> runs) {
        private static ItemsView nothing() {
            return new ItemsView(-1, new TreeMap<>(), new TreeMap<>(), Optional.empty());
        }
    }

    /** All that a plan is made from. */
    public record LeaderView(JobView job, Members members, NavigableMap<Integer, ItemView> items) {
        public NavigableMap<Integer, ItemView> itemsBeyond(int total) {
            return items.tailMap(total, true);
        }
    }
}
