package dev.elasticjob.migration.source;

/** The kinds of sources. */
public enum Dialect {
    XML_2(2, true),
    XML_3(3, true),
    PROPERTIES_3(3, true),
    TREE_2(2, false),
    TREE_3(3, false),
    /** Methods with Spring's {@code @Scheduled}. */
    SCHEDULED(0, true),
    /** Quartz's XML of jobs and triggers. */
    QUARTZ(0, false),
    /** XXL-JOB's table of jobs. */
    XXL_JOB(0, false),
    /** Registrations of Elastic-Job-Cloud. */
    CLOUD(0, false);

    private final int version;
    private final boolean placeholders;

    Dialect(int version, boolean placeholders) {
        this.version = version;
        this.placeholders = placeholders;
    }

    /** Whether this is 3.x, whose tree can't be continued. */
    public boolean isVersion3() {
        return version == 3;
    }

    /** Whether this is 2.x, in which each job has a cron. */
    public boolean isVersion2() {
        return version == 2;
    }

    /** Whether <code>${…}</code> stands for something else there. */
    public boolean hasPlaceholders() {
        return placeholders;
    }

    /** Whether <code>#{…}</code> is evaluated there. */
    public boolean hasExpressions() {
        return this == XML_2 || this == XML_3;
    }

    /** Whether a program wrote it, with all settings, including those that nobody has chosen. */
    public boolean isStored() {
        return this == TREE_2 || this == TREE_3 || this == XXL_JOB || this == CLOUD;
    }

    /** Whether a boolean that is missing means false, and no reconcile interval means none. */
    public boolean missingMeansOff() {
        return this == PROPERTIES_3;
    }
}
