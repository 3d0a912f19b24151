package dev.elasticjob.coordination.progress;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * This instance's node, which lives with its session. It is read before the first write of a session only: afterwards, its
 * version is known, because nobody else writes it.
 *
 * <p>Confined to the coordination executor.
 */
final class OwnNode {
    private final JobScope scope;
    private final JobTree tree;
    private Optional<Written> written = Optional.empty();

    OwnNode(JobScope scope) {
        this.scope = scope;
        this.tree = scope.tree();
    }

    private record Written(long sessionId, String path, int version, String data) {}

    /** Writes the data if the node has other data. */
    CompletionStage<Next> write(RegistrySession session, String instance, String data) {
        String path = tree.progress(instance);
        Optional<Written> known = written.filter(
                last -> last.sessionId() == session.id() && last.path().equals(path));
        if (known.isEmpty()) {
            return scope.registry()
                    .read(RegistryRead.allData(tree.progress(), path))
                    .thenCompose(answer -> begin(session, path, data, answer));
        }
        if (known.get().data().equals(data)) {
            return Next.WAIT.stage();
        }
        int version = known.get().version();
        return commit(
                session,
                RegistryCommit.builder().set(path, data, version).build(),
                new Written(session.id(), path, version + 1, data));
    }

    /** The parent exists once any instance has written something. While the job is being removed, nothing is created. */
    private CompletionStage<Next> begin(RegistrySession session, String path, String data, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder().check(tree.sharding(), RegistryCommit.ANY_VERSION);
        if (answer.node(tree.progress()).isEmpty()) {
            commit.create(tree.progress());
        }
        Optional<RegistryNode> found = answer.node(path);
        if (found.isPresent() && found.get().ephemeralOwner() == session.id()) {
            int version = found.get().version();
            commit.set(path, data, version);
            return commit(session, commit.build(), new Written(session.id(), path, version + 1, data));
        }
        found.ifPresent(former -> commit.delete(path, former.version()));
        commit.createEphemeral(path, data);
        return commit(session, commit.build(), new Written(session.id(), path, 0, data));
    }

    private CompletionStage<Next> commit(RegistrySession session, RegistryCommit commit, Written next) {
        return scope.connection().commit(session, commit).thenApply(outcome -> {
            written = outcome.isCommitted() ? Optional.of(next) : Optional.empty();
            return Next.againIf(!outcome.isCommitted() && !isRemoved(outcome));
        });
    }

    private boolean isRemoved(CommitOutcome outcome) {
        return outcome instanceof CommitOutcome.Refused refused
                && refused.path().equals(tree.sharding());
    }

    /** Deletes the node, if this session has written it. */
    CompletionStage<Next> remove(RegistrySession session) {
        Optional<Written> last = written.filter(known -> known.sessionId() == session.id());
        written = Optional.empty();
        return last.map(node -> scope.connection()
                        .commit(
                                session,
                                RegistryCommit.builder()
                                        .delete(node.path(), node.version())
                                        .build())
                        .thenApply(outcome -> Next.WAIT))
                .orElseGet(Next.WAIT::stage);
    }
}
