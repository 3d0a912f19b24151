package dev.elasticjob.execution;

/** Where an execution is between its claim and its end. */
enum Stage {
    /** For its first attempt, or for the next one. */
    WAITING,
    AT_WORK,
    OVER
}
