package dev.elasticjob.simulation;

/** What can go wrong in a run, and what operators may do in it. */
enum Fault {
    CRASH,
    CRASH_AT_REQUEST,
    LOST_ANSWER,
    CUT,
    STALL,
    SLOW,
    EXPIRY,
    SERVER_CUT_OFF,
    SERVER_RESTART,
    PAUSE,
    LEAVE_AND_RETURN,
    EVERYBODY_LEAVES,
    COLLIDING_ID,
    SERVER_SWITCH,
    ITEM_SWITCH,
    BELL,
    INSTANCE_REMOVED,
    TRIGGER,
    COUNT,
    COUNT_DOWN_AND_UP,
    FAILOVER_ITEM,
    FAILOVER_SWITCH,
    MISFIRE_SWITCH,
    CRON_SWITCH,
    MONITORED_SWITCH,
    WRONG_CLOCK,
    JOB_REGISTERED_ANEW,
    SILENCED_AFTER_A_CLAIM,
    CANCEL,
    AGAIN,
    PAUSE_SWITCH,
    NAMESPACE_SWITCH,
    DRAIN_SWITCH,
    BACKFILL,
    REGISTRY_CLOCK,
    RUN_ON_SWITCH,
    WEIGHT_SWITCH,
    ENGINE_RESTART,
    MAD_CONTROLLER;

    /** Whether a seed draws lots for it. Later ones go by the seed itself, so that older seeds stay what they are. */
    boolean isDrawn() {
        return this != CANCEL
                && this != AGAIN
                && this != BACKFILL
                && this != REGISTRY_CLOCK
                && this != RUN_ON_SWITCH
                && this != WEIGHT_SWITCH
                && this != ENGINE_RESTART
                && this != MAD_CONTROLLER
                && !isHoldingBack();
    }

    /** Chosen by lots of their own. */
    boolean isHoldingBack() {
        return this == PAUSE_SWITCH || this == NAMESPACE_SWITCH || this == DRAIN_SWITCH;
    }
}
