package dev.elasticjob.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of loopback for servers that go away and come back. Below those that systems give to outgoing connections: one of
 * these would take the port while its server is away, or even connect to itself.
 */
final class FreePort {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;

    private FreePort() {}

    /** Nobody listens there now. Chosen at random, so that two who choose at a time hardly ever choose the same. */
    static int choose() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port was found between %d and %d".formatted(FIRST, LAST));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
