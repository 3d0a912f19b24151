package dev.elasticjob.coordination;

import dev.elasticjob.coordination.view.Ownership;

/** Receives the state changes of one job on this instance. Called on the coordination executor. */
public interface CoordinationListener {
    /** What this instance may claim from now on. */
    void owns(Ownership ownership, boolean serverDisabled);

    /** Somebody has asked for manual runs of what this instance owns. */
    void asked();

    /** Nothing new may be claimed until the next word. */
    void suspended(boolean sessionLost);

    /** This instance has no part in the job any more. */
    void ended(String reason);
}
