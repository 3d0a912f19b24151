package dev.elasticjob.simulation;

import dev.elasticjob.coordination.session.Incarnation;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code docs/internals/protocol.md} promises when the registry loses its data: tokens that never fall, a loss that each
 * process tells once and in time, and nothing that starts while a loss holds it.
 */
final class DataLossOracle implements Quorum.Witness {
    private static final Pattern LOCK = Pattern.compile("/([^/]+)/sharding/([0-9]+)/running");
    /** Less than the margin. */
    private static final long ROOM = 1L << 32;

    /** Fewer than a process remembers. */
    private static final int SURELY_REMEMBERED = 6;

    private final Quorum quorum;
    private final Trace trace;
    private final OnDataLoss policy;
    private final Map<SimulatedProcess, Witnessed> witnessed = new LinkedHashMap<>();
    /** When the registry lost its data. */
    private final List<Integer> losses = new ArrayList<>();

    private final Map<String, List<Claim>> claims = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private String lastId = "";
    /** How often the data has become other, as far as its id shows. */
    private int changes;

    private Optional<String> violation = Optional.empty();
    /** Counts what happens. */
    private int moment;

    DataLossOracle(Quorum quorum, Trace trace, OnDataLoss policy) {
        this.quorum = quorum;
        this.trace = trace;
        this.policy = policy;
        quorum.addWitness(this);
    }

    /**
     * @param number of the transaction, which makes the token
     * @param covered up to where tokens have to be higher, if there were such
     */
    private record Claim(
            SimulatedProcess process, String item, int generation, int moment, long number, long covered) {}

    private record Begun(Claim claim, long token) {}

    /** What one process must know. */
    private static final class Witnessed {
        /** After how many losses it has begun an execution that it had claimed after them; negative if it never has. */
        private int generation = -1;

        /** The data in which it did so. */
        private String id = "";

        /** How often the data had become other by then, or by its start. */
        private int changes;

        private int tells;
        private int tellsBefore;
        private int toldAt = -1;
        private long highestToken;
        private long highestWhenTold;
        private final List<Footprint> sets = new ArrayList<>();
        private final List<Begun> begun = new ArrayList<>();
        /** Whether its first look at the present data must have shown that this is older. */
        private boolean sawOlder;

        private int lookedIn;

        Witnessed(int changes, int lookedIn) {
            this.changes = changes;
            this.lookedIn = lookedIn;
        }

        private record Footprint(String path, long number, int generation) {}

        boolean hasTold() {
            return tells > tellsBefore;
        }
    }

    Optional<String> violation() {
        return violation;
    }

    void violated(String promise) {
        trace.note("ORACLE", () -> promise);
        violation = violation.or(() -> Optional.of(promise));
    }

    // ------------------------------------------------------------------ what happens

    void starts(SimulatedProcess process) {
        witnessed.put(process, new Witnessed(changes, losses.size()));
    }

    void registryLosesItsData() {
        losses.add(++moment);
        idMayHaveChanged();
    }

    private void idMayHaveChanged() {
        String now = id();
        if (now.isEmpty() || now.equals(lastId)) {
            return;
        }
        lastId = now;
        changes++;
        ids.add(now);
        if (ids.size() > losses.size() + 1) {
            violated("told once: a loss is noted that wasn't, as " + present());
        }
    }

    int generation() {
        return losses.size();
    }

    void tells(SimulatedProcess process) {
        Witnessed one = of(process);
        one.tells++;
        one.toldAt = ++moment;
        one.highestWhenTold = one.highestToken;
        if (one.tells - one.tellsBefore > changes - one.changes) {
            violated("told once: " + process.name() + " tells a loss that wasn't, or one that it has told before");
        }
    }

    @Override
    public void changed(long session, List<Change> changes) {
        witnessed.keySet().stream()
                .filter(process -> quorum.isOf(process.connection(), session))
                .findAny()
                .ifPresent(process -> changed(process, changes));
    }

    /** What only deletes may be the end of its session, of which the process knows nothing: that is no look. */
    private void changed(SimulatedProcess process, List<Change> changes) {
        Witnessed one = of(process);
        moment++;
        boolean byItself = changes.stream().anyMatch(change -> change.kind() != Kind.DELETED);
        if (byItself && one.lookedIn < generation()) {
            one.lookedIn = generation();
            one.sawOlder = mustSeeThatItIsOlder(one);
        }
        if (changes.stream().anyMatch(change -> change.path().equals(JobTree.registry()))) {
            idMayHaveChanged();
        }
        for (Change change : changes) {
            Matcher lock = LOCK.matcher(change.path());
            if (change.kind() == Kind.CREATED && lock.matches()) {
                claims(
                        process,
                        lock.group(1) + "/" + lock.group(2),
                        change.after().orElseThrow());
            }
        }
        changes.stream()
                .filter(change -> change.kind() == Kind.SET)
                .reduce((earlier, later) -> later)
                .ifPresent(last -> one.sets.add(new Witnessed.Footprint(last.path(), quorum.logged(), generation())));
    }

    // ------------------------------------------------------------------ claims

    private void claims(SimulatedProcess process, String item, RegistryNode lock) {
        Witnessed one = of(process);
        Claim claim = new Claim(process, item, generation(), moment, lock.czxid(), covered(one));
        claims.computeIfAbsent(item, any -> new ArrayList<>()).add(claim);
        if (policy == OnDataLoss.HOLD
                && present().flatMap(Incarnation::unconfirmed).isPresent()) {
            violated("held: %s claims %s while nobody has confirmed the loss".formatted(process.name(), item));
        }
        if (one.generation < 0 || one.hasTold()) {
            return;
        }
        if (!one.id.equals(id())) {
            violated("told in time: %s claims %s in other data, and hasn't told it".formatted(process.name(), item));
        } else if (one.sawOlder && one.generation < generation()) {
            violated("told in time: %s claims %s in older data, and hasn't told it".formatted(process.name(), item));
        }
    }

    /** One that has told the loss has raised the base, with room for what others know. */
    private long covered(Witnessed claiming) {
        int lost = losses.isEmpty() ? 0 : losses.get(losses.size() - 1);
        return witnessed.values().stream()
                .filter(other -> other.toldAt > lost)
                .mapToLong(other -> other.highestWhenTold + ROOM)
                .reduce(claiming.highestToken, Math::max);
    }

    /** It looks at this data for the first time. */
    private boolean mustSeeThatItIsOlder(Witnessed one) {
        if (one.generation < 0 || !one.id.equals(id())) {
            return false;
        }
        boolean behind = one.begun.stream()
                .filter(begun -> begun.claim().generation() == one.generation)
                .anyMatch(begun -> begun.claim().number() > quorum.logged());
        return behind || hasLeftWhatIsOlder(one);
    }

    private boolean hasLeftWhatIsOlder(Witnessed one) {
        if (one.begun.isEmpty()) {
            return false;
        }
        Claim last = one.begun.get(one.begun.size() - 1).claim();
        return last.generation() == one.generation
                && one.sets.stream()
                        .skip(Math.max(0, one.sets.size() - SURELY_REMEMBERED))
                        .filter(set -> set.generation() == last.generation() && set.number() == last.number())
                        .flatMap(set -> quorum.tree().node(set.path()).stream())
                        .anyMatch(node -> node.czxid() <= last.number() && node.mzxid() < last.number());
    }

    // ------------------------------------------------------------------ executions

    void begins(SimulatedProcess process, ShardingContext context) {
        String item = context.getJobName() + "/" + context.getShardingItem();
        long token = context.getFencingToken();
        List<Claim> own = claims.getOrDefault(item, List.of()).stream()
                .filter(claim -> claim.process() == process && claim.number() <= token)
                .toList();
        if (own.isEmpty()) {
            violated("it is claimed before it begins: " + item + " on " + process.name());
            return;
        }
        Claim claim = own.get(own.size() - 1);
        judgeToken(claim, token);
        Witnessed one = of(process);
        one.highestToken = Math.max(one.highestToken, token);
        one.begun.add(new Begun(claim, token));
        if (claim.generation() == generation() && (one.generation < 0 || one.hasTold() || one.id.equals(id()))) {
            one.generation = generation();
            one.id = id();
            one.changes = changes;
            one.tellsBefore = one.tells;
        }
    }

    /** The higher ones count that living processes have seen, who know the present data. */
    private void judgeToken(Claim claim, long token) {
        for (Map.Entry<SimulatedProcess, Witnessed> other : witnessed.entrySet()) {
            for (Begun earlier : other.getValue().begun) {
                if (earlier.claim().item().equals(claim.item())
                        && earlier.claim().moment() < claim.moment()
                        && earlier.token() >= token
                        && isKnown(earlier, claim)) {
                    violated("tokens never fall: %s on %s begins with %d, after %d on %s"
                            .formatted(
                                    claim.item(),
                                    claim.process().name(),
                                    token,
                                    earlier.token(),
                                    other.getKey().name()));
                }
            }
        }
    }

    /** Whether a process lives that has seen the higher token, and the data knows it. */
    private boolean isKnown(Begun earlier, Claim claim) {
        return earlier.claim().generation() == claim.generation()
                || (earlier.token() <= claim.covered() && isSeenByTheLiving(earlier));
    }

    private boolean isSeenByTheLiving(Begun earlier) {
        return witnessed.entrySet().stream()
                .filter(other -> other.getKey().isAlive())
                .flatMap(other -> other.getValue().begun.stream())
                .anyMatch(begun ->
                        begun.claim().generation() <= earlier.claim().generation() && begun.token() >= earlier.token());
    }

    // ------------------------------------------------------------------ the end

    /** All is well again: each that knew other data has told it, and all know of the same loss. */
    void settled() {
        witnessed.forEach((process, one) -> {
            if (!process.isAlive()) {
                return;
            }
            if (one.generation >= 0 && !one.hasTold() && !one.id.equals(id())) {
                violated("told in time: " + process.name() + " has never told the loss");
            }
            Optional<String> known = process.engine().figures().dataLoss();
            Optional<String> there = present().flatMap(Incarnation::unconfirmed).map(loss -> loss.fact());
            if (!known.equals(there)) {
                violated("all know: %s has %s, but there is %s".formatted(process.name(), known, there));
            }
        });
    }

    Optional<Incarnation> present() {
        return quorum.tree().node(JobTree.registry()).flatMap(Incarnation::read);
    }

    private String id() {
        return present().map(Incarnation::id).orElse("");
    }

    private Witnessed of(SimulatedProcess process) {
        Witnessed one = witnessed.get(process);
        if (one == null) {
            throw new IllegalStateException("Expected a process that was started, but it was " + process.name());
        }
        return one;
    }
}
