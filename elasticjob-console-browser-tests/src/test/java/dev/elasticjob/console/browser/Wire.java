package dev.elasticjob.console.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A connection to a server that is cut and mended. Thread-safe. */
final class Wire implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final InetSocketAddress target;
    private volatile boolean whole = true;

    /** @param server its host and port */
    Wire(String server) throws IOException {
        int colon = server.lastIndexOf(':');
        target = new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
        threads.execute(this::accept);
    }

    /** Where the server is reached through it. */
    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** As a server that has stopped: all connections end, and new ones end at once. */
    void cut() {
        whole = false;
        open.forEach(Wire::end);
    }

    void mend() {
        whole = true;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                // The next one may be connected, or this is closed.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        open.add(client);
        open.add(server);
        if (whole) {
            server.connect(target);
        }
        // After they are in the set, so that a cut misses none.
        if (whole) {
            threads.execute(() -> pass(client, server));
            threads.execute(() -> pass(server, client));
        } else {
            end(client);
            end(server);
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of them has ended.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        listening.close();
        threads.shutdownNow();
    }
}
