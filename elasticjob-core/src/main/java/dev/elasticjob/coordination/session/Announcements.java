package dev.elasticjob.coordination.session;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs a job's place among the instances: that it is registered, leads, has a new plan, owns items. While an engine starts
 * many jobs, it logs one line for all of them, and these lines are for debugging.
 *
 * <p>Confined to the coordination executor.
 */
public final class Announcements {
    private Level level = Level.INFO;

    /** Leaves it to the engine to announce all jobs together. */
    public void beginSummary() {
        level = Level.DEBUG;
    }

    public void endSummary() {
        level = Level.INFO;
    }

    public void log(Logger log, String text, Object... arguments) {
        log.atLevel(level).log(text, arguments);
    }
}
