package dev.elasticjob.coordination.session;

/** The room for executions on this instance, over all its jobs. Safe for use by any thread. */
public interface Capacity {
    /** How many executions could begin at once. */
    int free();

    /** Calls back once, on any thread, when an execution could begin at once: now, or when one has ended. */
    void whenFree(Runnable once);
}
