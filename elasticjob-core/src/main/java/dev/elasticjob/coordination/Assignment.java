package dev.elasticjob.coordination;

import dev.elasticjob.definition.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The schedule in force and who owns which item: the data of a job's {@code /sharding}, whose version is the epoch.
 *
 * @param cron empty where the job is a one-off one
 * @param since firings up to this moment are nobody's business
 * @param floor the latest firing of an item that has been retired: a new item starts behind it
 * @param monitored whether executions are recorded and locked
 * @param pausedFrom since when operators have taken all instances out of service; null while they haven't, also when nobody
 *     is left for another reason
 * @param plannedFrom a digest of what the plan was made from, or whose presence keeps everybody from owning items
 * @param owners the owner of each item; no items at all while nobody may own any
 */
public record Assignment(
        String cron,
        ZoneId timeZone,
        Instant since,
        @Nullable Instant floor,
        boolean monitored,
        @Nullable Instant pausedFrom,
        String plannedFrom,
        NavigableMap<Integer, String> owners) {
    private static final String HELD = "foreign:";
    private static final String BETWEEN = ",";
    private static final int NAMED = 5;

    public Assignment {
        owners = Collections.unmodifiableNavigableMap(new TreeMap<>(owners));
    }

    public Schedule schedule() {
        return Schedule.of(cron, timeZone);
    }

    /** Into how many items the job is cut. */
    public int total() {
        return owners.size();
    }

    public NavigableSet<Integer> itemsOf(String instance) {
        NavigableSet<Integer> items = new TreeSet<>();
        for (Map.Entry<Integer, String> entry : owners.entrySet()) {
            if (entry.getValue().equals(instance)) {
                items.add(entry.getKey());
            }
        }
        return items;
    }

    // ------------------------------------------------------------------ beside instances of other software

    /** What such an assignment is planned from. */
    static String heldBy(SortedSet<String> foreign) {
        return HELD + String.join(BETWEEN, foreign.stream().limit(NAMED).toList());
    }

    /** The instances of other software for whose presence nobody owns anything; none in an ordinary assignment. */
    List<String> heldBy() {
        return plannedFrom.startsWith(HELD)
                ? List.of(plannedFrom.substring(HELD.length()).split(BETWEEN))
                : List.of();
    }

    boolean isHeld() {
        return !heldBy().isEmpty();
    }

    /** The same while they are there: nobody owns anything. */
    Assignment held(SortedSet<String> foreign) {
        return withOwners(new TreeMap<>(), heldBy(foreign));
    }

    // ------------------------------------------------------------------ changes

    Assignment withOwners(NavigableMap<Integer, String> newOwners, String newPlannedFrom) {
        return new Assignment(cron, timeZone, since, floor, monitored, pausedFrom, newPlannedFrom, newOwners);
    }

    /** The same with another schedule; what was due before the moment is not owed under it. Never goes back. */
    Assignment withSchedule(String newCron, ZoneId newZone, boolean newMonitored, Instant from) {
        return new Assignment(
                newCron, newZone, later(since, from), floor, newMonitored, pausedFrom, plannedFrom, owners);
    }

    /** Operators have taken everybody out of service. */
    Assignment paused(Instant from) {
        return new Assignment(cron, timeZone, since, floor, monitored, from, plannedFrom, owners);
    }

    /** What was due until the pause was over is not owed. */
    Assignment resumed(Instant from) {
        return new Assignment(cron, timeZone, later(since, from), floor, monitored, null, plannedFrom, owners);
    }

    /** What was due by then may have been run by somebody else, and is not owed. */
    Assignment passedOver(Instant until) {
        return new Assignment(cron, timeZone, later(since, until), floor, monitored, pausedFrom, plannedFrom, owners);
    }

    Assignment withFloor(@Nullable Instant atLeast) {
        Instant raised = floor == null ? atLeast : atLeast == null ? floor : later(floor, atLeast);
        return new Assignment(cron, timeZone, since, raised, monitored, pausedFrom, plannedFrom, owners);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
