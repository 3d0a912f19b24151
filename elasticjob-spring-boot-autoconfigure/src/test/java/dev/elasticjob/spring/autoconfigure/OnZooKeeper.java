package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications on a real ZooKeeper, and what their engines told. Not safe for use by several threads. */
final class OnZooKeeper implements AutoCloseable {
    private final String connectString;
    private final AutoCloseable server;
    private final Heard<JobEvent> events = new Heard<>();
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    OnZooKeeper() {
        TestZooKeeper started = TestZooKeeper.start();
        this.connectString = started.connectString();
        this.server = started;
    }

    /** @param server that is closed after all applications */
    OnZooKeeper(String connectString, AutoCloseable server) {
        this.connectString = connectString;
        this.server = server;
    }

    /** Starts an application whose instance has a name. */
    ConfigurableApplicationContext start(String instance, Class<?> application, String... properties) {
        var spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);
        spring.addInitializers(
                context -> context.getBeanFactory().registerSingleton("heard", (JobEventListener) events::add),
                context -> context.getBeanFactory().registerSingleton("named", (ElasticJobEngineBuilderCustomizer)
                        engine -> engine.instanceId(instance)));
        List<String> arguments = new ArrayList<>(List.of(
                "--elasticjob.registry.connect-string=" + connectString,
                "--elasticjob.registry.namespace=shop",
                "--elasticjob.registry.session-timeout=6s",
                "--elasticjob.shutdown-timeout=2s"));
        arguments.addAll(Arrays.asList(properties));
        ConfigurableApplicationContext context = spring.run(arguments.toArray(String[]::new));
        applications.add(context);
        return context;
    }

    /** Waits for an event. */
    <E extends JobEvent> E await(Class<E> kind, Predicate<E> wanted) {
        Predicate<JobEvent> fits = event -> kind.isInstance(event) && wanted.test(kind.cast(event));
        events.await(kind.getSimpleName(), told -> told.stream().anyMatch(fits));
        return kind.cast(events.all().stream().filter(fits).findFirst().orElseThrow());
    }

    /** Forgets the events so far. */
    void forget() {
        events.clear();
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    String connectString() {
        return connectString;
    }

    /** What stands before every node's path in messages; empty for none. */
    String chroot() {
        return connectString.replaceFirst("[^/]*", "");
    }

    @Override
    public void close() {
        applications.forEach(ConfigurableApplicationContext::close);
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
