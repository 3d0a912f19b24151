package dev.elasticjob.testing;

/**
 * A tree on a server of its own from the jars, under a chroot as on a shared one: what a test says of paths holds on either.
 *
 * @param chroot of one name, with a leading slash; it has to be there
 */
record ZooKeeperTree(ZooKeeperTestServer server, String chroot) implements TestZooKeeper {
    static ZooKeeperTree start() {
        var server = ZooKeeperTestServer.start();
        var tree = new ZooKeeperTree(server, "/tests");
        try (var client = PlainClient.of(server.connectString())) {
            client.create(tree.chroot());
        }
        return tree;
    }

    @Override
    public String connectString() {
        return server.connectString() + chroot;
    }

    @Override
    public long packetsReceived() {
        return server.packetsReceived();
    }

    @Override
    public void expire(long sessionId) {
        server.expire(sessionId);
    }

    @Override
    public void close() {
        server.close();
    }
}
