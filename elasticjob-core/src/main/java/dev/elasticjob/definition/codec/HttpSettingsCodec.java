package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HttpRequestSettings;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The part of {@link JobDefinitionCodec} that spells the keys below {@code http}. */
final class HttpSettingsCodec {
    private static final String URI = "uri";
    private static final String METHOD = "method";
    private static final String BODY = "body";
    private static final String CONTENT_TYPE = "contentType";
    private static final String HEADERS = "headers";
    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String RESPONSE_TIMEOUT = "responseTimeout";

    private HttpSettingsCodec() {}

    static void write(HttpRequestSettings request, ObjectNode http) {
        http.put(URI, request.uri());
        http.put(METHOD, request.method());
        http.put(BODY, request.body());
        http.put(CONTENT_TYPE, request.contentType());
        ObjectNode headers = http.putObject(HEADERS);
        request.headers().forEach(headers::put);
        http.put(CONNECT_TIMEOUT, request.connectTimeout().toString());
        http.put(RESPONSE_TIMEOUT, request.responseTimeout().toString());
    }

    /** A setting that is missing has its default; an URI that is missing is found by the check. */
    static HttpRequestSettings read(StoredSettings http) {
        String expected = "a duration such as PT5S";
        return new HttpRequestSettings(
                http.text(URI).orElse(""),
                http.text(METHOD).orElse(HttpRequestSettings.DEFAULT_METHOD),
                http.text(BODY).orElse(""),
                http.text(CONTENT_TYPE).orElse(""),
                http.texts(HEADERS).orElse(Map.of()),
                http.parsed(CONNECT_TIMEOUT, expected, Duration::parse)
                        .orElse(HttpRequestSettings.DEFAULT_CONNECT_TIMEOUT),
                http.parsed(RESPONSE_TIMEOUT, expected, Duration::parse)
                        .orElse(HttpRequestSettings.DEFAULT_RESPONSE_TIMEOUT));
    }
}
