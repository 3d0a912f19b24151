package dev.elasticjob.coordination.session;

import dev.elasticjob.job.event.RegistryLoss;
import java.util.Optional;
import java.util.function.Function;

/** Decides whether the registry has the data that this process knows, and what to note of it. Pure. */
final class ContinuityPlanner {
    /**
     * What is added when the base is raised: more than the transactions that other processes may have seen since this one has
     * sent its last. Each connection begins with a transaction, so that is less than an ensemble does without a new leader.
     */
    static final long MARGIN = 1L << 33;

    private ContinuityPlanner() {}

    /**
     * @param next the data as it is, or as it is to be noted
     * @param writes whether that has to be written
     * @param loss what has happened since this process has looked last
     */
    record Verdict(Incarnation next, boolean writes, Optional<RegistryLoss> loss) {}

    /**
     * @param noting makes the note of a loss
     * @param fresh the data of a registry that has none
     */
    static Verdict decide(
            KnownData known, DataObservation seen, Function<RegistryLoss, DataLoss> noting, Incarnation fresh) {
        Optional<Incarnation> there = seen.incarnation();
        if (known.incarnation().isEmpty()) {
            return there.map(found -> new Verdict(found, false, Optional.empty()))
                    .orElseGet(() -> new Verdict(fresh, true, Optional.empty()));
        }
        Incarnation before = known.incarnation().get();
        if (there.isEmpty()) {
            return seen.node().isPresent()
                    ? new Verdict(raised(before, known, seen), true, Optional.empty())
                    : noted(fresh, RegistryLoss.EMPTIED, known, seen, noting);
        }
        Incarnation found = there.get();
        if (!found.id().equals(before.id()) && found.follows(before.id())) {
            return followed(found, known, seen);
        }
        if (!found.id().equals(before.id()) && !known.hasLeft(found.id())) {
            return noted(found, RegistryLoss.REPLACED, known, seen, noting);
        }
        boolean wentBack = !found.id().equals(before.id())
                || seen.older()
                || seen.now() < known.zxid()
                || found.base() < before.base();
        return wentBack
                ? noted(
                        new Incarnation(fresh.id(), found.base(), found.loss()),
                        RegistryLoss.WENT_BACK,
                        known,
                        seen,
                        noting)
                : new Verdict(found, false, Optional.empty());
    }

    /** Others have noticed it before. */
    private static Verdict followed(Incarnation found, KnownData known, DataObservation seen) {
        Incarnation next = raised(found, known, seen);
        return new Verdict(next, !next.equals(found), found.loss().map(DataLoss::kind));
    }

    /**
     * A loss that nobody has confirmed yet stays noted. The base has the margin even where numbers are above those that this
     * process knows: others know higher ones.
     */
    private static Verdict noted(
            Incarnation found,
            RegistryLoss kind,
            KnownData known,
            DataObservation seen,
            Function<RegistryLoss, DataLoss> noting) {
        Incarnation next = raised(found, known, seen);
        boolean keeps = kind == RegistryLoss.REPLACED && found.unconfirmed().isPresent();
        Incarnation noted = keeps
                ? next
                : next.withBase(Math.max(next.base(), margin(known, seen))).with(noting.apply(kind));
        return new Verdict(noted, !noted.equals(found), Optional.of(kind));
    }

    /** New tokens are higher than all that this process knows of. */
    private static Incarnation raised(Incarnation found, KnownData known, DataObservation seen) {
        return found.base() > known.token() - seen.now() ? found : found.withBase(Math.max(0, margin(known, seen)));
    }

    private static long margin(KnownData known, DataObservation seen) {
        return known.token() - seen.now() + MARGIN;
    }
}
