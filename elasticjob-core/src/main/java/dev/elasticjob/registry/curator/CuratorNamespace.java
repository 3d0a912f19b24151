package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.RegistryCommit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * The root of the namespace. Whoever takes part in jobs creates it again in each session, because the servers may have lost
 * their disks.
 */
final class CuratorNamespace {
    private static final byte[] NO_DATA = {};

    private final String chroot;
    private final String root;
    private final List<ACL> acl;
    private final Missing missing;

    /** What happens if the namespace doesn't exist. */
    enum Missing {
        CREATED,
        LEFT_MISSING
    }

    /**
     * @param chroot must exist, because it is never created; empty for none
     * @param root the node, including the chroot
     */
    CuratorNamespace(String chroot, String root, List<ACL> acl, Missing missing) {
        this.chroot = chroot;
        this.root = root;
        this.acl = acl;
        this.missing = missing;
    }

    /** The node that a path stands for: below the namespace, or beside it if the path begins with two slashes. */
    String node(String path) {
        if (path.equals("/")) {
            return root;
        }
        return path.startsWith("//") ? chroot + path.substring(1) : root + path;
    }

    int bytesOfRoot() {
        return RegistryCommit.bytes(root);
    }

    /** Completes when the namespace can be used in the session of this client. */
    CompletableFuture<Void> prepareOn(ZooKeeper zooKeeper) {
        return missing == Missing.CREATED ? createOn(zooKeeper) : findOn(zooKeeper);
    }

    /** A chroot that doesn't exist is a mistake; a namespace that doesn't is one without jobs. */
    private CompletableFuture<Void> findOn(ZooKeeper zooKeeper) {
        var found = new CompletableFuture<Void>();
        if (!chroot.isEmpty()) {
            zooKeeper.exists(
                    chroot,
                    false,
                    (number, path, context, stat) -> {
                        if (ZooKeeperCodes.of(number) == Code.NONODE) {
                            found.completeExceptionally(new ChrootMissingException(chroot));
                        }
                    },
                    null);
        }
        zooKeeper.getData(
                root,
                false,
                (number, path, context, data, stat) -> {
                    Code code = ZooKeeperCodes.of(number);
                    complete(found, code == Code.NONODE ? Code.OK : code);
                },
                null);
        return found;
    }

    /** Sends the requests that create the missing nodes, parents first, so that later requests find them. */
    private CompletableFuture<Void> createOn(ZooKeeper zooKeeper) {
        for (int slash = root.indexOf('/', chroot.length() + 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            create(zooKeeper, root.substring(0, slash), code -> {});
        }
        var created = new CompletableFuture<Void>();
        create(zooKeeper, root, code -> {
            switch (code) {
                case NODEEXISTS, NOAUTH -> read(zooKeeper, created);
                case NONODE -> created.completeExceptionally(new ChrootMissingException(chroot));
                default -> complete(created, code);
            }
        });
        return created;
    }

    private void create(ZooKeeper zooKeeper, String node, Consumer<Code> answered) {
        zooKeeper.create(
                node,
                NO_DATA,
                acl,
                CreateMode.PERSISTENT,
                (code, path, context, name) -> answered.accept(ZooKeeperCodes.of(code)),
                null);
    }

    /**
     * ZooKeeper answers NOAUTH to a client that may not create nodes below the parent, even if the node exists. And an
     * existing node may have another owner.
     */
    private void read(ZooKeeper zooKeeper, CompletableFuture<Void> created) {
        zooKeeper.getData(
                root,
                false,
                (number, path, context, data, stat) -> {
                    Code code = ZooKeeperCodes.of(number);
                    complete(created, code == Code.NONODE ? Code.NOAUTH : code);
                },
                null);
    }

    private void complete(CompletableFuture<Void> created, Code code) {
        if (code == Code.OK) {
            created.complete(null);
        } else {
            created.completeExceptionally(ZooKeeperCodes.failedRead(code, root));
        }
    }
}
