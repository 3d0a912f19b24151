package dev.elasticjob.spring.autoconfigure;

import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Changes how the client of the registry is built, for what has no property: an ensemble provider, further authorizations,
 * a compression, permissions. Beans of this type are called in order, once for each attempt to connect, when the builder
 * has all settings from the properties.
 *
 * <p>A namespace set here is ignored: {@code elasticjob.registry.namespace} takes its place. Of an {@code ACLProvider}, only
 * the default permissions apply. Not called for a {@code CuratorFramework} bean of the application's own.
 */
@FunctionalInterface
public interface ElasticJobCuratorBuilderCustomizer {
    void customize(CuratorFrameworkFactory.Builder builder);
}
