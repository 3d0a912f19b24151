package dev.elasticjob.coordination;

import dev.elasticjob.definition.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
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
 * @param plannedFrom a digest of what the plan was made from
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

    Assignment withFloor(@Nullable Instant atLeast) {
        Instant raised = floor == null ? atLeast : atLeast == null ? floor : later(floor, atLeast);
        return new Assignment(cron, timeZone, since, raised, monitored, pausedFrom, plannedFrom, owners);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
