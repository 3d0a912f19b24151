package dev.elasticjob.definition;

/**
 * How to react to an instance of other software in a job, such as Elastic-Job 2.x or 3.x, which plans and runs items by
 * its own rules. Alongside such an instance, items are lost or run twice without notice.
 */
public enum OnForeignInstance {
    /**
     * Starting a job fails while there is such an instance. If one joins later, nothing is claimed until it is gone.
     */
    REFUSE,
    /**
     * The instance is logged at WARN level, and otherwise treated like an instance of this library. No guarantee holds.
     */
    WARN
}
