/**
 * The registry on ZooKeeper. Purpose: to keep everything that Curator and ZooKeeper know about connections, sessions,
 * watches and answers behind the port. The door is {@link dev.elasticjob.registry.curator.CuratorRegistry#connect}.
 *
 * <p>Threads: answers and watch events arrive on ZooKeeper's event thread, connection states on a thread of Curator's;
 * none of them is ever blocked here. The only call that waits is {@code connect}. Imports {@code registry}.
 */
@NullMarked
package dev.elasticjob.registry.curator;

import org.jspecify.annotations.NullMarked;
