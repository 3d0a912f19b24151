package dev.elasticjob.console.standalone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * An OpenID Connect provider on the loopback address, whose only user is signed in already: "wei", with the roles "operator" and
 * "other" in the claim "realm_access.roles".
 */
final class IdentityProvider implements AutoCloseable {
    static final String CLIENT = "console";

    private final KeyPair key;
    private final HttpServer server;
    /** By code: what the token has to repeat. */
    private final Map<String, String> nonces = new ConcurrentHashMap<>();

    IdentityProvider() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            key = generator.generateKeyPair();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
        server.createContext("/.well-known/openid-configuration", exchange -> json(exchange, configuration()));
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", exchange -> json(exchange, token(exchange)));
        server.createContext("/keys", exchange -> json(exchange, keys()));
        server.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String configuration() {
        return """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "jwks_uri": "%1$s/keys", "subject_types_supported": ["public"], "response_types_supported": ["code"],
                 "id_token_signing_alg_values_supported": ["RS256"]}
                """.formatted(issuer());
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        String code = "code-" + nonces.size();
        nonces.put(code, query.get("nonce"));
        exchange.getResponseHeaders()
                .add("Location", query.get("redirect_uri") + "?code=" + code + "&state=" + query.get("state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private String token(HttpExchange exchange) throws IOException {
        Map<String, String> request =
                form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        long now = Instant.now().getEpochSecond();
        String claims = """
                {"iss": "%s", "sub": "0815", "preferred_username": "wei", "aud": "%s", "iat": %d, "exp": %d, "nonce": "%s",
                 "realm_access": {"roles": ["operator", "other"]}}
                """.formatted(issuer(), CLIENT, now, now + 300, nonces.remove(request.get("code")));
        return """
                {"access_token": "not-used", "token_type": "Bearer", "expires_in": 300, "id_token": "%s"}
                """.formatted(signed(claims));
    }

    private String signed(String claims) {
        String content = base64("{\"alg\":\"RS256\",\"kid\":\"one\"}") + "." + base64(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key.getPrivate());
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String keys() {
        RSAPublicKey open = (RSAPublicKey) key.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"one\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(base64(open.getModulus()), base64(open.getPublicExponent()));
    }

    private static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&"))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(
                        field -> field[0], field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
    }

    private static String base64(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return base64(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static void json(HttpExchange exchange, String text) {
        try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
