package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser of one user, with its cookies. */
final class SignedIn {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"_csrf\" type=\"hidden\" value=\"([^\"]+)\"");
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

    private final String console;
    private final HttpClient client;

    private SignedIn(String console, HttpClient.Redirect redirects) {
        this.console = console;
        this.client = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(redirects)
                .build();
    }

    /** Nobody yet; redirects are not followed. */
    static SignedIn nobody(String console) {
        return new SignedIn(console, HttpClient.Redirect.NEVER);
    }

    /** By the form. */
    static SignedIn as(String console, String user, String password) {
        SignedIn browser = nobody(console);
        assertThat(browser.signIn(user, password).headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).doesNotContain("error"));
        return browser;
    }

    /** By OpenID Connect: follows the redirects to the provider and back. */
    static SignedIn byProvider(String console, String registration) {
        var browser = new SignedIn(console, HttpClient.Redirect.ALWAYS);
        assertThat(browser.get("/oauth2/authorization/" + registration).statusCode())
                .isEqualTo(200);
        return browser;
    }

    HttpResponse<String> signIn(String user, String password) {
        String form = "username=%s&password=%s&_csrf=%s"
                .formatted(
                        user, password, encoded(found(FORM_TOKEN, get("/login").body())));
        return send(request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    void signOut() {
        String form = "_csrf=" + encoded(found(FORM_TOKEN, get("/logout").body()));
        send(request("/logout")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    HttpResponse<String> get(String path) {
        return send(request(path).header("Accept", "text/html,*/*"));
    }

    /** As a browser does, and without unpacking it. */
    HttpResponse<byte[]> getPacked(String path) {
        return send(request(path).header("Accept-Encoding", "gzip, br"), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** As a program does: with the password in the request. */
    HttpResponse<String> getWith(String user, String password, String path) {
        String both = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return send(request(path).header("Authorization", "Basic " + both));
    }

    /** As the page sends a command. */
    HttpResponse<String> command(String method, String path, String body) {
        String session = get("/elasticjob/api/v1/session").body();
        return withoutToken(method, path, body, found(TOKEN, session));
    }

    HttpResponse<String> withoutToken(String method, String path, String body, String token) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("X-ElasticJob", "1")
                .header("X-CSRF-TOKEN", token)
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(console + path)).timeout(LIMIT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, HttpResponse.BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.build(), body);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
