package dev.elasticjob.coordination.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.jdk.StringDeserializer;

/**
 * The JSON of nodes that coordination writes rarely: the assignment, manual runs, instances. {@link ItemRecordCodec}
 * has records, and {@link dev.elasticjob.definition.codec.JobDefinitionCodec} the nodes of the definition.
 */
public final class NodeCodec {
    /** What stands behind the JSON of an instance's node: pairs of a word and what it says. */
    private static final String COMMENT = "} # ";

    private static final String VERSION = "version";
    private static final String LABELS = "labels";
    private static final String CAPACITY = "capacity";
    private static final String CLOCK = "clock";
    private static final String DIFFERS = "differs";

    private NodeCodec() {}

    // ------------------------------------------------------------------ the assignment

    /** Writes owners as ranges over a table of ids: {@code "owners":{"a@-@1":"0-3,9"}}. */
    public static byte[] write(Assignment assignment) {
        return bytes(new StoredAssignment(
                assignment.schedule().text(),
                assignment.schedule().zone(),
                assignment.since(),
                assignment.former().stream().map(StoredFormer::of).toList(),
                assignment.floor(),
                assignment.monitored(),
                assignment.pausedFrom(),
                assignment.plannedFrom(),
                ItemRanges.byOwner(assignment.owners()),
                StoredFiringPlan.of(assignment.firings())));
    }

    public static Assignment readAssignment(String path, byte[] data) {
        return StateJson.read(
                path,
                data,
                StoredAssignment.class,
                "an assignment such as {\"cron\":\"…\",…,\"owners\":{\"10.0.0.1@-@42\":\"0-3\"}}",
                StoredAssignment::assignment);
    }

    /** The cron expression in force according to such a node; empty if it can't be read, or there is none. */
    public static Optional<String> cron(RegistryNode sharding) {
        try {
            return Optional.of(readAssignment("", sharding.data()).schedule().text())
                    .filter(Predicate.not(String::isEmpty));
        } catch (CorruptNodeException e) {
            return Optional.empty();
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredAssignment(
            @Nullable String cron,
            @Nullable ZoneId timeZone,
            @Nullable Instant since,
            @JsonInclude(Include.NON_EMPTY) @Nullable List<StoredFormer> former,
            @Nullable Instant floor,
            @Nullable Boolean monitored,
            @Nullable Instant pausedFrom,
            @Nullable String plannedFrom,
            @Nullable Map<String, String> owners,
            @Nullable StoredFiringPlan firings) {
        Assignment assignment() {
            return new Assignment(
                    WrongValue.schedule("", cron, timeZone),
                    WrongValue.required("since", since, Instant.class),
                    owedUnder(),
                    floor,
                    monitored == null || monitored,
                    pausedFrom,
                    plannedFrom == null ? "" : plannedFrom,
                    owned(),
                    firings == null ? null : firings.plan());
        }

        private List<FormerSchedule> owedUnder() {
            List<StoredFormer> stored = former == null ? List.of() : former;
            return IntStream.range(0, stored.size())
                    .mapToObj(place -> stored.get(place).schedule("former[%d].".formatted(place)))
                    .toList();
        }

        /** Either no item has an owner, or all have one: their number is the total in force. */
        private NavigableMap<Integer, String> owned() {
            NavigableMap<Integer, String> owner = new TreeMap<>();
            if (owners != null) {
                owners.keySet().forEach(id -> WrongValue.instance("owners", id));
                owners.forEach((id, items) -> items("owners." + id, items).forEach(item -> {
                    if (owner.put(item, id) != null) {
                        throw new WrongValue("owners", "one owner for each item", owners);
                    }
                }));
            }
            if (!owner.isEmpty() && owner.lastKey() != owner.size() - 1) {
                throw new WrongValue("owners", "an owner for each item from 0 to " + owner.lastKey(), owners);
            }
            return owner;
        }
    }

    private record StoredFormer(
            @Nullable String cron,
            @Nullable ZoneId timeZone,
            @Nullable Instant since,
            @Nullable Instant until) {
        static StoredFormer of(FormerSchedule former) {
            return new StoredFormer(former.schedule().text(), former.schedule().zone(), former.since(), former.until());
        }

        FormerSchedule schedule(String below) {
            return new FormerSchedule(
                    WrongValue.schedule(below, cron, timeZone),
                    WrongValue.required(below + "since", since, Instant.class),
                    WrongValue.required(below + "until", until, Instant.class));
        }
    }

    private static List<Integer> items(String key, @Nullable String ranges) {
        String text = WrongValue.required(key, ranges, String.class);
        try {
            return ItemRanges.items(text);
        } catch (IllegalArgumentException e) {
            throw new WrongValue(key, "ranges of items such as \"0-3,9\"", text);
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredFiringPlan(
            @Nullable Boolean listener,
            @Nullable Instant from,
            @JsonInclude(Include.NON_EMPTY) @Nullable Map<String, Instant> followers) {
        static @Nullable StoredFiringPlan of(@Nullable FiringPlan plan) {
            return plan == null
                    ? null
                    : new StoredFiringPlan(plan.listener() ? true : null, plan.from(), plan.followers());
        }

        FiringPlan plan() {
            NavigableMap<String, Instant> named = followers == null ? new TreeMap<>() : new TreeMap<>(followers);
            named.keySet().stream().filter(name -> !NodeName.isUsable(name)).forEach(name -> {
                throw new WrongValue("firings.followers", "names of jobs, each with a time", name);
            });
            return new FiringPlan(
                    Boolean.TRUE.equals(listener), WrongValue.required("firings.from", from, Instant.class), named);
        }
    }

    // ------------------------------------------------------------------ open firings

    public static byte[] write(OpenFirings firings) {
        return bytes(new StoredFirings(
                firings.newest(), firings.open().stream().map(StoredFiring::of).toList()));
    }

    /** The firings of the job's node; none where it is empty. */
    public static OpenFirings readFirings(RegistryNode node, String path) {
        return node.data().length == 0
                ? OpenFirings.NONE
                : StateJson.read(
                        path,
                        node.data(),
                        StoredFirings.class,
                        "open firings such as {\"newest\":\"…\",\"open\":[…]}",
                        StoredFirings::firings);
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredFirings(
            @Nullable Instant newest,
            @JsonInclude(Include.NON_EMPTY) @Nullable List<StoredFiring> open) {
        OpenFirings firings() {
            Map<String, OpenFiring> all = new LinkedHashMap<>();
            int place = 0;
            for (StoredFiring stored : open == null ? List.<StoredFiring>of() : open) {
                OpenFiring firing = firing(stored, place);
                if (all.put(firing.id(), firing) != null) {
                    throw new WrongValue("open[%d]".formatted(place), "another firing than those before", firing.id());
                }
                place++;
            }
            return new OpenFirings(newest, List.copyOf(all.values()));
        }

        private static OpenFiring firing(StoredFiring stored, int place) {
            try {
                return stored.firing();
            } catch (WrongValue e) {
                throw e.below("open[%d]".formatted(place));
            }
        }
    }

    @JsonInclude(Include.NON_DEFAULT)
    private record StoredFiring(
            @Nullable Instant at,
            @Nullable String runId,
            @Nullable String items,
            OpenFiring.@Nullable Phase phase,
            @Nullable String instance,
            int attempt,
            int crashes,
            @Nullable Instant since,
            @Nullable String refused,
            @Nullable StoredRequest request) {
        static StoredFiring of(OpenFiring firing) {
            return new StoredFiring(
                    firing.scheduledAt(),
                    firing.runId(),
                    ItemRanges.text(List.copyOf(firing.items())),
                    firing.phase(),
                    firing.hook().instance(),
                    firing.hook().attempt(),
                    firing.hook().crashes(),
                    firing.since(),
                    firing.refused(),
                    StoredRequest.of(firing.request()));
        }

        OpenFiring firing() {
            if ((at == null) == (runId == null)) {
                throw new WrongValue("at", "there, or else \"runId\"", at == null ? null : "both");
            }
            if (runId != null && !ManualRun.isRunId(runId)) {
                throw new WrongValue("runId", "a run id, which is a part of a node's name", runId);
            }
            return new OpenFiring(
                    at == null ? null : WrongValue.firing("at", at),
                    runId,
                    new TreeSet<>(NodeCodec.items("items", items == null || items.isEmpty() ? null : items)),
                    WrongValue.required("phase", phase, OpenFiring.Phase.class),
                    new OpenFiring.Hook(
                            instance == null ? null : WrongValue.instance("instance", instance),
                            WrongValue.count("attempt", attempt),
                            WrongValue.count("crashes", crashes)),
                    WrongValue.required("since", since, Instant.class),
                    refused,
                    request == null ? null : request.request());
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredRequest(
            @Nullable String parameter,
            @Nullable RepeatedRun repeats,
            @Nullable RequestedBy by) {
        static @Nullable StoredRequest of(OpenFiring.@Nullable Request request) {
            return request == null
                    ? null
                    : new StoredRequest(
                            request.parameter(), request.repeats(), request.by().orNull());
        }

        OpenFiring.Request request() {
            return new OpenFiring.Request(parameter == null ? "" : parameter, repeats, RequestedBy.orNobody(by));
        }
    }

    // ------------------------------------------------------------------ manual runs

    public static byte[] write(WaitingRuns waiting) {
        List<StoredRuns> runs = waiting.runs().stream()
                .map(run -> StoredRuns.of(run, List.of()))
                .toList();
        return bytes(StoredRuns.of(waiting.first(), runs.subList(1, runs.size())));
    }

    /**
     * Reads manual runs. Any other content was written by an operator and requests one run, whose id comes from that
     * transaction.
     */
    public static WaitingRuns readRuns(RegistryNode node) {
        List<ManualRun> runs = StateJson.read(node.data(), StoredRuns.class).stream()
                .flatMap(StoredRuns::runs)
                .toList();
        return runs.isEmpty()
                ? WaitingRuns.of(ManualRun.of("operator-" + Long.toHexString(node.mzxid())))
                : new WaitingRuns(runs);
    }

    private record StoredRuns(
            @Nullable String runId,

            @JsonDeserialize(using = StringDeserializer.class) @Nullable
            String parameter,

            @JsonInclude(Include.NON_NULL) @Nullable RepeatedRun repeats,

            @JsonInclude(Include.NON_NULL) @Nullable Cancellation dropped,

            @JsonInclude(Include.NON_NULL) @Nullable RequestedBy by,

            @JsonInclude(Include.NON_EMPTY) @Nullable List<StoredRuns> behind) {
        static StoredRuns of(ManualRun run, List<StoredRuns> behind) {
            return new StoredRuns(
                    run.runId(),
                    run.parameter(),
                    run.repeats(),
                    run.dropped(),
                    run.by().orNull(),
                    behind);
        }

        Stream<ManualRun> runs() {
            boolean counts = repeats == null || WrongValue.isCount(repeats.attempt());
            Stream<ManualRun> first = Stream.ofNullable(counts ? runId : null)
                    .flatMap(ids -> ManualRun.parse(ids, parameter == null ? "" : parameter).stream())
                    .map(run -> run.repeating(repeats).dropped(dropped).by(RequestedBy.orNobody(by)));
            return behind == null ? first : Stream.concat(first, behind.stream().flatMap(StoredRuns::runs));
        }
    }

    public static byte[] writeRunIds(List<String> runIds) {
        return bytes(runIds);
    }

    /** The run ids in the signal; none if it contains something else. */
    public static List<String> readRunIds(byte[] data) {
        return StateJson.read(data, String[].class).stream()
                .flatMap(Arrays::stream)
                .filter(Objects::nonNull)
                .filter(ManualRun::isRunId)
                .toList();
    }

    // ------------------------------------------------------------------ instances

    /** Identifies the instance that gives its items away, by the transaction that created its node. */
    public static String drain(RegistryNode instance) {
        return Long.toString(instance.czxid());
    }

    /** The {@code czxid} in a drain; that of no node if it contains something else. */
    public static long drained(RegistryNode drain) {
        Optional<LeaveMark> mark = LeaveMark.of(drain);
        if (mark.isPresent()) {
            return mark.get().instance();
        }
        try {
            return Long.parseLong(drain.text().strip());
        } catch (NumberFormatException foreign) {
            return -1;
        }
    }

    /** Whether this instance itself gives its items away by the drain. */
    public static boolean isDrainOf(RegistryNode instance, RegistryNode drain) {
        return drained(drain) == instance.czxid();
    }

    /** Whether an operator's tool of 2.x has written its command into an instance's node. */
    public static boolean asksForRun(RegistryNode instance) {
        return Software.isCommand(instance.text());
    }

    /**
     * What an instance of this version of the library writes into its node.
     *
     * @param clockDiffers whether its clock differs from the registry's by more than the job allows
     */
    public static String instance(
            String id, String ip, InstanceLabels labels, OptionalInt capacity, boolean clockDiffers) {
        return instance(
                id,
                ip,
                labels,
                capacity,
                Optional.ofNullable(NodeCodec.class.getPackage().getImplementationVersion()),
                clockDiffers);
    }

    /**
     * What follows the id and the address is a comment, because ElasticJob 3.x reads this as YAML, and refuses keys that it
     * doesn't know.
     */
    static String instance(
            String id,
            String ip,
            InstanceLabels labels,
            OptionalInt capacity,
            Optional<String> version,
            boolean clockDiffers) {
        List<String> comment = new ArrayList<>();
        version.ifPresent(text -> comment.addAll(List.of(VERSION, text)));
        if (!labels.isEmpty()) {
            comment.addAll(List.of(LABELS, labels.text()));
        }
        capacity.ifPresent(limit -> comment.addAll(List.of(CAPACITY, String.valueOf(limit))));
        if (clockDiffers) {
            comment.addAll(List.of(CLOCK, DIFFERS));
        }
        String json = StateJson.text(new StoredInstance(id, ip));
        return comment.isEmpty() ? json : json + " # " + String.join(" ", comment);
    }

    /** The version of this library that the instance runs, if its node says so. */
    public static Optional<String> version(String data) {
        return said(data, VERSION);
    }

    /** The labels of the instance; empty if its node doesn't show them now, because a tool has written a command into it. */
    public static Optional<InstanceLabels> labels(String data) {
        return Software.isCommand(data)
                ? Optional.empty()
                : Optional.of(said(data, LABELS).map(InstanceLabels::parse).orElse(InstanceLabels.NONE));
    }

    /** The capacity of the instance; empty if it has no limit, or its node doesn't show it now. */
    public static OptionalInt capacity(String data) {
        return said(data, CAPACITY)
                .filter(text -> text.matches("[1-9]\\d{0,9}"))
                .map(Long::parseLong)
                .filter(limit -> limit <= Integer.MAX_VALUE)
                .map(limit -> OptionalInt.of(limit.intValue()))
                .orElse(OptionalInt.empty());
    }

    /** Whether the instance shows that its clock differs from the registry's by more than the job allows. */
    public static boolean clockDiffers(String data) {
        return said(data, CLOCK).filter(DIFFERS::equals).isPresent();
    }

    private static Optional<String> said(String data, String word) {
        int comment = data.lastIndexOf(COMMENT);
        if (comment < 0 || !isInstance(data)) {
            return Optional.empty();
        }
        List<String> words =
                List.of(data.substring(comment + COMMENT.length()).strip().split(" +"));
        int at = words.indexOf(word);
        return at < 0 || at + 1 == words.size() ? Optional.empty() : Optional.of(words.get(at + 1));
    }

    /** Whether the node belongs to an instance of this library, of any version. */
    static boolean isInstance(String data) {
        return stored(data).map(StoredInstance::jobInstanceId).isPresent();
    }

    /** The address of an instance's server: from its node, else from its id, as for a 2.x instance. */
    public static String serverIp(String id, String data) {
        // Elastic-Job 2.x leaves the node empty, or writes a command into it.
        return stored(data)
                .map(StoredInstance::serverIp)
                .filter(NodeName::isUsable)
                .orElseGet(() -> id.split("@-@", 2)[0]);
    }

    private static Optional<StoredInstance> stored(String data) {
        int comment = data.lastIndexOf(COMMENT);
        String json = comment < 0 ? data : data.substring(0, comment + 1);
        return StateJson.read(json.getBytes(StandardCharsets.UTF_8), StoredInstance.class);
    }

    private record StoredInstance(
            @Nullable String jobInstanceId, @Nullable String serverIp) {}

    /** Replaces unpaired surrogates, for which Jackson's own bytes would fail. */
    private static byte[] bytes(Object form) {
        return StateJson.text(form).getBytes(StandardCharsets.UTF_8);
    }
}
