package dev.elasticjob.definition.schedule;

/** What decides when a schedule fires. Bounds, a calendar and a spread change nothing about it. */
public enum ScheduleKind {
    /** It has no firings: the job runs on request, or after other jobs. */
    ON_REQUEST,
    /** One or several cron expressions. */
    CRON,
    /** A fixed rate. */
    EVERY,
    /** The end of the last firing. */
    FIXED_DELAY,
    /** One time. */
    AT,
    /** What an application's {@link ScheduleParser} has read. */
    OTHER;

    /** Whether its firings have scheduled times that are known before and after them. */
    public boolean hasTimes() {
        return this != ON_REQUEST && this != FIXED_DELAY;
    }
}
