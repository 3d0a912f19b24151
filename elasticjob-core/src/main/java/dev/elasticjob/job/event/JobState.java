package dev.elasticjob.job.event;

import java.util.EnumSet;
import java.util.Set;

/** What a job does on one instance, and what it may do next. */
public enum JobState {
    /** Known to the engine, which has not started it. */
    LATENT,
    /** Joining the others in the registry, at first or in a new session. */
    REGISTERING,
    /** Registered: claims what it owns and is due. */
    ACTIVE,
    /** Without a connection, or a definition that can be read: executions go on, nothing new is claimed. */
    SUSPENDED,
    /** An operator has disabled this server: registered, but owning nothing. */
    DISABLED,
    /** Ended here: by a shutdown, an operator, or an error that was reported. */
    STOPPED;

    /** The states that may follow this one. */
    public Set<JobState> successors() {
        return switch (this) {
            case LATENT -> EnumSet.of(REGISTERING, STOPPED);
            case REGISTERING -> EnumSet.of(ACTIVE, DISABLED, SUSPENDED, STOPPED);
            case ACTIVE -> EnumSet.of(SUSPENDED, DISABLED, STOPPED);
            case SUSPENDED -> EnumSet.of(ACTIVE, DISABLED, REGISTERING, STOPPED);
            case DISABLED -> EnumSet.of(ACTIVE, SUSPENDED, STOPPED);
            case STOPPED -> EnumSet.of(REGISTERING);
        };
    }
}
