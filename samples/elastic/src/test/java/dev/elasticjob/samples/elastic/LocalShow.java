package dev.elasticjob.samples.elastic;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.kubernetes.local.LocalCluster;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.ZooKeeperTestServer;
import dev.elasticjob.time.SystemTaskTimer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shows the application on this machine: a ZooKeeper server, the jars of the controller, of the console and of the
 * application, and a cluster that is played, whose pods are processes. It prints what happens, and ends by itself; with
 * {@code --stay} when somebody presses Enter. If the story goes another way, it ends with an exception.
 */
public final class LocalShow implements AutoCloseable {
    private static final String APP = "billing";
    private static final String JOB = "invoices";
    private static final int ITEMS = 10;
    private static final int WORKERS = 5;
    private static final int CONSOLE_PORT = 8899;
    /** Of the user {@code ops}: the same as the name. */
    private static final String PASSWORD = "{bcrypt}$2a$10$TelxCiPw1HAAiokcuJJlpOjzLcmVu7Y/I3Kk/fMAx82BI809Qx9t6";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final Pattern POD_ADDED = Pattern.compile("Pod (\\S+) added");
    private static final Pattern POD_ENDED = Pattern.compile("(\\S+) ended with (\\d+)");
    private static final Pattern OF_ITEM = Pattern.compile("(\\S+): item (\\d) (begins|is done), attempt (\\d+)");
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final ZooKeeperTestServer zooKeeper = ZooKeeperTestServer.start();
    private final LocalCluster cluster = new LocalCluster(LocalShow::runPod, LocalShow::tell);
    private final List<ChildJvm> processes = new ArrayList<>();
    private final SystemTaskTimer timer = new SystemTaskTimer("show");
    private final CuratorRegistry registry =
            CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), APP));

    /** What a worker has said of an item. */
    private record Said(String pod, int item, boolean done, int attempt) {
        static Stream<Said> of(String line) {
            return OF_ITEM.matcher(line)
                    .results()
                    .map(found -> new Said(
                            found.group(1),
                            Integer.parseInt(found.group(2)),
                            found.group(3).equals("is done"),
                            Integer.parseInt(found.group(4))));
        }
    }

    /** @param arguments {@code --stay}, and {@code --any-port} for the console */
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        // Nothing is left, however this ends.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        try (var show = new LocalShow()) {
            show.start(given.contains("--any-port") ? 0 : CONSOLE_PORT);
            show.play();
            if (given.contains("--stay")) {
                say("Press Enter to end all of it.");
                System.in.read();
            }
        }
    }

    private void start(int consolePort) {
        cluster.start();
        processes.add(controller());
        ChildJvm console = console(consolePort);
        processes.add(console);
        console.await("the web server", line -> PORT.matcher(line).find());
        say("ZooKeeper: " + zooKeeper.connectString());
        say("API server: " + cluster.server.url());
        say("Console: http://127.0.0.1:%s/elasticjob/?view=apps (user ops, password ops)".formatted(port(console)));
    }

    // ------------------------------------------------------------------ the story

    private void play() {
        say("kubectl apply -n %s -f elastic-app.yaml".formatted(CrudServer.NAMESPACE));
        cluster.apply(Path.of("elastic-app.yaml"));
        await("the job in the registry", all -> cluster.condition(APP, "Ready").equals("True Ready"));
        awaitNoPod();
        say("0 pods: the first one has introduced the job, and has left. Now the job fires, asked for by hand.");

        cluster.happened.clear();
        admin().trigger(JOB).toCompletableFuture().join();
        await(
                "all items on %d pods".formatted(WORKERS),
                all -> podsOf(all).size() == WORKERS
                        && said(all).filter(said -> !said.done()).count() >= ITEMS);
        String killed = said(cluster.happened.all())
                .filter(said -> !said.done())
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .pod();
        SortedSet<Integer> open = open(killed);
        cluster.kill(killed);
        say("%d pods work. %s has been killed while it executed items %s.".formatted(WORKERS, killed, open));
        await("the end of all items", all -> done(all).size() >= ITEMS);
        awaitNoPod();

        expect("each item, done once", IntStream.range(0, ITEMS).boxed().toList(), done(cluster.happened.all()));
        expect("the items that others began again", open, takenOverFrom(killed));
        say("0 pods. Each of the %d items is done, once; %s by others than %s.".formatted(ITEMS, open, killed));
    }

    private void awaitNoPod() {
        await(
                "no pod",
                all -> cluster.running().isEmpty()
                        && cluster.jobs().stream()
                                .allMatch(job -> job.getStatus() != null
                                        && !job.getStatus().getConditions().isEmpty()));
    }

    private void await(String what, Predicate<List<String>> wanted) {
        cluster.happened.await(what, wanted);
    }

    private JobAdmin admin() {
        return new RegistryJobAdmin(registry, new CommandLog(event -> {}, Actor.UNKNOWN, "show"), timer);
    }

    private static void expect(String what, Iterable<Integer> expected, Iterable<Integer> found) {
        if (!expected.toString().equals(found.toString())) {
            throw new IllegalStateException("%s: expected %s but found %s".formatted(what, expected, found));
        }
    }

    // ------------------------------------------------------------------ what was heard

    private static Stream<Said> said(List<String> lines) {
        return lines.stream().flatMap(Said::of);
    }

    private static SortedSet<String> podsOf(List<String> lines) {
        return said(lines).map(Said::pod).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Integer> done(List<String> lines) {
        return said(lines).filter(Said::done).map(Said::item).sorted().toList();
    }

    /** The items that a pod has begun, and that are not done. */
    private SortedSet<Integer> open(String pod) {
        SortedSet<Integer> open = new TreeSet<>();
        said(cluster.happened.all()).filter(said -> said.pod().equals(pod)).forEach(said -> {
            if (said.done()) {
                open.remove(said.item());
            } else {
                open.add(said.item());
            }
        });
        return open;
    }

    private SortedSet<Integer> takenOverFrom(String pod) {
        return said(cluster.happened.all())
                .filter(said -> said.attempt() > 1 && !said.pod().equals(pod))
                .map(Said::item)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Prints what people want to see of all that happens. */
    private static void tell(String line) {
        Matcher added = POD_ADDED.matcher(line);
        Matcher ended = POD_ENDED.matcher(line);
        if (added.matches()) {
            say("  pod %s starts".formatted(added.group(1)));
        } else if (ended.matches()) {
            say("  pod %s has ended, exit code %s".formatted(ended.group(1), ended.group(2)));
        }
        Said.of(line).forEach(said -> say("  pod " + line));
    }

    private static void say(String line) {
        // One call for the whole line: several threads print.
        System.out.println(LocalTime.now().format(TIME) + " " + line);
    }

    // ------------------------------------------------------------------ the processes

    private static ChildJvm runPod(String pod, Map<String, String> environment, Consumer<String> lines) {
        Path image = jar(Path.of("target"), "elasticjob-sample-elastic");
        return ChildJvm.ofJar(pod, lines, LocalCluster.OPTIONS, image, List.of(), environment);
    }

    private ChildJvm controller() {
        return ChildJvm.ofJar(
                "controller",
                line -> {},
                LocalCluster.OPTIONS,
                jar(Path.of("..", "..", "elasticjob-kubernetes", "target"), "elasticjob-kubernetes"),
                List.of(
                        "--server.port=0",
                        "--elasticjob.registry.connect-string=" + zooKeeper.connectString(),
                        "--elasticjob.kubernetes.namespace=" + CrudServer.NAMESPACE),
                Map.of("KUBERNETES_MASTER", cluster.server.url(), "KUBERNETES_AUTH_TRYKUBECONFIG", "false"));
    }

    private ChildJvm console(int port) {
        return ChildJvm.ofJar(
                "console",
                LocalCluster.OPTIONS,
                jar(Path.of("..", "..", "elasticjob-console", "target"), "elasticjob-console"),
                List.of(
                        "--server.port=" + port,
                        "--elasticjob.console.registries.local.connect-string=" + zooKeeper.connectString(),
                        "--elasticjob.console.registries.local.namespace=" + APP,
                        "--elasticjob.console.users.ops.password=" + PASSWORD,
                        "--elasticjob.console.users.ops.roles=operator"));
    }

    private static String port(ChildJvm process) {
        return process.printed().all().stream()
                .flatMap(line -> PORT.matcher(line).results())
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static Path jar(Path directory, String name) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(name + "-.*-exec\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "Expected a jar %s-…-exec.jar in %s but there is none. Run: mvn package -pl samples/elastic -am -DskipTests"
                                    .formatted(name, directory)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        registry.close();
        timer.close();
        processes.forEach(ChildJvm::close);
        cluster.close();
        zooKeeper.close();
    }
}
