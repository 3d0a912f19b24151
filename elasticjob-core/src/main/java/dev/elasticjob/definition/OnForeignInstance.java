package dev.elasticjob.definition;

/**
 * What to do about an instance of other software in one of our jobs: of Elastic-Job 2.x or 3.x, which plan and run by
 * rules of their own. Beside one, items are lost and run twice, and nothing says so.
 */
public enum OnForeignInstance {
    /**
     * A job that is started while there is one is refused. Where one comes later, nothing is claimed until it is gone.
     */
    REFUSE,
    /** A WARN says that it is there; otherwise it is treated as one of ours, and nothing is promised. */
    WARN
}
