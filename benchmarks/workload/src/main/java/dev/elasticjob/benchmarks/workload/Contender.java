package dev.elasticjob.benchmarks.workload;

/** Somebody who can run jobs. For one thread. */
public interface Contender {
    /** Connects, and makes the jobs known; starts nothing. */
    void prepare(WorkloadSettings settings, FiringLog log);

    /** Starts all jobs; returns when the contender calls them started. */
    void start();

    /** Asks for one run of the first job; returns when it is asked for. */
    default void request() {
        throw new UnsupportedOperationException("This contender runs nothing on request");
    }
}
