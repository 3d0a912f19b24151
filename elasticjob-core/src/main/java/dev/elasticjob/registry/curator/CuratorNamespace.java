package dev.elasticjob.registry.curator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * The node below which everything of ours lives. Made anew in each session: the servers may have lost their disks.
 */
final class CuratorNamespace {
    private static final byte[] NO_DATA = {};

    private final String chroot;
    private final String root;
    private final List<ACL> acl;

    /**
     * @param chroot is expected to be there, and never made; empty for none
     * @param root the node, with the chroot before it
     */
    CuratorNamespace(String chroot, String root, List<ACL> acl) {
        this.chroot = chroot;
        this.root = root;
        this.acl = acl;
    }

    /** Sends what makes the missing nodes, parents first, so that requests sent later find them. */
    CompletableFuture<Void> createOn(ZooKeeper zooKeeper) {
        for (int slash = root.indexOf('/', chroot.length() + 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            zooKeeper.create(
                    root.substring(0, slash),
                    NO_DATA,
                    acl,
                    CreateMode.PERSISTENT,
                    (code, path, context, name) -> {},
                    null);
        }
        var created = new CompletableFuture<Void>();
        zooKeeper.create(
                root,
                NO_DATA,
                acl,
                CreateMode.PERSISTENT,
                (code, path, context, name) -> completed(zooKeeper, ZooKeeperCodes.of(code), created),
                null);
        return created;
    }

    /**
     * Who may not create below the parent is told so even where the node is there already. And that it is there doesn't
     * mean that it is ours.
     */
    private void completed(ZooKeeper zooKeeper, Code code, CompletableFuture<Void> created) {
        switch (code) {
            case OK -> created.complete(null);
            case NODEEXISTS, NOAUTH ->
                zooKeeper.getData(
                        root,
                        false,
                        (read, path, context, data, stat) -> found(ZooKeeperCodes.of(read), created),
                        null);
            case NONODE -> created.completeExceptionally(new ChrootMissingException(chroot));
            default -> created.completeExceptionally(ZooKeeperCodes.failedRead(code, root));
        }
    }

    private void found(Code code, CompletableFuture<Void> created) {
        switch (code) {
            case OK -> created.complete(null);
            case NONODE -> created.completeExceptionally(ZooKeeperCodes.failedRead(Code.NOAUTH, root));
            default -> created.completeExceptionally(ZooKeeperCodes.failedRead(code, root));
        }
    }
}
