package dev.elasticjob.coordination.session;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs a job's position among the instances: registration, leadership, new plans, owned items. While an engine starts
 * many jobs, it logs one line for all of them, and these lines are logged at debug level.
 *
 * <p>Confined to the coordination executor.
 */
public final class Announcements {
    private Level level = Level.INFO;

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
