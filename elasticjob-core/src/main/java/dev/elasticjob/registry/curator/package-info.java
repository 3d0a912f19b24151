/**
 * The registry on ZooKeeper. It hides how Curator and ZooKeeper handle connections, sessions, watches and answers. The
 * entry point is {@link dev.elasticjob.registry.curator.CuratorRegistry#connect}.
 *
 * <p>Answers and watch events arrive on ZooKeeper's event thread, connection states on a thread of Curator's; none of
 * them is ever blocked here. The only call that waits is {@code connect}. Imports {@code registry}.
 */
@NullMarked
package dev.elasticjob.registry.curator;

import org.jspecify.annotations.NullMarked;
