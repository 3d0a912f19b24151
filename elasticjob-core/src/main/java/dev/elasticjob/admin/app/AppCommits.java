package dev.elasticjob.admin.app;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides what a controller commits, from what it has read of the nodes of an application. Empty where another one, whose
 * session is there, shows another resource of this name. Pure.
 */
record AppCommits(String id, RegistryAnswer read, RegistrySession session) {
    /** That the application is shown, and by this session. */
    Optional<RegistryCommit> published(String uid, String text) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (read.node(JobTree.apps()).isEmpty()) {
            commit.create(JobTree.apps());
        }
        Optional<RegistryNode> app = read.node(JobTree.app(id));
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        if (app.filter(node -> Arrays.equals(node.data(), data)).isEmpty()) {
            commit.setOrCreate(JobTree.app(id), data, app.map(RegistryNode::version));
        }
        String path = JobTree.appController(id);
        Optional<RegistryNode> controller = read.node(path);
        if (controller.isEmpty()) {
            return Optional.of(commit.createEphemeral(path, uid).build());
        }
        boolean same = controller.get().text().equals(uid);
        int version = controller.get().version();
        if (isOurs(controller.get())) {
            return Optional.of(
                    same ? commit.build() : commit.set(path, uid, version).build());
        }
        return same
                ? Optional.of(
                        commit.delete(path, version).createEphemeral(path, uid).build())
                : Optional.empty();
    }

    /** That nothing of it is left. */
    Optional<RegistryCommit> removed() {
        if (read.node(JobTree.appController(id)).filter(node -> !isOurs(node)).isPresent()) {
            return Optional.empty();
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        Stream.of(JobTree.appController(id), JobTree.appSuspended(id), JobTree.app(id))
                .forEach(path -> read.node(path).ifPresent(node -> commit.delete(path, node.version())));
        return Optional.of(commit.build());
    }

    private boolean isOurs(RegistryNode controller) {
        return controller.ephemeralOwner() == session.id();
    }
}
