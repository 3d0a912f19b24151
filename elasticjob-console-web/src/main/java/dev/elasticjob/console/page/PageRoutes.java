package dev.elasticjob.console.page;

import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.GZIPOutputStream;

/**
 * Serves the page and its files, from the class path, read once. The addresses of the files have a hash of all of them, so
 * that browsers may keep them for ever.
 */
public final class PageRoutes {
    private static final String PLACE = "/dev/elasticjob/console/page/";
    private static final List<String> FILES = List.of(
            "activity.js",
            "api.js",
            "apps.js",
            "attention.js",
            "bulk.js",
            "commands.js",
            "console.css",
            "cron.js",
            "en.js",
            "fields.js",
            "firings.js",
            "format.js",
            "freshness.js",
            "forms.js",
            "groups.js",
            "history.js",
            "icon.svg",
            "job.js",
            "jobs.js",
            "leftout.js",
            "lit-html.js",
            "load.js",
            "logs.js",
            "main.js",
            "operations.js",
            "parts.js",
            "registries.js",
            "remedies.js",
            "route.js",
            "run.js",
            "sentences-en.js",
            "sentences-zh.js",
            "servers.js",
            "settings-en.js",
            "settings-zh.js",
            "settings.js",
            "texts.js",
            "timeline.js",
            "whatif.js",
            "zh.js");

    private final Map<String, byte[]> files;
    private final Map<String, byte[]> zipped;
    private final String hash;
    private final byte[] page;
    private final String path;

    private PageRoutes(Map<String, byte[]> files, String page, String path) {
        this.path = path;
        this.files = files;
        this.zipped = new LinkedHashMap<>();
        files.forEach((name, file) -> zipped.put(name, zip(file)));
        this.hash = hash(files);
        this.page = page.replace("{hash}", hash).getBytes(StandardCharsets.UTF_8);
    }

    /** @param path of the console in the application: begins with a slash, and doesn't end with one */
    public static PageRoutes fromClassPath(String path) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        FILES.forEach(name -> files.put(name, read("assets/" + name)));
        return new PageRoutes(files, new String(read("index.html"), StandardCharsets.UTF_8), path);
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/", this::page), Route.get("", this::page), Route.get("/assets/{hash}/{file}", this::file));
    }

    /** The patterns of both addresses match both. */
    private CompletionStage<ConsoleResponse> page(Route.Call call) {
        return now(
                call.request().path().isEmpty()
                        ? withSlash(call.request().query())
                        : ConsoleResponse.of(200, "text/html;charset=UTF-8", page));
    }

    /** Relative, so that a proxy may serve the application under another path. */
    private ConsoleResponse withSlash(String query) {
        String last = path.substring(path.lastIndexOf('/') + 1) + "/";
        return ConsoleResponse.empty(302).with("Location", query.isEmpty() ? last : last + "?" + query);
    }

    private CompletionStage<ConsoleResponse> file(Route.Call call) {
        String name = call.variables().getOrDefault("file", "");
        boolean present = hash.equals(call.variables().get("hash"));
        boolean zips = call.request()
                .header("accept-encoding")
                .filter(accepted -> accepted.contains("gzip"))
                .isPresent();
        return now(Optional.ofNullable((zips ? zipped : files).get(name))
                .filter(file -> present)
                .map(file -> ConsoleResponse.of(200, type(name), file)
                        .with("Cache-Control", "private, max-age=31536000, immutable")
                        .with("Vary", "Accept-Encoding"))
                .map(answer -> zips ? answer.with("Content-Encoding", "gzip") : answer)
                .orElseGet(() -> ConsoleResponse.text(404, "There is no such file in this version of the console")));
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "css" -> "text/css;charset=UTF-8";
            case "svg" -> "image/svg+xml";
            default -> "text/javascript;charset=UTF-8";
        };
    }

    private static byte[] zip(byte[] file) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String hash(Map<String, byte[]> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((name, file) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(file);
            });
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static byte[] read(String name) {
        try (InputStream file = PageRoutes.class.getResourceAsStream(PLACE + name)) {
            if (file == null) {
                throw new IllegalStateException(
                        "Expected the file \"%s\" in the jar of the console, but it is missing; build it with Maven"
                                .formatted(PLACE + name));
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CompletionStage<ConsoleResponse> now(ConsoleResponse response) {
        return CompletableFuture.completedFuture(response);
    }
}
