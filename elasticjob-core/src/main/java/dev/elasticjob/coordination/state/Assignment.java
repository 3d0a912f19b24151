package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schedule in force and the owner of each item: the data of a job's {@code /sharding}, whose version is the epoch.
 *
 * @param schedule the one in force; for a one-off job, the one that never fires
 * @param since firings up to this time are not owed, except under a former schedule
 * @param former earlier schedules under which a firing may still be owed, oldest first
 * @param floor the latest firing of an item that has been removed: a new item starts after it
 * @param monitored whether the executions of firings are recorded and locked; those of manual runs always are
 * @param pausedFrom the beginning of the present pause, if disabled servers are a part of it; null if there is none,
 *     even if no instance is left, and if only a pause of the job or the namespace keeps its items from running
 * @param plannedFrom a digest of the plan's input, or the instances of other software for which no instance owns items
 * @param owners the owner of each item; empty while no instance may own any
 * @param firings why firings are opened; null in jobs without cluster listeners and followers, whose firings are not
 */
public record Assignment(
        Schedule schedule,
        Instant since,
        List<FormerSchedule> former,
        @Nullable Instant floor,
        boolean monitored,
        @Nullable Instant pausedFrom,
        String plannedFrom,
        NavigableMap<Integer, String> owners,
        @Nullable FiringPlan firings) {
    private static final String HELD = "foreign:";
    private static final String BETWEEN = ",";
    private static final int NAMED = 5;
    /** A firing that is further ahead of the registry's clock comes from a wrong clock. */
    public static final Duration CLOCK_TOLERANCE = RegistryMoment.TOLERANCE;

    /**
     * The number of former schedules that are kept; if there are more changes while an item runs, the oldest is lost.
     */
    private static final int REMEMBERED = 16;

    /** An assignment of a job whose firings are not opened. */
    public Assignment(
            Schedule schedule,
            Instant since,
            List<FormerSchedule> former,
            @Nullable Instant floor,
            boolean monitored,
            @Nullable Instant pausedFrom,
            String plannedFrom,
            NavigableMap<Integer, String> owners) {
        this(schedule, since, former, floor, monitored, pausedFrom, plannedFrom, owners, null);
    }

    public Assignment {
        former = List.copyOf(former);
        owners = Collections.unmodifiableNavigableMap(new TreeMap<>(owners));
    }

    /** The number of items. */
    public int total() {
        return owners.size();
    }

    public NavigableSet<Integer> itemsOf(String instance) {
        return owners.entrySet().stream()
                .filter(owner -> owner.getValue().equals(instance))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ------------------------------------------------------------------ alongside instances of other software

    /** The {@code plannedFrom} of an assignment without owners because of these instances. */
    public static String heldBy(SortedSet<String> foreign) {
        return HELD + String.join(BETWEEN, foreign.stream().limit(NAMED).toList());
    }

    /** The instances of other software because of which no item has an owner; none in an ordinary assignment. */
    public List<String> heldBy() {
        return plannedFrom.startsWith(HELD)
                ? List.of(plannedFrom.substring(HELD.length()).split(BETWEEN))
                : List.of();
    }

    /** These instances, for people. */
    public String holders() {
        return heldBy().stream().collect(Collectors.joining("\", \"", "\"", "\""));
    }

    public boolean isHeld() {
        return !heldBy().isEmpty();
    }

    /** Returns a copy without owners, for as long as these instances exist. */
    public Assignment held(SortedSet<String> foreign) {
        return withOwners(new TreeMap<>(), heldBy(foreign));
    }

    /** Whether an instance may already have claimed a firing: its clock may be slightly ahead of the registry's. */
    public static boolean mayBeClaimed(Instant firing, Instant registryNow) {
        return !new RegistryMoment(registryNow).isAhead(firing);
    }

    /**
     * The latest firing owed by now, under this schedule or else a former one; empty if executions are not recorded,
     * because no record shows what has run.
     */
    public Optional<Instant> latestDue(Instant now) {
        if (!monitored) {
            return Optional.empty();
        }
        return schedule.latestNotAfter(now).filter(since::isBefore).or(() -> latestFormer(now));
    }

    private Optional<Instant> latestFormer(Instant now) {
        return former.stream()
                .flatMap(earlier -> earlier.latestNotAfter(now).stream())
                .max(Comparator.naturalOrder());
    }

    /**
     * The number of firings owed between two times, under this schedule and the former ones.
     *
     * @param seen the firing that the item has seen; null if it has seen none
     */
    public int countOwed(@Nullable Instant seen, Instant exclusiveEnd, int limit) {
        Instant start = seen != null && seen.isAfter(since) ? seen : since;
        long count = schedule.countBetween(start, exclusiveEnd, limit);
        for (FormerSchedule earlier : former) {
            count += earlier.countBetween(seen, exclusiveEnd, limit);
        }
        return (int) Math.min(count, limit);
    }

    /** Whether firings are opened: only where their executions are recorded. */
    public boolean opensFirings() {
        return firings != null && monitored;
    }

    /** Whether firings are opened, or were until the job stopped being monitored: some may be open, and some have ended. */
    public boolean knowsFirings() {
        return firings != null;
    }

    /** Whether an open firing is still owed by the items that have not ended it. Without records, none is. */
    public boolean owes(Instant firing) {
        return monitored && (firing.isAfter(since) || isOwedUnderFormer(firing));
    }

    private boolean isOwedUnderFormer(Instant firing) {
        return former.stream().anyMatch(earlier -> firing.isAfter(earlier.since()) && !firing.isAfter(earlier.until()));
    }

    public Optional<Instant> firstOwed(@Nullable Instant seen) {
        Instant start = seen != null && seen.isAfter(since) ? seen : since;
        return former.stream()
                .flatMap(earlier -> earlier.nextAfter(seen).stream())
                .findFirst()
                .or(() -> schedule.nextAfter(start));
    }

    // ------------------------------------------------------------------ changes

    public Assignment withOwners(NavigableMap<Integer, String> newOwners, String newPlannedFrom) {
        return new Assignment(
                schedule, since, former, floor, monitored, pausedFrom, newPlannedFrom, newOwners, firings);
    }

    /**
     * Returns a copy with another schedule. Firings that were due before the given time are owed under the present one.
     * Never goes back.
     *
     * @param pause the beginning of the pause that lasts: firings after it are not owed; empty if none does
     */
    public Assignment withSchedule(Schedule newSchedule, boolean newMonitored, Instant from, Optional<Instant> pause) {
        Instant next = later(since, from);
        Instant until = pause.filter(next::isAfter).orElse(next);
        // Without records, it is unknown which firings have run.
        List<FormerSchedule> owed = monitored && newMonitored ? formerUntil(until) : List.of();
        return new Assignment(newSchedule, next, owed, floor, newMonitored, pausedFrom, plannedFrom, owners, firings);
    }

    /** Returns a copy with the beginning of the pause that lasts and of which disabled servers are a part; or null. */
    public Assignment withPausedFrom(@Nullable Instant from) {
        return new Assignment(schedule, since, former, floor, monitored, from, plannedFrom, owners, firings);
    }

    /** A pause is over. Firings due in it are not owed; those before it still are. */
    public Assignment resumed(Instant from, Instant until) {
        List<FormerSchedule> owed = monitored ? formerUntil(from) : former;
        return new Assignment(
                schedule, later(since, until), owed, floor, monitored, pausedFrom, plannedFrom, owners, firings);
    }

    private List<FormerSchedule> formerUntil(Instant until) {
        if (!until.isAfter(since)) {
            return former;
        }
        List<FormerSchedule> owed = new ArrayList<>(former);
        owed.add(new FormerSchedule(schedule, since, until));
        return owed.subList(Math.max(0, owed.size() - REMEMBERED), owed.size());
    }

    /** Returns a copy without the former schedules under which no firing is owed any more. */
    public Assignment withFormer(List<FormerSchedule> stillOwed) {
        return new Assignment(schedule, since, stillOwed, floor, monitored, pausedFrom, plannedFrom, owners, firings);
    }

    /** Firings due until then are not owed, because other software may have run them. */
    public Assignment passedOver(Instant until) {
        return new Assignment(
                schedule, later(since, until), former, floor, monitored, pausedFrom, plannedFrom, owners, firings);
    }

    public Assignment withFloor(@Nullable Instant atLeast) {
        Instant raised = floor == null ? atLeast : atLeast == null ? floor : later(floor, atLeast);
        return new Assignment(schedule, since, former, raised, monitored, pausedFrom, plannedFrom, owners, firings);
    }

    /** The same without times that are ahead of the registry's clock: the present one counts instead. */
    public Assignment corrected(RegistryMoment present) {
        List<FormerSchedule> owed = former.stream()
                .map(earlier -> earlier.corrected(present))
                .filter(earlier -> earlier.since().isBefore(earlier.until()))
                .toList();
        return new Assignment(
                schedule,
                present.bounded(since),
                owed,
                floor == null ? null : present.bounded(floor),
                monitored,
                pausedFrom == null ? null : present.bounded(pausedFrom),
                plannedFrom,
                owners,
                firings == null ? null : corrected(firings, present));
    }

    /** Where there are listeners, firings are opened from a minute after the plan. */
    private static FiringPlan corrected(FiringPlan firings, RegistryMoment present) {
        NavigableMap<String, Instant> followers = new TreeMap<>(firings.followers());
        followers.replaceAll((name, from) -> present.bounded(from));
        boolean ahead = new RegistryMoment(present.now().plus(CLOCK_TOLERANCE)).isAhead(firings.from());
        Instant from =
                ahead ? present.now().plus(firings.listener() ? CLOCK_TOLERANCE : Duration.ZERO) : firings.from();
        return new FiringPlan(firings.listener(), from, followers);
    }

    /** The latest of its times. */
    public Instant latestTime() {
        Stream<Instant> ofFirings = firings == null
                ? Stream.empty()
                : Stream.concat(Stream.of(firings.from()), firings.followers().values().stream());
        return Stream.of(
                        Stream.of(since),
                        former.stream().map(FormerSchedule::until),
                        Stream.ofNullable(floor),
                        Stream.ofNullable(pausedFrom),
                        ofFirings)
                .flatMap(times -> times)
                .max(Comparator.naturalOrder())
                .orElse(since);
    }

    /** The same with the reason why firings are opened from now on; none if it is null. */
    public Assignment withFirings(@Nullable FiringPlan next) {
        return new Assignment(schedule, since, former, floor, monitored, pausedFrom, plannedFrom, owners, next);
    }

    public static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
