package dev.elasticjob.simulation;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.simulation.Replica.Change;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps account of firings that did not run: each claim closes a gap, and what lies in it must have been told, as
 * folded or as lost, once. Who has died, or was cut off from the answer, could not tell: what is owed by a session that
 * is over may be missing, but never comes twice. So may what is owed by a transaction whose answer was lost, when its
 * record says something else by the time at which it is looked at.
 *
 * <p>A job that is not monitored has firings in memory alone: an instance that gives one up says so once, whether or not
 * another has run it.
 */
final class LossReporter implements Quorum.Witness {
    /** From a transaction to the event that follows its answer. */
    private static final Duration TELLING = Duration.ofSeconds(3);

    /** Of clocks, at most. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final Oracle oracle;
    private final Quorum quorum;
    private final Clock clock;
    private final Map<String, Account> accounts = new LinkedHashMap<>();
    /** Interrupted executions that manual runs have passed over: told under the moment of the claim. */
    private final Map<Integer, Account> passedOver = new HashMap<>();
    /** What was given up in memory, and by whom. */
    private final Set<String> givenUpInMemory = new HashSet<>();

    private boolean unmonitored;

    LossReporter(Oracle oracle, Quorum quorum, Clock clock) {
        this.oracle = oracle;
        this.quorum = quorum;
        this.clock = clock;
    }

    /** What is owed and told of one kind for one firing of an item; what a dead session owes is pardoned. */
    private static final class Account {
        private final Map<Long, Long> owedBy = new LinkedHashMap<>();
        private final int item;
        private Instant since = Instant.MIN;
        private long told;
        private boolean overwritten;

        Account(int item) {
            this.item = item;
        }

        long owed() {
            return owedBy.values().stream().mapToLong(Long::longValue).sum();
        }

        long owedByTheLiving(Quorum quorum) {
            return owedBy.entrySet().stream()
                    .filter(debt -> quorum.lives(debt.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /** A claim, or a refusal, from one firing to another. */
    void closesGap(long session, int item, Recorded before, Recorded after, InForce plan, JobDefinition job) {
        boolean folds = job.misfire() && job.catchUp() != CatchUp.EACH;
        Instant claimed = Instant.parse(
                Objects.requireNonNullElse(after.startedAt(), clock.instant().toString()));
        long skipped = job.overlap() == Overlap.SKIP ? before.countSkipped(plan, after.scheduledAt(), claimed) : 0;
        long between = plan.countOwed(before.scheduledAt(), after.scheduledAt()) - skipped;
        long interrupted = before.is("INTERRUPTED") ? 1 : 0;
        owe(session, account("folded", item, after.scheduledAt()), folds ? between : 0);
        owe(session, account("lost", item, after.scheduledAt()), interrupted + (folds ? 0 : between));
        owe(session, account("skipped", item, after.scheduledAt()), skipped);
    }

    /** An item lets a firing pass that it has lost, or skips because it was executing. */
    void passes(long session, int item, Recorded before, Recorded after, InForce plan, JobDefinition job) {
        Instant firing = after.scheduledAt();
        boolean skips = after.hasSkippedBusy(firing);
        long all = plan.countOwed(before.scheduledAt(), firing);
        long busy = job.overlap() == Overlap.SKIP
                ? before.countSkipped(plan, firing, clock.instant().plus(SKEW))
                : 0;
        long skipped = job.misfire() && job.catchUp() != CatchUp.EACH ? all : busy;
        owe(session, account("lost", item, firing), all - skipped + (skips ? 0 : 1));
        owe(session, account("skipped", item, firing), skipped + (skips ? 1 : 0));
    }

    /** An interrupted execution that nobody repeats. */
    void givenUp(long session, int item, Recorded execution) {
        Instant firing = execution.scheduledAt();
        owe(session, account("lost", item, firing == null ? Instant.EPOCH : firing), 1);
    }

    /** A manual run of an item that owes an execution which nobody will repeat. */
    void passesOver(long session, int item, Recorded before) {
        if (before.is("INTERRUPTED")) {
            owe(session, passedOver.computeIfAbsent(item, Account::new), 1);
        }
    }

    /** The record is changed again: who has not told by now, and is somebody else, may have lost the answer for good. */
    void overwrites(long session, int item) {
        Stream.concat(accounts.values().stream(), passedOver.values().stream())
                .filter(account -> account.item == item && account.told < account.owed())
                .filter(account -> !account.owedBy.containsKey(session))
                .forEach(account -> account.overwritten = true);
    }

    private void owe(long session, Account account, long count) {
        account.owedBy.merge(session, count, Long::sum);
        account.since = clock.instant();
    }

    // ------------------------------------------------------------------ telling

    @Override
    public void changed(long session, List<Change> changes) {
        unmonitored |= changes.stream()
                .filter(change -> change.path().equals(oracle.tree().sharding()))
                .anyMatch(change -> InForce.of(change.after())
                        .filter(plan -> !plan.monitored())
                        .isPresent());
    }

    void told(SimulatedProcess process, JobEvent event) {
        if (event instanceof JobEvent.FiringsFolded folded) {
            tell("folded", folded.item(), folded.into(), folded.count());
        } else if (event instanceof JobEvent.FiringsSkipped skipped && !isSkippedInMemory(process, skipped)) {
            tell("skipped", skipped.item(), skipped.before(), skipped.count());
        } else if (event instanceof JobEvent.FiringsLost lost && !isGivenUpInMemory(process, lost)) {
            tell("lost", lost.item(), lost.before(), lost.count());
        }
    }

    /** One firing that no record owes, of a job that is not monitored, or was not. */
    private boolean isGivenUpInMemory(SimulatedProcess process, JobEvent.FiringsLost lost) {
        boolean recorded = Stream.of(accounts.get(key("lost", lost.item(), lost.before())), passedOver.get(lost.item()))
                .anyMatch(account -> account != null && account.told < account.owed());
        return unmonitored
                && !recorded
                && lost.count() == 1
                && givenUpInMemory.add("%s %s %d".formatted(process.name(), lost.before(), lost.item()));
    }

    /** The same of one that met its execution here. */
    private boolean isSkippedInMemory(SimulatedProcess process, JobEvent.FiringsSkipped skipped) {
        Account account = accounts.get(key("skipped", skipped.item(), skipped.before()));
        return unmonitored
                && (account == null || account.told >= account.owed())
                && skipped.count() == 1
                && givenUpInMemory.add("%s %s %d skipped".formatted(process.name(), skipped.before(), skipped.item()));
    }

    private void tell(String kind, int item, Instant firing, long count) {
        String key = key(kind, item, firing);
        Account account = accounts.get(key);
        if (account == null) {
            tellPassedOver(kind, item, firing, count);
            return;
        }
        account.told += count;
        if (account.told > account.owed()) {
            oracle.violated(
                    "P3, losses are told once: %s: %d told, %d there are".formatted(key, account.told, account.owed()));
        }
    }

    private void tellPassedOver(String kind, int item, Instant moment, long count) {
        Account account = passedOver.computeIfAbsent(item, Account::new);
        account.told += count;
        if (!kind.equals("lost") || account.told > account.owed()) {
            oracle.violated("P3, losses are told once: %s: there are none".formatted(key(kind, item, moment)));
        }
    }

    /** A loss that somebody who is still there has not told by now. */
    Optional<String> untold(Instant now) {
        Instant latest = now.minus(TELLING);
        Optional<String> claimed = accounts.entrySet().stream()
                .filter(account -> isUntold(account.getValue(), latest))
                .map(account -> account.getKey())
                .findFirst();
        return claimed.or(() -> passedOver.entrySet().stream()
                        .filter(account -> isUntold(account.getValue(), latest))
                        .map(account -> "lost before a manual run of item " + account.getKey())
                        .findFirst())
                .map(what -> "P3, losses are told once: nobody has told: " + what);
    }

    private boolean isUntold(Account account, Instant latest) {
        return !account.overwritten && account.since.isBefore(latest) && account.told < account.owedByTheLiving(quorum);
    }

    private Account account(String kind, int item, Instant firing) {
        return accounts.computeIfAbsent(key(kind, item, firing), any -> new Account(item));
    }

    private static String key(String kind, int item, Instant firing) {
        return kind + " before " + firing + " of item " + item;
    }
}
