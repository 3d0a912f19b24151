package dev.elasticjob.execution.invoker;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that all HTTP jobs share, by connect timeout, which the JDK's client applies to all of its requests. */
final class HttpClients {
    private final Map<Duration, HttpClient> clients = new ConcurrentHashMap<>();

    HttpClient of(Duration connectTimeout) {
        return clients.computeIfAbsent(connectTimeout, HttpClients::client);
    }

    /** Doesn't follow redirects, which could send headers to other hosts, or turn a POST into a GET. */
    private static HttpClient client(Duration connectTimeout) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .build();
    }
}
