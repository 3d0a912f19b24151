package dev.elasticjob.registry.curator;

import java.util.Map;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * How the ZooKeeper client is built, beyond {@link RegistrySettings}.
 *
 * @param acl who may use the nodes that this registry creates
 * @param properties of ZooKeeper's client, such as {@code zookeeper.client.secure}, by their full names
 * @param customizer is called once, on the thread that connects, when the builder has all other settings. It may change
 *     anything; a namespace is ignored, as {@link RegistrySettings#namespace()} takes its place
 */
public record ClientOptions(
        Acl acl, Map<String, String> properties, Consumer<? super CuratorFrameworkFactory.Builder> customizer) {
    /** Who may use the nodes that this registry creates. */
    public enum Acl {
        /** {@link #CREATOR} with a digest, else {@link #OPEN}. */
        AUTOMATIC,
        /** Every client. */
        OPEN,
        /**
         * Only clients with the identity that created them: the digest, or the subject of the client's certificate where
         * the server authenticates clients by X.509.
         */
        CREATOR
    }

    public ClientOptions {
        properties = Map.copyOf(properties);
    }

    /** Nothing beyond the settings. */
    public static ClientOptions none() {
        return new ClientOptions(Acl.AUTOMATIC, Map.of(), builder -> {});
    }
}
