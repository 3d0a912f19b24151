package dev.elasticjob.registry.curator;

import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the handle that Curator created last. Asking Curator for it could block the caller, because Curator closes
 * and replaces handles in that call.
 */
final class NewestHandle extends DefaultZookeeperFactory {
    private volatile @Nullable ZooKeeper newest;

    @Nullable
    ZooKeeper newest() {
        return newest;
    }

    /** The only method of the factory that Curator calls, because it is given a configuration. */
    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws Exception {
        ZooKeeper made = super.newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
        newest = made;
        return made;
    }
}
