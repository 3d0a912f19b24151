package dev.elasticjob.registry;

/** What a watch looks at. */
public enum WatchScope {
    /** The node's creation, deletion and data; not its children, however many there are. */
    DATA,
    /** The node's creation, deletion and data, and the creation and deletion of its children. */
    NODE,
    /** The same for the node and everything below it. */
    SUBTREE
}
