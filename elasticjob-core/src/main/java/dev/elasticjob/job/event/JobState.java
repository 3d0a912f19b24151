package dev.elasticjob.job.event;

import java.util.EnumSet;
import java.util.Set;

/** The state of a job on one instance, and the states that may follow. */
public enum JobState {
    /** Known to the engine, but not started. */
    LATENT,
    /** Joining the other instances in the registry, for the first time or in a new session. */
    REGISTERING,
    /** Registered: claims the items that it owns when they are due. */
    ACTIVE,
    /** Without a connection or a readable definition: running executions continue, but nothing new is claimed. */
    SUSPENDED,
    /** Registered, but owns no items, because an operator has disabled this server. */
    DISABLED,
    /** Registered, but owns no items, because an operator has drained this instance. */
    DRAINED,
    /** Registered, but owns no items, because its labels don't match the job's {@code runOn}. */
    UNMATCHED,
    /** Registered, but no instance owns items, because the job is paused, or all jobs of the namespace are. */
    PAUSED,
    /** Stopped on this instance by a shutdown, an operator, or an error that was reported. */
    STOPPED;

    /** The states that may follow this one. */
    public Set<JobState> successors() {
        return switch (this) {
            case LATENT -> EnumSet.of(REGISTERING, STOPPED);
            case REGISTERING -> EnumSet.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED, SUSPENDED, STOPPED);
            case ACTIVE -> EnumSet.of(SUSPENDED, DISABLED, DRAINED, UNMATCHED, PAUSED, STOPPED);
            case SUSPENDED -> EnumSet.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED, REGISTERING, STOPPED);
            case DISABLED -> EnumSet.of(ACTIVE, DRAINED, UNMATCHED, PAUSED, SUSPENDED, STOPPED);
            case DRAINED -> EnumSet.of(ACTIVE, DISABLED, UNMATCHED, PAUSED, SUSPENDED, STOPPED);
            case UNMATCHED -> EnumSet.of(ACTIVE, DISABLED, DRAINED, PAUSED, SUSPENDED, STOPPED);
            case PAUSED -> EnumSet.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, SUSPENDED, STOPPED);
            case STOPPED -> EnumSet.of(REGISTERING);
        };
    }
}
