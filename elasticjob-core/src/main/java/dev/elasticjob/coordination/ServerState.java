package dev.elasticjob.coordination;

import dev.elasticjob.registry.RegistryNode;

/** What a {@code servers/{ip}} node says. */
final class ServerState {
    static final String ENABLED = "";
    static final String DISABLED = "DISABLED";

    private ServerState() {}

    static boolean isDisabled(RegistryNode server) {
        return server.text().equals(DISABLED);
    }
}
