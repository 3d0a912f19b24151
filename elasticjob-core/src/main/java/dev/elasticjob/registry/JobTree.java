package dev.elasticjob.registry;

import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.text.NodeName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The nodes of one job. Only this class spells their names. They follow Elastic-Job 2.1.5's, so that its operators'
 * tools keep working; {@code docs/internals/protocol.md} describes each one.
 */
public record JobTree(String jobName) {
    /** The parent of all jobs. */
    public static final String NAMESPACE = "/";

    private static final String SHARDING = "/sharding";
    private static final String INSTANCE = "instance";
    private static final String RUNNING = "running";
    private static final String FAILOVER = "failover";
    private static final String MISFIRE = "misfire";
    private static final String DISABLED = "disabled";
    private static final String TRIGGER = "trigger";
    private static final String CHECKPOINT = "checkpoint";

    public String root() {
        return "/" + jobName;
    }

    public String config() {
        return root() + "/config";
    }

    /** The settings for which {@code config} has no key; the whole definition of a job without {@code config}. */
    public String extension() {
        return root() + "/extension";
    }

    /** The node that holds a part of the job's definition. */
    public String node(Part part) {
        return part == Part.CONFIG ? config() : extension();
    }

    public String servers() {
        return root() + "/servers";
    }

    public String server(String ip) {
        return servers() + "/" + ip;
    }

    public String instances() {
        return root() + "/instances";
    }

    public String instance(String id) {
        return instances() + "/" + id;
    }

    /**
     * The signal of manual runs, with the ids of the latest ones. The requests of operators' tools to single instances
     * are below it.
     */
    public String triggers() {
        return "/" + jobName + "/" + TRIGGER;
    }

    /** An operator's tool requests a manual run of this instance's items here. */
    public String triggerOf(String instance) {
        return triggers() + "/" + instance;
    }

    /** The job's pause; absent until the first one. */
    public String paused() {
        return root() + "/paused";
    }

    /** The pause of all jobs of the namespace; absent until the first one. */
    public static String namespacePaused() {
        return "/" + NodeName.PAUSED;
    }

    /** Its version counts the plans of all jobs of the namespace that were made from loads; absent until the first one. */
    public static String namespaceLoads() {
        return "/" + NodeName.LOADS;
    }

    /** The registry's own node, which tells its data from that of another one. */
    public static String registry() {
        return "/" + NodeName.REGISTRY;
    }

    /** Never exists, as {@link #clock()}. */
    public static String registryClock() {
        return registry() + "/clock";
    }

    /** The parent of the applications of Kubernetes. Exists as soon as a controller has shown one. */
    public static String apps() {
        return "/" + NodeName.APPS;
    }

    /** What the controller of an application shows of it. */
    public static String app(String app) {
        return apps() + "/" + app;
    }

    /** Is there as long as the controller's session; its data is the uid of the resource. */
    public static String appController(String app) {
        return app(app) + "/controller";
    }

    /** Is there while an operator keeps the application from getting workers. */
    public static String appSuspended(String app) {
        return app(app) + "/suspended";
    }

    /** The parent of {@link #drain}. */
    public String drains() {
        return root() + "/drain";
    }

    /** Marks that the instance gives its items away: by itself, then the data names its node, or by an operator. */
    public String drain(String instance) {
        return drains() + "/" + instance;
    }

    /** Never exists: creating and deleting it in one transaction changes nothing, and returns the registry's time. */
    public String clock() {
        return root() + "/clock";
    }

    /** The leader's node. Creating it is the election; its data is the leader's id. */
    public String leader() {
        return election() + "/" + INSTANCE;
    }

    /** The parent of the leader's node. */
    public String election() {
        return root() + "/leader/election";
    }

    /** The parent of what concerns the leader. */
    public String leaderRoot() {
        return root() + "/leader";
    }

    public String flags() {
        return root() + "/leader/sharding";
    }

    /** The request for a new plan. */
    public String necessary() {
        return flags() + "/necessary";
    }

    /** Exists while an assignment is written in several transactions. */
    public String processing() {
        return flags() + "/processing";
    }

    /** The interrupted items that wait to be taken over. */
    public String failoverItems() {
        return "/" + jobName + "/leader/failover/items";
    }

    public String failoverItem(int item) {
        return failoverItem(String.valueOf(item));
    }

    /** A failover node by its name, which other software may have chosen. */
    public String failoverItem(String name) {
        return failoverItems() + "/" + name;
    }

    public String failoverLatch() {
        return root() + "/leader/failover/latch";
    }

    /** What waits for room at its owner is offered to other instances below it. Exists from the first offer on. */
    public String offers() {
        return root() + "/offers";
    }

    /** An offer by its name, which is that of {@link ItemOffer}. */
    public String offer(String name) {
        return offers() + "/" + name;
    }

    /** The schedule in force and the whole assignment; its version is the epoch. */
    public String sharding() {
        return "/" + jobName + SHARDING;
    }

    /** The item's record. One concatenation, as in {@link #below}, because each execution requests several of these. */
    public String item(int item) {
        return "/" + jobName + SHARDING + "/" + item;
    }

    private String below(int item, String name) {
        return "/" + jobName + SHARDING + "/" + item + "/" + name;
    }

    /** A copy of the item's owner, for operators' tools. */
    public String owner(int item) {
        return below(item, INSTANCE);
    }

    /** The lock of a running item. */
    public String running(int item) {
        return below(item, RUNNING);
    }

    public String failover(int item) {
        return below(item, FAILOVER);
    }

    public String misfire(int item) {
        return below(item, MISFIRE);
    }

    public String disabled(int item) {
        return below(item, DISABLED);
    }

    public String trigger(int item) {
        return below(item, TRIGGER);
    }

    public String checkpoint(int item) {
        return below(item, CHECKPOINT);
    }

    /** The existing nodes below an item's record, according to its children. */
    public List<String> below(int item, ItemChildren children) {
        List<String> paths = new ArrayList<>();
        children.names().forEach(name -> paths.add(below(item, name)));
        return paths;
    }

    /** The firings that are open, if the job has any: its version guards every claim of such a job. */
    public String firings() {
        return root() + "/firings";
    }

    /** The lock of the listeners that are called for a firing of the whole cluster. */
    public String firingLock(String firing) {
        return firings() + "/" + firing;
    }

    /** Below it, the jobs that run after this one. */
    public String followers() {
        return root() + "/followers";
    }

    public String follower(String jobName) {
        return followers() + "/" + jobName;
    }

    /** The jobs that this one runs after. Below it, the ended firings of those that it has still to run for. */
    public String after() {
        return root() + "/after";
    }

    public String after(String firing) {
        return after() + "/" + firing;
    }

    /** The last firing of a job with a fixed delay. Exists from the first one on. */
    public String delay() {
        return root() + "/delay";
    }

    /** The past firings that an operator has run. */
    public String backfill() {
        return root() + "/backfill";
    }

    /** What was reported of items that are stuck, and of firings that are overdue. Exists once there was a report. */
    public String watchdog() {
        return root() + "/watchdog";
    }

    /** The parent of {@link #progress(String)}. Exists once an execution has reported its progress. */
    public String progress() {
        return root() + "/progress";
    }

    /** How far the executions of an instance have come, as they say. */
    public String progress(String instance) {
        return progress() + "/" + instance;
    }

    /** Marks a job that is kept in the registry: instances that don't declare it may run it. */
    public String origin() {
        return root() + "/origin";
    }

    /** The last commands of operators. */
    public String commands() {
        return root() + "/commands";
    }

    /** The persistent parent nodes, parents first, which are created with the job. */
    public List<String> parents() {
        return List.of(
                servers(),
                instances(),
                triggers(),
                drains(),
                leaderRoot(),
                election(),
                flags(),
                root() + "/leader/failover",
                failoverItems());
    }

    /** The item of a node's name; empty for any other name. */
    public static OptionalInt itemNumber(String name) {
        boolean number = !name.isEmpty() && name.length() < 10 && name.chars().allMatch(Character::isDigit);
        return number ? OptionalInt.of(Integer.parseInt(name)) : OptionalInt.empty();
    }

    /** The items of nodes' names, without other names. */
    public static NavigableSet<Integer> itemNumbers(Collection<String> names) {
        NavigableSet<Integer> items = new TreeSet<>();
        names.forEach(name -> itemNumber(name).ifPresent(items::add));
        return items;
    }

    public static ItemChildren itemChildren(List<String> names) {
        return new ItemChildren(Set.copyOf(names));
    }

    /**
     * What an owner has no room for.
     *
     * @param version of the item's record: as soon as it has another one, the offer is out of date
     */
    public record ItemOffer(int item, int version) {
        /** The offer of a node's name; empty for any other name. */
        public static Optional<ItemOffer> of(String name) {
            int dash = name.indexOf('-');
            OptionalInt item = itemNumber(name.substring(0, Math.max(0, dash)));
            OptionalInt version = itemNumber(name.substring(dash + 1));
            return dash > 0 && item.isPresent() && version.isPresent()
                    ? Optional.of(new ItemOffer(item.getAsInt(), version.getAsInt()))
                            .filter(offer -> offer.name().equals(name))
                    : Optional.empty();
        }

        /** The name of its node. */
        public String name() {
            return "%d-%d".formatted(item, version);
        }
    }

    /** The nodes that exist below an item's record. */
    public record ItemChildren(Set<String> names) {
        public boolean owner() {
            return names.contains(INSTANCE);
        }

        public boolean running() {
            return names.contains(RUNNING);
        }

        public boolean failover() {
            return names.contains(FAILOVER);
        }

        public boolean misfire() {
            return names.contains(MISFIRE);
        }

        public boolean disabled() {
            return names.contains(DISABLED);
        }

        public boolean trigger() {
            return names.contains(TRIGGER);
        }

        public boolean checkpoint() {
            return names.contains(CHECKPOINT);
        }

        /** Without the lock. */
        public ItemChildren unlocked() {
            return without(RUNNING);
        }

        /** Without the operator's request not to run the item. */
        public ItemChildren enabled() {
            return without(DISABLED);
        }

        private ItemChildren without(String gone) {
            return new ItemChildren(
                    names.stream().filter(name -> !name.equals(gone)).collect(Collectors.toUnmodifiableSet()));
        }
    }
}
