package dev.elasticjob.coordination.state;

import dev.elasticjob.registry.RegistryNode;

/** The data of a {@code servers/{ip}} node. */
public final class ServerState {
    public static final String ENABLED = "";
    public static final String DISABLED = "DISABLED";

    private ServerState() {}

    public static boolean isDisabled(RegistryNode server) {
        return server.text().equals(DISABLED);
    }
}
