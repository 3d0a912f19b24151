package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.JobTree.ItemOffer;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads views of a job, each in as few requests as its size allows. Used by one thread at a time. */
public final class JobViewReader {
    /** The number of items that are read together. The registry splits the request if they are large. */
    public static final int ITEMS_PER_READ = 1_000;

    /** The size of an ordinary record, with the names of the nodes below it and their metadata. */
    private static final int BYTES_OF_ITEM = 512;

    private static final int UNKNOWN = -1;
    private static final Logger log = LoggerFactory.getLogger(JobViewReader.class);

    private final JobTree tree;
    private final Registry registry;
    private final BiFunction<List<RegistryRead>, Integer, CompletionStage<RegistryAnswer>> smallReads;
    private int bytesOfAssignment = UNKNOWN;
    private int bytesOfFirings = UNKNOWN;
    private final boolean withOffers;
    private boolean namespaceDenied;

    public JobViewReader(JobScope scope) {
        this(scope.tree(), scope.registry(), scope.connection()::read, false);
    }

    public JobViewReader(JobTree tree, Registry registry) {
        this(tree, registry, (reads, bytes) -> registry.read(reads), false);
    }

    /** For an instance with a capacity: items are read with their offers, in the same requests. */
    public static JobViewReader withOffers(JobScope scope) {
        return new JobViewReader(scope.tree(), scope.registry(), scope.connection()::read, true);
    }

    /** @param smallReads reads nodes whose size in bytes is known to be small */
    private JobViewReader(
            JobTree tree,
            Registry registry,
            BiFunction<List<RegistryRead>, Integer, CompletionStage<RegistryAnswer>> smallReads,
            boolean withOffers) {
        this.withOffers = withOffers;
        this.tree = tree;
        this.registry = registry;
        this.smallReads = smallReads;
    }

    /** Reads the nodes that a member of the job needs, in one request. */
    public CompletionStage<JobView> asMember(String instance, String ip) {
        return view(memberReads(instance, ip), instance, ip);
    }

    /**
     * Reads the nodes that the leader or a candidate needs, in one request.
     *
     * @param known the members at the last read: unless they change, nothing more is read of them
     */
    public CompletionStage<JobView> asLeader(String instance, String ip, MemberNames known) {
        List<RegistryRead> reads = memberReads(instance, ip);
        reads.addAll(known.reads(tree));
        reads.addAll(RegistryRead.allData(
                tree.flags(), tree.necessary(), tree.processing(), tree.instances(), tree.backfill(), tree.delay()));
        for (String parent : List.of(
                tree.instances(),
                tree.servers(),
                tree.drains(),
                tree.sharding(),
                tree.failoverItems(),
                tree.followers())) {
            reads.add(RegistryRead.children(parent));
        }
        return view(reads, instance, ip);
    }

    private List<RegistryRead> memberReads(String instance, String ip) {
        return new ArrayList<>(RegistryRead.allData(
                tree.config(),
                tree.extension(),
                tree.sharding(),
                tree.leader(),
                tree.instance(instance),
                tree.server(ip),
                tree.paused(),
                JobTree.namespacePaused(),
                tree.drain(instance),
                tree.triggers(),
                tree.triggerOf(instance)));
    }

    private CompletionStage<JobView> view(List<RegistryRead> reads, String instance, String ip) {
        RegistryRead ofNamespace = RegistryRead.data(JobTree.namespacePaused());
        if (namespaceDenied) {
            reads.remove(ofNamespace);
        }
        return registry.read(reads)
                .exceptionallyCompose(error -> {
                    if (namespaceDenied || !NamespacePause.isDenied(error)) {
                        return CompletableFuture.failedFuture(error);
                    }
                    namespaceDenied = true;
                    log.warn(
                            "Job \"{}\": this application must not read \"{}\", because another one has created it with"
                                    + " other permissions. A pause of the namespace doesn't concern this job. Use the same"
                                    + " permissions in all applications of a namespace",
                            tree.jobName(),
                            ofNamespace.path());
                    reads.remove(ofNamespace);
                    return registry.read(reads);
                })
                .thenApply(answer -> JobView.of(tree, answer, instance, ip));
    }

    /**
     * Reads the members that the view names, and the given items. The epoch may have moved since the view was read, so
     * a step planned from the result is guarded by the view's epoch.
     */
    public CompletionStage<LeaderView> members(JobView view, Set<Integer> items) {
        List<RegistryRead> unread = MemberNames.of(view).reads(tree).stream()
                .filter(read -> !view.answer().covers(read.path()))
                .toList();
        CompletionStage<Members> members = unread.isEmpty()
                ? CompletableFuture.completedFuture(Members.of(view, view.answer()))
                : registry.read(unread)
                        .thenApply(answer -> Members.of(view, view.answer().plus(answer)));
        return items.isEmpty()
                ? members.thenApply(read -> new LeaderView(view, read, new TreeMap<>()))
                : members.thenCompose(read -> items(items).thenApply(of -> new LeaderView(view, read, of.items())));
    }

    /** Reads the items that have a node, in chunks, and then the epoch. */
    public CompletionStage<ItemsView> items(Collection<Integer> items) {
        return items(items, EnumSet.noneOf(More.class));
    }

    /** Reads the same and, where the assignment knows of firings, those that are open. */
    public CompletionStage<ItemsView> items(Collection<Integer> items, Assignment assignment) {
        return items(items, firingsOf(assignment));
    }

    /** Reads the same for items that may have been requested: their requests come with them, instead of behind them. */
    public CompletionStage<ItemsView> itemsWithRequests(Collection<Integer> items, Assignment assignment) {
        Set<More> more = firingsOf(assignment);
        more.add(More.REQUESTS);
        return items(items, more);
    }

    /** Reads the items with their locks and the signal of manual runs: after a refusal, the holders of locks matter. */
    public CompletionStage<ItemsView> itemsWithLocks(Collection<Integer> items) {
        return items(items, EnumSet.of(More.LOCKS));
    }

    /** Reads all of that. */
    public CompletionStage<ItemsView> itemsWithLocks(Collection<Integer> items, Assignment assignment) {
        Set<More> more = firingsOf(assignment);
        more.add(More.LOCKS);
        return items(items, more);
    }

    private static Set<More> firingsOf(Assignment assignment) {
        return assignment.knowsFirings() ? EnumSet.of(More.FIRINGS) : EnumSet.noneOf(More.class);
    }

    /** What is read with items. */
    private enum More {
        LOCKS,
        FIRINGS,
        REQUESTS
    }

    private CompletionStage<ItemsView> items(Collection<Integer> items, Set<More> more) {
        boolean withLocks = more.contains(More.LOCKS);
        NavigableMap<Integer, ItemView> found = new TreeMap<>();
        NavigableMap<Integer, RegistryNode> locks = new TreeMap<>();
        return Stages.inOrder(
                        chunks(items),
                        chunk -> readItems(chunk, more).thenCompose(answer -> {
                            Map<Integer, List<String>> offers = offers(answer);
                            for (int item : chunk) {
                                ItemView.of(tree, item, answer, offers).ifPresent(view -> found.put(item, view));
                                if (withLocks) {
                                    answer.node(tree.running(item)).ifPresent(lock -> locks.put(item, lock));
                                }
                            }
                            return readMore(chunk, found, answer).thenApply(all -> answer);
                        }))
                .thenApply(answers -> {
                    RegistryAnswer last = answers.get(answers.size() - 1);
                    Optional<RegistryNode> runs = withLocks ? last.node(tree.triggers()) : Optional.empty();
                    FiringsView firings =
                            more.contains(More.FIRINGS) ? FiringsView.orProblem(tree, last) : FiringsView.NONE;
                    return new ItemsView(epoch(last), found, locks, runs, firings);
                });
    }

    private Map<Integer, List<String>> offers(RegistryAnswer answer) {
        return withOffers
                ? answer.children(tree.offers()).stream()
                        .flatMap(name -> ItemOffer.of(name).stream())
                        .collect(Collectors.groupingBy(
                                ItemOffer::item, Collectors.mapping(ItemOffer::name, Collectors.toList())))
                : Map.of();
    }

    /** Splits items into parts that are read together; at least one part, because each read includes the epoch. */
    public static List<List<Integer>> chunks(Collection<Integer> items) {
        return items.isEmpty() ? List.of(List.of()) : Batch.groups(ITEMS_PER_READ, List.copyOf(items));
    }

    /** Shares a request with other reads if the size of the assignment is known. */
    private CompletionStage<RegistryAnswer> readItems(List<Integer> items, Set<More> more) {
        List<RegistryRead> reads = ItemView.reads(tree, items);
        if (withOffers) {
            reads.add(RegistryRead.children(tree.offers()));
        }
        boolean withFirings = more.contains(More.FIRINGS);
        if (withFirings) {
            reads.add(RegistryRead.data(tree.firings()));
        }
        if (more.contains(More.LOCKS)) {
            items.forEach(item -> reads.add(RegistryRead.data(tree.running(item))));
            reads.add(RegistryRead.data(tree.triggers()));
        }
        boolean withRequests = more.contains(More.REQUESTS);
        if (withRequests) {
            items.forEach(item -> reads.add(RegistryRead.data(tree.trigger(item))));
        }
        reads.add(RegistryRead.data(tree.sharding()));
        boolean unknown = bytesOfAssignment == UNKNOWN || (withFirings && bytesOfFirings == UNKNOWN);
        int bytesOfItem = BYTES_OF_ITEM + (withRequests ? ItemView.BYTES_OF_TRIGGER : 0);
        int bytes = bytesOfAssignment + (withFirings ? bytesOfFirings : 0) + items.size() * bytesOfItem;
        CompletionStage<RegistryAnswer> read = unknown ? registry.read(reads) : smallReads.apply(reads, bytes);
        return read.thenApply(answer -> {
            if (withFirings) {
                bytesOfFirings = answer.node(tree.firings())
                        .map(node -> node.data().length)
                        .orElse(UNKNOWN);
            }
            bytesOfAssignment =
                    answer.node(tree.sharding()).map(node -> node.data().length).orElse(UNKNOWN);
            return answer;
        });
    }

    /**
     * Reads the items' nodes other than their records. Most items have none, and cost no request.
     *
     * @param known what was read with the items
     */
    private CompletionStage<?> readMore(
            List<Integer> items, NavigableMap<Integer, ItemView> found, RegistryAnswer known) {
        List<ItemView> left = new ArrayList<>();
        for (int number : items) {
            ItemView item = found.get(number);
            if (item == null || item.bytesOfMore() == 0) {
                continue;
            }
            if (item.more(tree).stream().allMatch(read -> known.covers(read.path()))) {
                found.put(number, item.with(tree, known));
            } else {
                left.add(item);
            }
        }
        return Stages.inOrder(Batch.groups(RegistryCommit.BYTES_OF_PART, left, ItemView::bytesOfMore), group -> {
            List<RegistryRead> reads =
                    group.stream().flatMap(item -> item.more(tree).stream()).toList();
            return registry.read(reads).thenApply(answer -> {
                group.forEach(item -> found.put(item.item(), item.with(tree, answer)));
                return answer;
            });
        });
    }

    private int epoch(RegistryAnswer answer) {
        return answer.node(tree.sharding()).map(RegistryNode::version).orElse(-1);
    }

    /**
     * Items, and the epoch at the end of their reading.
     *
     * @param items the items by number, without those that have no node
     * @param locks the locks of locked items, if they were read
     * @param runs the signal of manual runs, if the locks were read
     * @param firings the open firings, if they were read
     */
    public record ItemsView(
            int epoch,
            NavigableMap<Integer, ItemView> items,
            NavigableMap<Integer, RegistryNode> locks,
            Optional<RegistryNode> runs,
            FiringsView firings) {
        /** The same with other views of some items. */
        public ItemsView with(Map<Integer, ItemView> others) {
            NavigableMap<Integer, ItemView> all = new TreeMap<>(items);
            all.putAll(others);
            return new ItemsView(epoch, all, locks, runs, firings);
        }

        /** Some of the items. */
        public ItemsView only(Predicate<ItemView> wanted) {
            NavigableMap<Integer, ItemView> some = new TreeMap<>(items);
            some.values().removeIf(wanted.negate());
            return new ItemsView(epoch, some, locks, runs, firings);
        }
    }

    /** The input of a plan. */
    public record LeaderView(JobView job, Members members, NavigableMap<Integer, ItemView> items) {
        public NavigableMap<Integer, ItemView> itemsBeyond(int total) {
            return items.tailMap(total, true);
        }
    }
}
