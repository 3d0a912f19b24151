package dev.elasticjob.registry;

/** The state of the registry's connection. */
public enum ConnectionState {
    /** Not connected yet. */
    LATENT,
    /** Connected for the first time. */
    CONNECTED,
    /** Disconnected; the session may still live, and usually does. */
    SUSPENDED,
    /** This client has given up the session; the servers may keep its nodes for another timeout. */
    LOST,
    /** Connected again, in the same session or in a new one: compare {@link Registry#session()}. */
    RECONNECTED,
    /** Connected to a server that has lost its quorum and only answers reads: nothing can be claimed. */
    READ_ONLY;

    public boolean isConnected() {
        return this == CONNECTED || this == RECONNECTED;
    }
}
