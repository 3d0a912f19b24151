/**
 * Fixtures for the tests of all modules. The doors: {@link dev.elasticjob.testing.TestZooKeeper}, in a container where there
 * can be one (a module that uses it declares Testcontainers), {@link dev.elasticjob.testing.ZooKeeperTestServer}, a server
 * in this JVM that can be stopped and started again, and {@link dev.elasticjob.testing.ZooKeeperProcess}, one in a JVM of
 * its own, to be killed and paused; {@link dev.elasticjob.testing.FaultyConnection} stands between a client and a server.
 * Imports nothing of ours.
 */
@NullMarked
package dev.elasticjob.testing;

import org.jspecify.annotations.NullMarked;
