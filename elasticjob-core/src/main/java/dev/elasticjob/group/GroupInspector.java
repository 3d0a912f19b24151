package dev.elasticjob.group;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Answers questions about groups, from the registry. Nothing is cached. Thread-safe; no method blocks. */
public interface GroupInspector {
    /**
     * All groups of this application, in order of their names: two requests per group.
     *
     * @return fails with a {@code RegistryUnavailableException} without a connection
     */
    CompletionStage<List<GroupReport>> groups();

    /**
     * All groups of the groups' namespace, in order of their names, whether or not this application takes part in them: one
     * request for their names, and two for all of them together. The reports name no instance of this application.
     *
     * @return fails with a {@code RegistryUnavailableException} without a connection, and with a {@code
     *     RegistryAccessDeniedException} if this client may not read them
     */
    CompletionStage<List<GroupReport>> all();
}
