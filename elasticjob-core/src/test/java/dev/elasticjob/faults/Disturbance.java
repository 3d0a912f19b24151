package dev.elasticjob.faults;

import java.time.Instant;

/**
 * What was done to a process, and for how long: it was killed, paused, or cut off.
 *
 * @param until for ever, for one that was killed
 */
record Disturbance(String process, Kind kind, Instant from, Instant until) {
    enum Kind {
        KILLED,
        PAUSED,
        CUT_OFF
    }

    boolean touches(Instant start, Instant end) {
        return !from.isAfter(end) && !until.isBefore(start);
    }
}
