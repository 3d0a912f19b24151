package dev.elasticjob.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A relay between clients and a server. It can be cut, which both sides notice; it can hold everything back, which nobody
 * notices, as when a cable is pulled; and it can swallow the server's answers: what was sent is then carried out, and
 * nobody here hears of it. Safe for use by any thread.
 */
public final class FaultyConnection implements AutoCloseable {
    private final ServerSocket entrance;
    private final InetSocketAddress server;
    private final String chroot;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private volatile boolean swallowing;
    private final AtomicBoolean ignoring = new AtomicBoolean();
    private volatile CompletableFuture<Void> passage = CompletableFuture.completedFuture(null);

    private FaultyConnection(ServerSocket entrance, InetSocketAddress server, String chroot) {
        this.entrance = entrance;
        this.server = server;
        this.chroot = chroot;
    }

    /**
     * To a server.
     *
     * @param connectString {@code host:port} or {@code host:port/chroot}
     */
    public static FaultyConnection to(String connectString) {
        int slash = connectString.indexOf('/');
        var address = slash < 0 ? connectString : connectString.substring(0, slash);
        var chroot = slash < 0 ? "" : connectString.substring(slash);
        int colon = address.lastIndexOf(':');
        var server = new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        try {
            var connection =
                    new FaultyConnection(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server, chroot);
            connection.begin("relay", connection::accept);
            return connection;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String connectString() {
        return "127.0.0.1:" + entrance.getLocalPort() + chroot;
    }

    /** Closes every connection, and lets no new one through. */
    public void cut() {
        cut = true;
        open.forEach(FaultyConnection::closeQuietly);
    }

    /** Nothing gets through any more in either direction, and every connection stays open. */
    public void hold() {
        passage = new CompletableFuture<>();
    }

    /** What the server says from now on doesn't arrive, on connections that are open now or later. */
    public void swallowAnswers() {
        swallowing = true;
    }

    /** The next connection is accepted and never answered, as by a server that is just starting. */
    public void ignoreNext() {
        ignoring.set(true);
    }

    /** Lets new connections through, and answers, and what was held back. */
    public void mend() {
        swallowing = false;
        cut = false;
        passage.complete(null);
    }

    @Override
    public void close() {
        cut();
        passage.complete(null);
        closeQuietly(entrance);
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                open.add(client);
                begin("relay-connection", () -> connectOnward(client));
            } catch (IOException e) {
                // The entrance was closed.
            }
        }
    }

    private void connectOnward(Socket client) {
        if (ignoring.compareAndSet(true, false)) {
            return;
        }
        passage.join();
        try {
            if (cut) {
                closeQuietly(client);
                return;
            }
            var onward = new Socket(server.getAddress(), server.getPort());
            open.add(onward);
            if (cut) {
                closeQuietly(onward);
            }
            begin("relay-requests", () -> copy(client, onward, false));
            begin("relay-answers", () -> copy(onward, client, true));
        } catch (IOException e) {
            // The server isn't there: the client tries again.
            closeQuietly(client);
        }
    }

    private void copy(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            var buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                passage.join();
                if (!(answers && swallowing)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // One side is gone: so is the other.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void begin(String name, Runnable loop) {
        var thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // It is closed already.
        }
    }
}
