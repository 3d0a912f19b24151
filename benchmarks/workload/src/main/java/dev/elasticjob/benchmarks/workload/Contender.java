package dev.elasticjob.benchmarks.workload;

/** Somebody who can run jobs. For one thread. */
public interface Contender {
    /** Connects, and makes the jobs known; starts nothing. */
    void prepare(WorkloadSettings settings, FiringLog log);

    /** Starts all jobs; returns when the contender calls them started. */
    void start();
}
