package dev.elasticjob.coordination.session;

/** The free capacity of this instance, over all its jobs. Thread-safe. */
public interface Capacity {
    /** The number of executions that could start at once. */
    int free();

    /** Calls back once, on any thread, when an execution could start at once: now, or when one has ended. */
    void whenFree(Runnable once);
}
