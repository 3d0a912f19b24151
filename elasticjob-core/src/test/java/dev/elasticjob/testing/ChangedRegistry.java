package dev.elasticjob.testing;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.concurrent.CompletionStage;

/** A registry with one thing changed: the place to break a rule and see who notices. */
public abstract class ChangedRegistry extends DelegatingRegistry {
    private final Registry registry;

    protected ChangedRegistry(Registry registry) {
        this.registry = registry;
    }

    @Override
    protected final Registry delegate() {
        return registry;
    }

    /** What goes out in place of a transaction. */
    protected RegistryCommit sent(RegistryCommit commit) {
        return commit;
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return super.commit(session, sent(commit));
    }
}
