package dev.elasticjob.migration.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import tools.jackson.databind.node.ObjectNode;

/**
 * The jobs that a ZooKeeper holds below a namespace: those of Lite, or the registrations of Cloud. Only reads: nothing is created, not even the namespace. Every request
 * has a time limit. For one thread.
 */
public final class LiveTree {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final String CLOUD_APPS = "/config/app";
    private static final String CLOUD_JOBS = "/config/job";
    private static final int SESSION_MILLIS = 20_000;

    private final String connectString;
    private final String root;
    private final ZooKeeper client;

    private LiveTree(String connectString, String namespace, ZooKeeper client) {
        this.connectString = connectString;
        this.root = "/" + namespace;
        this.client = client;
    }

    /**
     * Reads all jobs.
     *
     * @param digest {@code user:password}
     * @throws UnreadableSourceException if the servers don't answer in time, or a node is missing or malformed
     */
    public static List<SourceDocument> read(String connectString, String namespace, Optional<String> digest) {
        SourceLocation place = SourceLocation.of("ZooKeeper " + connectString);
        try {
            ZooKeeper client = connect(connectString, place);
            try {
                digest.ifPresent(text -> client.addAuthInfo("digest", text.getBytes(StandardCharsets.UTF_8)));
                var tree = new LiveTree(connectString, namespace, client);
                return tree.isOfCloud() ? tree.registrations() : List.of(tree.document(namespace));
            } finally {
                client.close();
            }
        } catch (KeeperException e) {
            throw new UnreadableSourceException(place, reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreadableSourceException(place, "interrupted", e);
        }
    }

    private static String reason(KeeperException e) {
        return switch (e.code()) {
            case NONODE -> "expected the node \"%s\", but there is none. Check the namespace".formatted(e.getPath());
            case NOAUTH -> "the node \"%s\" belongs to a digest. Give it with --digest".formatted(e.getPath());
            default -> "the node \"%s\" can't be read: %s".formatted(e.getPath(), e.getMessage());
        };
    }

    private static ZooKeeper connect(String connectString, SourceLocation place) throws InterruptedException {
        var connected = new CountDownLatch(1);
        var config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(LIMIT.toMillis()));
        ZooKeeper client = null;
        try {
            client = new ZooKeeper(
                    connectString,
                    SESSION_MILLIS,
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    config);
            if (connected.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return client;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new UnreadableSourceException(
                    place, "expected host:port[,host:port…][/chroot], but: %s".formatted(e.getMessage()), e);
        }
        client.close();
        throw new UnreadableSourceException(
                place, "no server answered within %d s. Check the address".formatted(LIMIT.toSeconds()));
    }

    /** A job of Lite that is named "config" has neither. */
    private boolean isOfCloud() throws KeeperException, InterruptedException {
        return client.exists(root + CLOUD_APPS, false) != null || client.exists(root + CLOUD_JOBS, false) != null;
    }

    private List<SourceDocument> registrations() throws KeeperException, InterruptedException {
        Map<String, ObjectNode> byPath = new LinkedHashMap<>();
        registrations(CLOUD_APPS, "/state/disable/app", byPath);
        registrations(CLOUD_JOBS, "/state/disable/job", byPath);
        return SourceFiles.merged(CloudRegistrations.ofNodes(byPath));
    }

    private void registrations(String folder, String disabled, Map<String, ObjectNode> byPath)
            throws KeeperException, InterruptedException {
        for (String name : children(root + folder)) {
            String path = root + folder + "/" + name;
            ObjectNode node = StoredJob.objectOfCloud(path, text(path).orElse(""));
            if (client.exists(root + disabled + "/" + name, false) != null) {
                node.put("disabled", true);
            }
            byPath.put(path, node);
        }
    }

    private List<String> children(String path) throws KeeperException, InterruptedException {
        try {
            return client.getChildren(path, false).stream().sorted().toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private SourceDocument document(String namespace) throws KeeperException, InterruptedException {
        var document = new DocumentBuilder(SourceFiles.DEFAULT_OUTPUT, Optional.empty());
        List<SourceJob> jobs = new ArrayList<>();
        for (String job : client.getChildren(root, false).stream().sorted().toList()) {
            job(job, document).ifPresent(jobs::add);
        }
        jobs.forEach(document::add);
        SourceLocation place = SourceLocation.of(root);
        Dialect dialect =
                jobs.stream().anyMatch(job -> job.dialect() == Dialect.TREE_3) ? Dialect.TREE_3 : Dialect.TREE_2;
        document.add(new SourceRegistry(
                "",
                dialect,
                place,
                List.of(
                        new SourceSetting("server-lists", connectString, place),
                        new SourceSetting("namespace", namespace, place))));
        return document.build();
    }

    private Optional<SourceJob> job(String name, DocumentBuilder document)
            throws KeeperException, InterruptedException {
        String path = root + "/" + name;
        Optional<String> config = text(path + "/config").filter(text -> !text.isBlank());
        boolean ours = client.exists(path + "/extension", false) != null;
        if (config.isEmpty()) {
            document.remark(
                    SourceLocation.of(path),
                    ours ? "is a job of this project already" : "is no job of ElasticJob: it has no \"config\" node");
            return Optional.empty();
        }
        if (ours) {
            document.remark(
                    SourceLocation.of(path),
                    "is a job of this project already: only its node \"config\" was converted, not \"extension\"");
        }
        String file = path + "/config";
        if (StoredJob.isJson(config.get())) {
            return Optional.of(StoredJob.ofJson(file, config.get()));
        }
        List<List<YamlText.Entry>> documents = YamlText.documents(file, config.get());
        return Optional.of(StoredJob.ofYaml(file, documents.get(0), text(path)));
    }

    private Optional<String> text(String path) throws KeeperException, InterruptedException {
        try {
            byte[] data = client.getData(path, false, null);
            return Optional.ofNullable(data).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }
}
