package dev.elasticjob.registry;

/** How the registry's connection stands. */
public enum ConnectionState {
    /** Not connected yet. */
    LATENT,
    /** Connected for the first time. */
    CONNECTED,
    /** Disconnected; the session may still live, and usually does. */
    SUSPENDED,
    /** The session is given up here; the servers may hold its nodes for another timeout. */
    LOST,
    /** Connected again, in the same session or in a new one: compare {@link Registry#session()}. */
    RECONNECTED,
    /** Connected to a server that has lost its quorum and answers reads only: nothing can be claimed. */
    READ_ONLY;

    public boolean isConnected() {
        return this == CONNECTED || this == RECONNECTED;
    }
}
