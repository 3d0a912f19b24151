package dev.elasticjob.coordination.session;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * What operators are told of a job's place among the instances: that it is registered, leads, has a new plan, owns items.
 * While an engine starts many jobs, one line of the engine's tells it for all of them, and these are for debugging.
 *
 * <p>Confined to the coordination executor.
 */
public final class Announcements {
    private boolean toldTogether;

    /** From now on somebody else tells it. */
    public void tellTogether() {
        toldTogether = true;
    }

    /** From now on each is told by itself. */
    public void tellEach() {
        toldTogether = false;
    }

    public void tell(Logger log, String text, Object... arguments) {
        log.atLevel(toldTogether ? Level.DEBUG : Level.INFO).log(text, arguments);
    }
}
