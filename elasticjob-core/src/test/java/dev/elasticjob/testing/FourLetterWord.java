package dev.elasticjob.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** What a ZooKeeper server tells anybody about itself. */
final class FourLetterWord {
    private static final int PATIENCE_MILLIS = 5_000;

    private FourLetterWord() {}

    /** The answer of the server on this port of loopback. */
    static String ask(int port, String word) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
