package dev.elasticjob.registry.curator;

import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the handle that Curator made last. To ask Curator for it could block the caller: it closes and replaces
 * handles on that occasion.
 */
final class NewestHandle implements ZookeeperFactory {
    private final ZookeeperFactory factory = new DefaultZookeeperFactory();
    private volatile @Nullable ZooKeeper newest;

    @Nullable
    ZooKeeper newest() {
        return newest;
    }

    @Override
    public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
            throws Exception {
        ZooKeeper made = factory.newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly);
        newest = made;
        return made;
    }

    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws Exception {
        ZooKeeper made = factory.newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
        newest = made;
        return made;
    }
}
