package dev.elasticjob.execution.invoker;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The HTTP clients of an engine: one for each connect timeout, which the JDK's client has for all of its requests. Made
 * when they are first needed; their threads end when nobody holds this any more. Safe for use by any thread.
 */
public final class HttpClients {
    private final Map<Duration, HttpClient> byConnectTimeout = new ConcurrentHashMap<>();

    /** Doesn't follow redirects: they would take headers to strangers, and turn a POST into a GET. */
    HttpClient with(Duration connectTimeout) {
        return byConnectTimeout.computeIfAbsent(
                connectTimeout,
                timeout -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(timeout)
                        .build());
    }
}
