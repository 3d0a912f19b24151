package dev.elasticjob.testing;

import java.time.Duration;

/**
 * A real ZooKeeper with an empty tree: one in a container where a Docker engine answers and the image can be had, else a
 * {@link ZooKeeperTree} of a server from the jars. The run says which, in its output and in {@code target/zookeeper-kind.txt}; see
 * {@link ZooKeeperChoice} for how to force either. It grants sessions from 1 s to 2 min.
 */
public interface TestZooKeeper extends AutoCloseable {
    /** How exact it is about the end of a session, whichever server it is. */
    Duration TICK = Duration.ofMillis(500);

    static TestZooKeeper start() {
        return ZooKeeperChoice.made().start();
    }

    /** With the chroot. */
    String connectString();

    /** What the paths of the server have before those of the tree, with a leading slash; empty for none. */
    String chroot();

    /** What all clients of the server have sent so far, by its own count; pings included. Only differences tell anything. */
    long packetsReceived();

    /** Ends a session as after its timeout. */
    void expire(long sessionId);

    @Override
    void close();
}
