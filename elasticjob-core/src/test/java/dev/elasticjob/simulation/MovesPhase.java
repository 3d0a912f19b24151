package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/** Once all is well, an instance joins, and one crashes. By what the job's strategy promises, only what must move moves. */
final class MovesPhase {
    /** Until one that joins or is gone is planned with. */
    private static final Duration PLANNING = Duration.ofSeconds(4);

    private static final double ROUNDING = 1e-9;

    private final World world;
    private final Scenario scenario;
    private final List<Oracle> oracles;

    MovesPhase(World world, Scenario scenario) {
        this.world = world;
        this.scenario = scenario;
        this.oracles = world.oracles();
    }

    /** A job's items, and what its strategy knows of those that are there. */
    private record Division(
            Map<Integer, String> owners,
            Map<Long, String> sessions,
            Map<String, String> zones,
            Map<String, OptionalInt> capacities,
            JobDefinition definition) {
        String ownerOf(int item) {
            return owners.getOrDefault(item, "");
        }

        /** The id of the one with that session: in each job, it may be another one. */
        Optional<String> idOf(long session) {
            return Optional.ofNullable(sessions.get(session));
        }

        boolean isThere(String instance) {
            return zones.containsKey(instance);
        }

        long weight(List<Integer> items) {
            return items.stream().mapToLong(definition::weightOf).sum();
        }

        /** What an instance should have, by its capacity; empty if not all have one. */
        Optional<Double> ideal(String instance) {
            if (capacities.values().stream().anyMatch(OptionalInt::isEmpty)) {
                return Optional.empty();
            }
            long all = capacities.values().stream()
                    .mapToLong(OptionalInt::getAsInt)
                    .sum();
            OptionalInt own = capacities.getOrDefault(instance, OptionalInt.empty());
            return Optional.of((double) total() * own.orElse(0) / all);
        }

        private long total() {
            return weight(new ArrayList<>(owners.keySet()));
        }
    }

    void oneJoinsAndOneCrashes() {
        List<Division> before = divisions();
        SimulatedProcess joins = world.start("10.0.6.1@-@1", Duration.ZERO);
        world.pass(PLANNING);
        List<Division> between = divisions();
        judge(before, between, joins.connection().sessionId(), "joins");
        List<SimulatedProcess> owning = world.living().stream()
                .filter(process -> owns(process, between.get(0)))
                .toList();
        if (owning.isEmpty() || world.violation().isPresent()) {
            return;
        }
        SimulatedProcess crashes = owning.get(new Random(scenario.seed() * 53 + 1).nextInt(owning.size()));
        long session = crashes.connection().sessionId();
        world.crash(crashes);
        world.pass(World.SESSION_TIMEOUT.plus(PLANNING));
        judge(between, divisions(), session, "crashes");
    }

    private static boolean owns(SimulatedProcess process, Division division) {
        return division.idOf(process.connection().sessionId())
                .filter(division.owners()::containsValue)
                .isPresent();
    }

    private List<Division> divisions() {
        return oracles.stream().map(oracle -> division(oracle.tree())).toList();
    }

    private Division division(JobTree tree) {
        Replica now = world.quorum().tree();
        Map<Long, String> sessions = new TreeMap<>();
        Map<String, String> zones = new TreeMap<>();
        Map<String, OptionalInt> capacities = new TreeMap<>();
        for (String id : now.children(tree.instances()).orElse(List.of())) {
            RegistryNode node = now.node(tree.instance(id)).orElseThrow();
            String shown = node.text();
            sessions.put(node.ephemeralOwner(), id);
            zones.put(
                    id,
                    NodeCodec.labels(shown)
                            .flatMap(labels -> labels.value("zone"))
                            .orElse(""));
            capacities.put(id, NodeCodec.capacity(shown));
        }
        Map<Integer, String> owners = InForce.at(now, tree).map(InForce::owners).orElse(Map.of());
        return new Division(new TreeMap<>(owners), sessions, zones, capacities, InForce.definition(now, tree));
    }

    private void judge(List<Division> before, List<Division> after, long session, String how) {
        for (int job = 0; job < oracles.size(); job++) {
            Oracle oracle = oracles.get(job);
            Division was = before.get(job);
            Division is = after.get(job);
            String who = is.idOf(session).or(() -> was.idOf(session)).orElse("");
            Map<Integer, String> moved = new TreeMap<>(is.owners());
            moved.entrySet().removeIf(item -> was.ownerOf(item.getKey()).equals(item.getValue()));
            moved.entrySet().stream()
                    .filter(item -> !mustMove(was, is, item.getKey(), who))
                    .findFirst()
                    .ifPresent(item -> oracle.violated("moves bounded: %s: item %d moves when %s %s: %s became %s"
                            .formatted(scenario.strategy(), item.getKey(), who, how, was.owners(), is.owners())));
        }
    }

    private boolean mustMove(Division was, Division is, int item, String who) {
        String from = was.ownerOf(item);
        String to = is.ownerOf(item);
        boolean concerns = from.equals(who) || to.equals(who);
        return switch (scenario.strategy()) {
            case "STICKY" -> concerns;
            case "ZONE" -> from.equals(who) || (to.equals(who) && isFreeToGo(was, is, from, who));
            case "MEASURED" -> concerns || !was.owners().containsValue(to);
            case "WEIGHTED" -> from.equals(who) || (is.isThere(who) && hasItsShareAllTheSame(was, is, from));
            default -> throw new IllegalStateException("Nothing is known of the moves of " + scenario.strategy());
        };
    }

    /** What one gets that joins a zone comes from there, unless the zone is new. */
    private static boolean isFreeToGo(Division was, Division is, String from, String who) {
        return isFirstOfItsZone(was, is, who) || zone(is, from).equals(zone(is, who));
    }

    private static boolean isFirstOfItsZone(Division was, Division is, String who) {
        return is.isThere(who) && !was.zones().containsValue(zone(is, who));
    }

    private static String zone(Division division, String instance) {
        return division.zones().getOrDefault(instance, "");
    }

    /** What is left of what it had is as much as it should have, or more. */
    private static boolean hasItsShareAllTheSame(Division was, Division is, String from) {
        List<Integer> kept = is.owners().keySet().stream()
                .filter(item ->
                        is.ownerOf(item).equals(from) && was.ownerOf(item).equals(from))
                .toList();
        return is.ideal(from).map(ideal -> is.weight(kept) >= ideal - ROUNDING).orElse(true);
    }
}
