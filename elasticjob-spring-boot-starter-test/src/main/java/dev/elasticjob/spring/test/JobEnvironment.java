package dev.elasticjob.spring.test;

/** The registry and the clock of the jobs in a test. */
public enum JobEnvironment {
    /**
     * A registry in memory, and a clock that stands still until the test advances it: no job fires on its own, and
     * waiting for a nightly firing takes no time.
     */
    MANUAL_TIME,

    /** A registry in memory, and the machine's clock: jobs fire on their schedules while the test runs. */
    REAL_TIME,

    /**
     * A ZooKeeper server in this process, on a free port, and the machine's clock. A clock of the test's own would
     * differ from the server's, with which instances compare their clocks.
     */
    EMBEDDED_ZOOKEEPER
}
