package dev.elasticjob.definition;

import java.time.Duration;

/**
 * The part of a definition's builder that says how executions are treated. Not thread-safe.
 *
 * @param <B> the builder
 */
abstract class PolicyBuilder<B extends PolicyBuilder<B>> {
    Duration misfireThreshold = Duration.ofSeconds(60);
    int maxFailovers = 3;
    Duration timeout = Duration.ZERO;
    RetrySettings retry = RetrySettings.NONE;
    int concurrency;
    boolean clusterListener;
    Duration beforeFirstTimeout = Duration.ofMinutes(5);
    Duration afterLastTimeout = Duration.ofMinutes(30);
    WatchdogSettings watchdog = WatchdogSettings.OFF;

    abstract B self();

    void copy(JobDefinition definition) {
        misfireThreshold = definition.misfireThreshold();
        maxFailovers = definition.maxFailovers();
        timeout = definition.timeout();
        retry = definition.retry();
        concurrency = definition.concurrency();
        clusterListener = definition.clusterListener();
        beforeFirstTimeout = definition.beforeFirstTimeout();
        afterLastTimeout = definition.afterLastTimeout();
        watchdog = definition.watchdog();
    }

    public B misfireThreshold(Duration misfireThreshold) {
        this.misfireThreshold = misfireThreshold;
        return self();
    }

    public B maxFailovers(int maxFailovers) {
        this.maxFailovers = maxFailovers;
        return self();
    }

    public B timeout(Duration timeout) {
        this.timeout = timeout;
        return self();
    }

    public B retry(RetrySettings retry) {
        this.retry = retry;
        return self();
    }

    public B concurrency(int concurrency) {
        this.concurrency = concurrency;
        return self();
    }

    /** Whether the job has listeners that are called once per cluster. An engine that has one for the job sets this. */
    public B clusterListener(boolean present) {
        this.clusterListener = present;
        return self();
    }

    /** How long cluster listeners may take before the first item; zero means no limit. */
    public B beforeFirstTimeout(Duration timeout) {
        this.beforeFirstTimeout = timeout;
        return self();
    }

    /** How long cluster listeners may take after the last item; zero means no limit. */
    public B afterLastTimeout(Duration timeout) {
        this.afterLastTimeout = timeout;
        return self();
    }

    /** How long an item may execute before it is reported as stuck; zero means any time. */
    public B stuckAfter(Duration limit) {
        this.watchdog = new WatchdogSettings(limit, watchdog.expectWithin());
        return self();
    }

    /**
     * How long after a scheduled time the first item has to have begun; otherwise the firing is reported as overdue. Zero
     * means any time.
     */
    public B expectWithin(Duration limit) {
        this.watchdog = new WatchdogSettings(watchdog.stuckAfter(), limit);
        return self();
    }
}
