package dev.elasticjob.coordination.state;

import dev.elasticjob.registry.RegistryNode;

/** What a {@code servers/{ip}} node says. */
public final class ServerState {
    public static final String ENABLED = "";
    public static final String DISABLED = "DISABLED";

    private ServerState() {}

    public static boolean isDisabled(RegistryNode server) {
        return server.text().equals(DISABLED);
    }
}
