package dev.elasticjob.spring.test;

/** What the jobs of a test run on. */
public enum JobEnvironment {
    /**
     * A registry in memory, and a clock that stands still until the test advances it: nothing fires by itself, and a
     * night is over at once.
     */
    MANUAL_TIME,

    /** A registry in memory, and the machine's clock: jobs fire by their schedules beside what the test does. */
    REAL_TIME,

    /**
     * A ZooKeeper server in this process, on a free port, and the machine's clock. A clock of the test's own would
     * differ from the server's, by which instances judge each other.
     */
    EMBEDDED_ZOOKEEPER
}
