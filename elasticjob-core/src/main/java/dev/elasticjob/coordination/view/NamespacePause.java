package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the pause of the namespace together with other nodes. Another application may have made its node with permissions
 * of its own: then the answer doesn't cover it, and the pause doesn't concern the reader.
 */
public final class NamespacePause {
    private static final String PATH = JobTree.namespacePaused();

    private NamespacePause() {}

    public static CompletionStage<RegistryAnswer> readWith(Registry registry, List<RegistryRead> others) {
        List<RegistryRead> all = new ArrayList<>(others);
        all.add(RegistryRead.data(PATH));
        return registry.read(all)
                .exceptionallyCompose(error ->
                        isDenied(error) ? registry.read(others) : CompletableFuture.failedFuture(Stages.unwrap(error)));
    }

    /** Whether a read has failed because its node may not be read. */
    public static boolean isDenied(Throwable error) {
        return Stages.unwrap(error) instanceof RegistryAccessDeniedException denied
                && denied.path().endsWith(PATH);
    }
}
