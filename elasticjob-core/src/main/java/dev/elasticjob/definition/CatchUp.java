package dev.elasticjob.definition;

/** What becomes of firings that nobody could start in time. Immutable. */
public enum CatchUp {
    /** As {@code misfire} says: {@link #FOLD} if it is true, {@link #SKIP} if it is false. */
    BY_MISFIRE,
    /** One execution, for the latest of them, makes up for all. */
    FOLD,
    /** Each of them runs, the oldest first, one after the other. */
    EACH,
    /** They are lost. */
    SKIP
}
