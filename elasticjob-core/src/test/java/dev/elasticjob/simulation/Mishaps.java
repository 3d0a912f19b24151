package dev.elasticjob.simulation;

import dev.elasticjob.simulation.Connection.Exchange;

/** Decides on each request that is served; a crash and a standstill are its own doing. */
interface Mishaps {
    Mishap next(Exchange<?> exchange);

    default void crash() {}

    default void standStill() {}

    /** What can happen to a request on its way. */
    enum Mishap {
        NONE,
        CRASH_BEFORE,
        CRASH_AFTER,
        STANDSTILL_AFTER,
        LOSE_REQUEST,
        LOSE_ANSWER
    }
}
