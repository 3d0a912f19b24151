package dev.elasticjob.registry.curator;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether TLS is what keeps a client from its servers, by connections of its own, because ZooKeeper's client
 * doesn't tell. Blocks for a few seconds at most. Sends nothing that a server would act on.
 */
final class TlsDiagnosis {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int MOST_SERVERS = 3;
    /** What every ZooKeeper server answers, if only that it doesn't allow the question. */
    private static final byte[] QUESTION = "ruok".getBytes(StandardCharsets.US_ASCII);

    private final ZKClientConfig config;
    private final boolean encrypted;

    TlsDiagnosis(ZKClientConfig config) {
        this.config = config;
        this.encrypted = config.getBoolean(ZKClientConfig.SECURE_CLIENT);
    }

    /** The problem with the first server that has one. */
    Optional<TlsProblem> of(String servers) {
        return new ConnectStringParser(servers)
                .getServerAddresses().stream()
                        .limit(MOST_SERVERS)
                        .map(server -> new InetSocketAddress(server.getHostString(), server.getPort()))
                        .flatMap(server -> (encrypted ? withTls(server) : withoutTls(server)).stream())
                        .findFirst();
    }

    private Optional<TlsProblem> withoutTls(InetSocketAddress server) {
        return !answersInTheClear(server) && showsACertificate(server)
                ? Optional.of(problem(TlsProblem.Kind.EXPECTED, server, ""))
                : Optional.empty();
    }

    private Optional<TlsProblem> withTls(InetSocketAddress server) {
        if (answersInTheClear(server)) {
            return Optional.of(problem(TlsProblem.Kind.NOT_SPOKEN, server, ""));
        }
        try (var util = new ClientX509Util()) {
            shakeHands(util.createSSLContextAndOptions(config).getSSLContext(), server);
            return Optional.empty();
        } catch (SocketTimeoutException | X509Exception e) {
            return Optional.empty();
        } catch (SSLException e) {
            return Optional.of(refused(server, e));
        } catch (IOException e) {
            // The server may have closed the connection before its alert was read.
            return showsACertificate(server) ? Optional.of(refused(server, e)) : Optional.empty();
        }
    }

    private TlsProblem refused(InetSocketAddress server, IOException failure) {
        if (causes(failure).anyMatch(SSLPeerUnverifiedException.class::isInstance)) {
            return problem(TlsProblem.Kind.OTHER_NAME, server, detail(failure));
        }
        if (causes(failure).anyMatch(CertificateException.class::isInstance)) {
            return problem(TlsProblem.Kind.UNTRUSTED_SERVER, server, detail(failure));
        }
        String keyStore = config.getProperty("zookeeper.ssl.keyStore.location");
        return problem(
                keyStore == null ? TlsProblem.Kind.NO_CLIENT_CERTIFICATE : TlsProblem.Kind.REFUSED_CLIENT,
                server,
                detail(failure));
    }

    /** Whether a server without TLS is there. */
    private static boolean answersInTheClear(InetSocketAddress server) {
        try (Socket socket = connected(server)) {
            return isText(asked(socket));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isText(int first) {
        return first >= ' ' && first <= '~';
    }

    private static boolean showsACertificate(InetSocketAddress server) {
        var seen = new CertificateSeen();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {seen}, new SecureRandom());
            shakeHands(context, server);
        } catch (IOException | GeneralSecurityException e) {
            return seen.seen;
        }
        return seen.seen;
    }

    /**
     * With TLS 1.3, the server judges the client's certificate only after the handshake, so this waits for its alert. It
     * sends nothing, because the answer to that would be that the connection is closed, which hides the alert.
     */
    private static void shakeHands(SSLContext context, InetSocketAddress server) throws IOException {
        try (Socket socket = connected(server);
                SSLSocket encrypted = (SSLSocket) context.getSocketFactory()
                        .createSocket(socket, server.getHostString(), server.getPort(), true)) {
            encrypted.startHandshake();
            if (encrypted.getInputStream().read() < 0) {
                throw new EOFException("The server closed the connection after the handshake");
            }
        }
    }

    private static Socket connected(InetSocketAddress server) throws IOException {
        var socket = new Socket();
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(server, TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The first byte of the answer; negative if there is none. */
    private static int asked(Socket socket) throws IOException {
        socket.getOutputStream().write(QUESTION);
        socket.getOutputStream().flush();
        InputStream answer = socket.getInputStream();
        return answer.read();
    }

    private static TlsProblem problem(TlsProblem.Kind kind, InetSocketAddress server, String detail) {
        return new TlsProblem(kind, server.getHostString() + ":" + server.getPort(), detail);
    }

    private static String detail(IOException failure) {
        List<String> messages = causes(failure)
                .map(Throwable::getMessage)
                .flatMap(Stream::ofNullable)
                .toList();
        return messages.isEmpty() ? "" : messages.get(messages.size() - 1);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20);
    }

    /** Trusts nobody, and remembers that there was somebody. Confined to one thread. */
    private static final class CertificateSeen extends X509ExtendedTrustManager {
        private boolean seen;

        private void refuse() throws CertificateException {
            seen = true;
            throw new CertificateException("This connection only looks whether there is a certificate");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            refuse();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            refuse();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, javax.net.ssl.@Nullable SSLEngine engine)
                throws CertificateException {
            refuse();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            refuse();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            refuse();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, javax.net.ssl.@Nullable SSLEngine engine)
                throws CertificateException {
            refuse();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
