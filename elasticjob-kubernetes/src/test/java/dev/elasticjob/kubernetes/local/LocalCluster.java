package dev.elasticjob.kubernetes.local;

import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Plays what is behind an API server: the controller of Jobs, the garbage collector, the scheduler and a kubelet. A pod is a
 * JVM of its own. An image that begins with {@code missing} can't be pulled. Everything happens on one thread; the public
 * methods are safe for any.
 */
public final class LocalCluster implements AutoCloseable {
    private static final String JOB = "batch.kubernetes.io/job-name";
    /** For a JVM that starts fast and stays small. */
    public static final List<String> OPTIONS =
            List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

    public final CrudServer server = new CrudServer();
    /** All that has happened: changes of objects, and lines of pods after their names. */
    public final Heard<String> happened = new Heard<>();

    private final Image image;
    private final Consumer<String> listener;
    private final KubernetesClient client = server.newClient();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Map<String, ChildJvm> processes = new ConcurrentHashMap<>();
    private volatile boolean full;
    private volatile Optional<String> told = Optional.empty();
    private int pods;

    /** What the pods run, whatever they call it. */
    public interface Image {
        /**
         * Starts its container.
         *
         * @param lines hears each line of its log
         */
        ChildJvm run(String pod, Map<String, String> environment, Consumer<String> lines);
    }

    /** One that runs {@link OrdersWorker}. */
    LocalCluster() {
        this(LocalCluster::ordersWorker, line -> {});
    }

    /** @param listener is told of all that happens, on several threads */
    public LocalCluster(Image image, Consumer<String> listener) {
        this.image = image;
        this.listener = listener;
    }

    public void start() {
        watch(client.batch().v1().jobs().inNamespace(CrudServer.NAMESPACE).runnableInformer(0));
        watch(client.pods().inNamespace(CrudServer.NAMESPACE).runnableInformer(0));
        watch(client.v1().events().inNamespace(CrudServer.NAMESPACE).runnableInformer(0));
        watch(server.apps().runnableInformer(0));
    }

    private <T extends HasMetadata> void watch(SharedIndexInformer<T> informer) {
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T added) {
                changed(added, "added");
            }

            @Override
            public void onUpdate(T before, T after) {
                changed(after, "changed");
            }

            @Override
            public void onDelete(T deleted, boolean unknown) {
                changed(deleted, "deleted");
            }
        });
        informer.start();
    }

    private void changed(HasMetadata object, String how) {
        later(() -> {
            happen("%s %s %s".formatted(object.getKind(), object.getMetadata().getName(), how));
            reconcile();
        });
    }

    private void happen(String line) {
        listener.accept(line);
        happened.add(line);
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            happen("closed");
        }
    }

    /** As {@code kubectl apply} does, with resources that are not there yet. */
    public void apply(Path file) {
        try (InputStream yaml = Files.newInputStream(file)) {
            for (HasMetadata one : client.load(yaml).items()) {
                if (one instanceof GenericKubernetesResource app
                        && app.getKind().equals("ElasticApp")) {
                    server.put(app.getMetadata().getName(), app.get("spec"));
                } else {
                    client.resource(one).create();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of an application; empty before there is any. */
    public Map<?, ?> status(String app) {
        var present = server.app(app).get();
        return present != null && present.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                ? status
                : Map.of();
    }

    /** The status and the reason of a condition of an application. */
    public String condition(String app, String type) {
        return wholeCondition(app, type)
                .map(one -> one.get("status") + " " + one.get("reason"))
                .orElse("");
    }

    /** A condition of an application, with all that is written of it. */
    Optional<Map<?, ?>> wholeCondition(String app, String type) {
        return status(app).get("conditions") instanceof List<?> conditions
                ? conditions.stream()
                        .<Map<?, ?>>map(one -> (Map<?, ?>) one)
                        .filter(one -> type.equals(one.get("type")))
                        .findFirst()
                : Optional.empty();
    }

    /** No node has room, until it is called again. */
    void setFull(boolean full) {
        this.full = full;
        later(this::reconcile);
    }

    /** SIGKILL, as when a node dies or memory runs out. */
    public void kill(String pod) {
        processes.get(pod).kill();
    }

    void tell(String pod, String line) {
        processes.get(pod).tell(line);
    }

    /** To each pod that runs, and to those that are started from now on. */
    void tellAll(String line) {
        told = Optional.of(line);
        for (String pod : running()) {
            try {
                tell(pod, line);
            } catch (UncheckedIOException ended) {
                happen(pod + " has ended before it was told");
            }
        }
    }

    /** Pods that are started from now on are told nothing. */
    void tellNobody() {
        told = Optional.empty();
    }

    public List<Job> jobs() {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace(CrudServer.NAMESPACE)
                .list()
                .getItems();
    }

    /** The names of the pods that run. */
    public List<String> running() {
        return processes.values().stream()
                .filter(ChildJvm::isAlive)
                .map(ChildJvm::name)
                .sorted()
                .toList();
    }

    // ------------------------------------------------------------------ on the thread

    private void reconcile() {
        List<Job> jobs = jobs();
        List<Pod> known = client.pods().inNamespace(CrudServer.NAMESPACE).list().getItems();
        for (Job job : jobs) {
            if (server.app(job.getMetadata().getLabels().get(Injected.APP)).get() == null) {
                client.resource(job).delete();
            } else if (known.stream().noneMatch(pod -> isOf(pod, job))) {
                create(job);
            }
        }
        for (Pod pod : known) {
            if (jobs.stream().noneMatch(job -> isOf(pod, job))) {
                end(pod);
            } else if (pod.getStatus() == null
                    || "Pending".equals(pod.getStatus().getPhase())) {
                run(pod);
            }
        }
    }

    private static boolean isOf(Pod pod, Job job) {
        return job.getMetadata().getName().equals(pod.getMetadata().getLabels().get(JOB));
    }

    private void create(Job job) {
        String name = "%s-%05d".formatted(job.getMetadata().getName(), ++pods);
        client.resource(new PodBuilder()
                        .withMetadata(job.getSpec().getTemplate().getMetadata())
                        .editMetadata()
                        .withName(name)
                        .withNamespace(CrudServer.NAMESPACE)
                        .addToLabels(JOB, job.getMetadata().getName())
                        .endMetadata()
                        .withSpec(job.getSpec().getTemplate().getSpec())
                        .withNewStatus()
                        .withPhase("Pending")
                        .endStatus()
                        .build())
                .create();
    }

    private void end(Pod pod) {
        ChildJvm process = processes.get(pod.getMetadata().getName());
        if (process != null && process.isAlive()) {
            process.askToEnd();
        } else {
            client.resource(pod).delete();
        }
    }

    private void run(Pod pod) {
        String name = pod.getMetadata().getName();
        String image = pod.getSpec().getContainers().get(0).getImage();
        if (processes.containsKey(name)) {
            return;
        }
        if (full) {
            write(pod, unschedulable());
        } else if (image.startsWith("missing")) {
            write(pod, unpulled(image));
        } else {
            write(pod, started());
            ChildJvm process = start(pod);
            processes.put(name, process);
            told.ifPresent(process::tell);
        }
    }

    private ChildJvm start(Pod pod) {
        String name = pod.getMetadata().getName();
        String start = now();
        ChildJvm process = image.run(name, environment(pod), line -> happen(name + ": " + line));
        Thread waiting = new Thread(() -> ended(pod, process, start), "end of " + name);
        waiting.setDaemon(true);
        waiting.start();
        return process;
    }

    private static ChildJvm ordersWorker(String name, Map<String, String> environment, Consumer<String> lines) {
        return ChildJvm.start(
                name,
                lines,
                OPTIONS,
                OrdersWorker.class,
                List.of(
                        "--spring.main.banner-mode=off",
                        "--spring.main.keep-alive=true",
                        // The controller is on the class path, and is no part of it.
                        "--spring.main.web-application-type=none",
                        "--spring.config.location=optional:classpath:/none/"),
                environment);
    }

    /** As a kubelet does: a variable may refer to those before it. */
    private static Map<String, String> environment(Pod pod) {
        Map<String, String> all = new HashMap<>();
        for (EnvVar variable : pod.getSpec().getContainers().get(0).getEnv()) {
            String value = Optional.ofNullable(variable.getValue())
                    .orElseGet(() ->
                            variable.getValueFrom().getFieldRef().getFieldPath().equals("metadata.name")
                                    ? pod.getMetadata().getName()
                                    : "127.0.0.1");
            for (Map.Entry<String, String> known : all.entrySet()) {
                value = value.replace("$(" + known.getKey() + ")", known.getValue());
            }
            all.put(variable.getName(), value);
        }
        return all;
    }

    private void ended(Pod pod, ChildJvm process, String start) {
        int code = process.awaitEnd();
        later(() -> {
            write(pod, terminated(code, start));
            String job = pod.getMetadata().getLabels().get(JOB);
            if (client.batch()
                            .v1()
                            .jobs()
                            .inNamespace(CrudServer.NAMESPACE)
                            .withName(job)
                            .get()
                    != null) {
                client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(CrudServer.NAMESPACE)
                        .withName(job)
                        .edit(known -> finished(known, code == 0 ? "Complete" : "Failed"));
            }
            happen(pod.getMetadata().getName() + " ended with " + code);
        });
    }

    private void write(Pod pod, PodStatus status) {
        var resource = client.pods()
                .inNamespace(CrudServer.NAMESPACE)
                .withName(pod.getMetadata().getName());
        Pod known = resource.get();
        if (known != null && !status.equals(known.getStatus())) {
            resource.edit(one -> new PodBuilder(one).withStatus(status).build());
        }
    }

    private static Job finished(Job job, String condition) {
        return new JobBuilder(job)
                .withStatus(new JobStatusBuilder()
                        .addNewCondition()
                        .withType(condition)
                        .withStatus("True")
                        .endCondition()
                        .build())
                .build();
    }

    private static PodStatus unschedulable() {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/1 nodes are available: 1 Insufficient memory.")
                .endCondition()
                .build();
    }

    private static PodStatus unpulled(String image) {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .addNewContainerStatus()
                .withState(new ContainerStateBuilder()
                        .withNewWaiting("Back-off pulling image \"%s\"".formatted(image), "ImagePullBackOff")
                        .build())
                .endContainerStatus()
                .build();
    }

    private static PodStatus started() {
        return new PodStatusBuilder()
                .withPhase("Running")
                .addNewContainerStatus()
                .withState(new ContainerStateBuilder().withNewRunning(now()).build())
                .endContainerStatus()
                .build();
    }

    private static PodStatus terminated(int code, String start) {
        return new PodStatusBuilder()
                .withPhase(code == 0 ? "Succeeded" : "Failed")
                .addNewContainerStatus()
                .withState(new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withReason(code == 0 ? "Completed" : code == 137 ? "OOMKilled" : "Error")
                        .withStartedAt(start)
                        .withFinishedAt(now())
                        .endTerminated()
                        .build())
                .endContainerStatus()
                .build();
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        processes.values().forEach(ChildJvm::close);
        client.close();
        server.close();
    }
}
