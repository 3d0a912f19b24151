package dev.elasticjob.console.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy that removes the first part of the path, and passes an answer on when it has all of it. */
final class Proxy implements AutoCloseable {
    static final String PREFIX = "/apps/shop";

    /** The client and the server set these themselves. */
    private static final Set<String> NOT_PASSED_ON = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            ":status");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final String target;

    private Proxy(HttpServer server, String target) {
        this.server = server;
        this.target = target;
    }

    /** @param target the address of the application */
    static Proxy to(String target) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Proxy proxy = new Proxy(server, target);
        server.setExecutor(proxy.threads);
        server.createContext(PREFIX, proxy::pass);
        server.start();
        return proxy;
    }

    /** Where browsers find the application. */
    String address() {
        return "http://localhost:" + server.getAddress().getPort() + PREFIX;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(request(exchange), HttpResponse.BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (!NOT_PASSED_ON.contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean empty = answer.body().length == 0;
            exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : answer.body().length);
            if (!empty) {
                exchange.getResponseBody().write(answer.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        String asked = exchange.getRequestURI().toString().substring(PREFIX.length());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + asked))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()))
                .header("X-Forwarded-Host", "localhost:" + server.getAddress().getPort())
                .header("X-Forwarded-Prefix", PREFIX)
                .header("X-Forwarded-Proto", "http");
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
