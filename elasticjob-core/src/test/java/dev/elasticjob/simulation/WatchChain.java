package dev.elasticjob.simulation;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is reported as stuck or overdue is so, and is reported once, whoever does it; and what is stuck while nothing goes
 * wrong is reported.
 */
final class WatchChain extends Chain {
    /** From a transaction to the event that follows its answer. */
    private static final Duration TELLING = Duration.ofSeconds(3);

    /** What an owner may need until it has said so, and the leader until it has noticed that it does not. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(6);

    /** After a death: until the session is over, nobody leads, and the lock of what has died is still there. */
    private static final Duration UNLED = World.SESSION_TIMEOUT.plusSeconds(3);

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Clock clock;
    private final Map<String, Lock> locks = new HashMap<>();
    private final Map<Integer, NavigableMap<Instant, Instant>> handled = new HashMap<>();
    private final Set<String> stored = new HashSet<>();
    private final List<Owed> owed = new ArrayList<>();
    private Instant calmSince = Instant.MAX;

    /** One execution's. */
    private static final class Lock {
        private final Instant created;
        private @Nullable Instant ended;
        /** Whether its instance or the leader has said something of it. */
        private boolean answered;

        Lock(Instant created) {
            this.created = created;
        }
    }

    /** An event that follows what was stored. */
    private static final class Owed {
        private final String what;
        private final String by;
        private final long session;
        private final Instant since;
        private boolean told;

        Owed(String what, String by, long session, Instant since) {
            this.what = what;
            this.by = by;
            this.session = session;
            this.since = since;
        }
    }

    WatchChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
    }

    /** From now on nothing goes wrong. What has crashed before may have led. */
    void isCalm() {
        calmSince = clock.instant().plus(UNLED);
    }

    /** What it executed isn't executing any more, and what it watched is watched by its successor. */
    void died() {
        calmSince = calmSince == Instant.MAX ? Instant.MAX : clock.instant().plus(UNLED);
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.path().startsWith(tree.sharding() + "/") && change.path().endsWith("/running")) {
                locked(change);
            }
            change.item(tree).ifPresent(item -> recorded(item, change));
            if (change.path().equals(tree.watchdog()) && change.after().isPresent()) {
                said(session, change.before(), change.after().get());
            }
        }
    }

    private void locked(Change change) {
        if (change.kind() == Kind.CREATED) {
            RegistryNode node = change.after().orElseThrow();
            locks.put(change.path() + node.czxid(), new Lock(node.created()));
        } else if (change.kind() == Kind.DELETED) {
            Lock lock = locks.get(change.path() + change.before().orElseThrow().czxid());
            if (lock != null) {
                lock.ended = clock.instant();
                isStuckUnnoticed(change.path(), lock);
            }
        }
    }

    private void isStuckUnnoticed(String path, Lock lock) {
        Instant from = lock.created.isAfter(calmSince) ? lock.created : calmSince;
        Instant until = lock.ended == null ? clock.instant() : lock.ended;
        boolean tooLong = calmSince != Instant.MAX
                && until.isAfter(from.plus(Scenario.STUCK_AFTER).plus(ALLOWANCE));
        if (tooLong && !lock.answered && isWatched()) {
            oracle.violated("watchdog, all: nobody reports that %s is stuck since %s".formatted(path, lock.created));
        }
    }

    private boolean isWatched() {
        return InForce.isDefined(quorum.tree(), tree)
                && !definition().watchdog().stuckAfter().isZero();
    }

    private void recorded(int item, Change change) {
        NavigableMap<Instant, Instant> seen = handled.computeIfAbsent(item, any -> new TreeMap<>());
        Instant firing =
                change.after().map(Recorded::of).map(Recorded::scheduledAt).orElse(null);
        if (firing == null) {
            seen.clear();
        } else {
            seen.tailMap(firing, false).clear();
            seen.putIfAbsent(firing, clock.instant());
        }
    }

    // ------------------------------------------------------------------ what is stored

    private void said(long session, Optional<RegistryNode> before, RegistryNode after) {
        JsonNode now = MAPPER.readTree(after.data());
        JsonNode then = before.map(node -> MAPPER.readTree(node.data())).orElseGet(MAPPER::createObjectNode);
        now.path("items").properties().forEach(entry -> {
            JsonNode answer = entry.getValue();
            JsonNode known = then.path("items").path(entry.getKey());
            String path = tree.running(Integer.parseInt(entry.getKey()));
            Lock lock = locks.get(path + answer.path("token").asLong(0));
            if (lock != null) {
                lock.answered = true;
            }
            if (!answer.path("waits").asBoolean(false) && !answer.equals(known)) {
                isStuck(session, entry.getKey(), answer, lock);
            }
        });
        JsonNode late = now.path("overdue");
        if (!late.isMissingNode() && !late.equals(then.path("overdue"))) {
            isOverdue(session, late);
        }
    }

    private void isStuck(long session, String item, JsonNode answer, @Nullable Lock lock) {
        String what = "item " + item;
        once(what + " under token " + answer.path("token").asLong(0));
        owes(session, what, answer);
        Instant limit = lock == null ? Instant.MAX : lock.created.plus(Scenario.STUCK_AFTER);
        boolean hadEnded = lock != null && lock.ended != null && lock.ended.isBefore(limit);
        if (clock.instant().isBefore(limit) || hadEnded) {
            oracle.violated("watchdog, the truth: %s is reported as stuck, but has not executed for so long: %s"
                    .formatted(what, answer));
        }
    }

    private void isOverdue(long session, JsonNode late) {
        Instant firing = Instant.parse(late.path("firing").asString(""));
        once("firing " + firing);
        owes(session, "firing " + firing, late);
        RegistryNode sharding = node(tree.sharding()).orElseThrow();
        InForce plan = InForce.of(Optional.of(sharding)).orElseThrow();
        Instant limit = (firing.isAfter(plan.since()) ? firing : plan.since()).plus(Scenario.EXPECT_WITHIN);
        boolean delayed = plan.schedule().delay().isPresent();
        if (delayed && !oracle.delays().isDue(firing)) {
            oracle.violated(
                    "watchdog, the truth: %s is reported as overdue, but no firing is due then".formatted(firing));
        }
        boolean begun = handled.keySet().stream()
                .filter(item -> isExpected(item, plan))
                .anyMatch(item ->
                        delayed ? oracle.delays().hasBegun(item, firing, limit) : hasHandled(item, firing, limit));
        if (begun || clock.instant().isBefore(limit)) {
            oracle.violated("watchdog, the truth: firing %s is reported as overdue, but %s"
                    .formatted(firing, begun ? "an item has begun it" : "there is time until " + limit));
        }
        if (sharding.text().contains("pausedFrom") || oracle.holds().wasInPause(firing) || isPausedSince(limit)) {
            oracle.violated("watchdog, the truth: firing %s is reported as overdue in a pause".formatted(firing));
        }
    }

    private boolean hasHandled(int item, Instant firing, Instant limit) {
        return handled.get(item).tailMap(firing, true).values().stream().anyMatch(time -> !time.isAfter(limit));
    }

    /** A pause that began before the firing was overdue: that nothing has begun since then is as it should be. */
    private boolean isPausedSince(Instant limit) {
        return Stream.of(tree.paused(), JobTree.namespacePaused())
                .flatMap(path -> node(path).stream())
                .anyMatch(node -> node.text().contains("\"paused\":true")
                        && !node.modified().isAfter(limit));
    }

    private boolean isExpected(int item, InForce plan) {
        return node(tree.item(item)).isPresent()
                && node(tree.disabled(item)).isEmpty()
                && (plan.owners().isEmpty() || plan.owners().containsKey(item));
    }

    private void once(String what) {
        if (!stored.add(what)) {
            oracle.violated("watchdog, once: %s is reported again".formatted(what));
        }
    }

    private void owes(long session, String what, JsonNode answer) {
        owed.add(new Owed(what, answer.path("by").asString(""), session, clock.instant()));
    }

    // ------------------------------------------------------------------ what is told

    void told(SimulatedProcess process, JobEvent event) {
        if (event instanceof JobEvent.ItemStuck stuck && !isUnrecorded(process, stuck)) {
            told("item " + stuck.item(), stuck.reportedBy());
        } else if (event instanceof JobEvent.FiringOverdue late) {
            told("firing " + late.scheduledAt(), late.reportedBy());
        }
    }

    /** Only its process knows of it. */
    private boolean isUnrecorded(SimulatedProcess process, JobEvent.ItemStuck stuck) {
        return oracle.active().stream()
                .anyMatch(execution ->
                        execution.process() == process && execution.item() == stuck.item() && execution.token() == 0);
    }

    private void told(String what, String by) {
        // A process that has died with an earlier one may have had the same id.
        Optional<Owed> newest = owed.stream()
                .filter(one -> !one.told && one.what.equals(what) && one.by.equals(by))
                .reduce((before, last) -> last);
        newest.ifPresent(one -> one.told = true);
        if (newest.isEmpty()) {
            oracle.violated("watchdog, once: %s is told by %s, which has not stored it, or again".formatted(what, by));
        }
    }

    /** What was stored by those who live on was told. */
    void everythingWasTold() {
        Instant latest = clock.instant().minus(TELLING);
        owed.stream()
                .filter(one -> !one.told && one.since.isBefore(latest) && quorum.lives(one.session))
                .findFirst()
                .ifPresent(one -> oracle.violated(
                        "watchdog, all: %s has stored that %s is late, and never told it".formatted(one.by, one.what)));
    }
}
