package dev.elasticjob.group;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Answers questions about the groups that this application takes part in, from the registry. Nothing is cached: each question
 * is one or two requests per group. Thread-safe; no method blocks.
 */
public interface GroupInspector {
    /**
     * All groups of this application, in order of their names.
     *
     * @return fails with a {@code RegistryUnavailableException} without a connection
     */
    CompletionStage<List<GroupReport>> groups();
}
