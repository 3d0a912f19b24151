package dev.elasticjob.spring.test;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs several instances of jobs in one JVM. Each instance is an engine with its own registry session.
 *
 * <p>Without Spring, it is a JUnit extension that creates new instances and a new registry for each test:
 *
 * <pre>{@code
 * @RegisterExtension
 * final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b", "c").job(billing, new BillingJob()).build();
 * }</pre>
 *
 * <p>In an {@link ElasticJobTest}, it is injected. The application is the instance {@value #APPLICATION}. Each further
 * instance is another engine that runs <em>the same beans</em>, and ends with the test. Unlike separate processes, all
 * instances therefore share the state of a bean.
 *
 * <p>Must be called on the test's thread, except {@link #kill}, which a job may call too.
 */
public final class ElasticJobCluster implements BeforeEachCallback, AfterEachCallback, AssertProvider<ClusterAssert> {
    /** The name of the application's own instance, if there is an application. */
    public static final String APPLICATION = "application";

    private final Supplier<Instances> opening;
    private final Consumer<Instances> ending;
    private @Nullable Instances instances;

    private ElasticJobCluster(Supplier<Instances> opening, Consumer<Instances> ending) {
        this.opening = opening;
        this.ending = ending;
    }

    /** Returns a builder for a cluster in which these instances exist when a test starts. */
    public static Builder of(String... instances) {
        return new Builder(List.of(instances));
    }

    /** A cluster on existing instances, of which only those that a test starts end with it. */
    static ElasticJobCluster over(Instances instances) {
        return new ElasticJobCluster(
                () -> {
                    instances.world().journal().clear();
                    return instances;
                },
                Instances::killAll);
    }

    /** Starts an instance, and waits until it owns its share of the items. */
    public void start(String instance) {
        start(instance, Map.of());
    }

    /**
     * Starts an instance with these labels, by which jobs choose it ({@link JobDefinition#runOn()}), and waits until it knows
     * its share of the items.
     *
     * @throws IllegalArgumentException that names all labels that can't be used
     */
    public void start(String instance, Map<String, String> labels) {
        present().start(instance, labels);
    }

    /** Stops an instance gracefully: its running items complete, then the other instances share its items. */
    public void stop(String instance) {
        present().stop(instance);
    }

    /**
     * Crashes an instance: nothing it does reaches the other instances any more, and its session ends at once, without
     * waiting for the session timeout. Waits until the other instances share its items.
     *
     * <p>A thread can't be killed, so the instance's executions are interrupted, and their results are ignored. If a
     * job calls this method, it returns at once, so that an execution can end in the middle of its work.
     */
    public void kill(String instance) {
        present().kill(instance);
    }

    /** The names of the running instances. */
    public Set<String> instances() {
        return present().names();
    }

    /** Fires the jobs of the cluster, and advances time. */
    public Jobs jobs() {
        return present().jobs();
    }

    /** The executions on all instances since the test started, in the order in which they started. */
    public List<Execution> executions() {
        return present().world().journal().executions();
    }

    Set<Integer> itemsOf(String jobName) {
        return IntStream.range(0, jobs().definition(jobName).shardingTotalCount())
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** For AssertJ, which calls it in its own {@code assertThat}. */
    @Override
    public ClusterAssert assertThat() {
        return new ClusterAssert(this);
    }

    /** For JUnit. */
    @Override
    public void beforeEach(ExtensionContext test) {
        instances = opening.get();
    }

    /** For JUnit. */
    @Override
    public void afterEach(ExtensionContext test) {
        Instances present = instances;
        instances = null;
        if (present != null) {
            ending.accept(present);
        }
    }

    private Instances present() {
        return Optional.ofNullable(instances)
                .orElseThrow(() -> new IllegalStateException(
                        "The cluster exists only during a test: put @RegisterExtension on its field, and use it in"
                                + " test methods or @BeforeEach"));
    }

    private record PlainJobs(List<Consumer<ElasticJobEngine>> all) implements Workload {
        @Override
        public void configure(ElasticJobEngineBuilder engine) {
            // Tests that need more use an application.
        }

        @Override
        public void registerWith(ElasticJobEngine engine) {
            all.forEach(job -> job.accept(engine));
        }
    }

    /** Collects the settings of a cluster. Not thread-safe. */
    public static final class Builder {
        private final List<String> names;
        private final List<Consumer<ElasticJobEngine>> jobs = new ArrayList<>();
        private final Map<String, Map<String, String>> labels = new HashMap<>();
        private JobEnvironment environment = JobEnvironment.MANUAL_TIME;
        private Instant startTime = Instant.parse(ElasticJobTest.START_TIME);
        private Duration timeout = Duration.ofSeconds(30);

        private Builder(List<String> names) {
            this.names = names;
        }

        /** Adds a job. All instances run it with the same object. */
        public Builder job(JobDefinition definition, SimpleJob job) {
            jobs.add(engine -> engine.register(definition, job));
            return this;
        }

        /** Adds a dataflow job. All instances run it with the same object. */
        public Builder job(JobDefinition definition, DataflowJob<?> job) {
            jobs.add(engine -> engine.register(definition, job));
            return this;
        }

        /** The labels of an instance that exists when a test starts, by which jobs choose it; none by default. */
        public Builder labels(String instance, Map<String, String> of) {
            labels.put(instance, Map.copyOf(of));
            return this;
        }

        /** The environment of the jobs; {@link JobEnvironment#MANUAL_TIME} by default. */
        public Builder environment(JobEnvironment present) {
            this.environment = present;
            return this;
        }

        /**
         * The time at which a test starts, according to its own clock; {@value ElasticJobTest#START_TIME} by default.
         */
        public Builder startTime(Instant moment) {
            this.startTime = moment;
            return this;
        }

        /** The timeout of every wait, in real time; 30 s by default. */
        public Builder timeout(Duration longest) {
            this.timeout = longest;
            return this;
        }

        public ElasticJobCluster build() {
            List<Consumer<ElasticJobEngine>> all = List.copyOf(jobs);
            return new ElasticJobCluster(() -> open(all), Builder::close);
        }

        private Instances open(List<Consumer<ElasticJobEngine>> all) {
            ClusterResources world = new ClusterResources(environment, startTime, timeout);
            Instances instances = Instances.of(world, new PlainJobs(all));
            try {
                names.forEach(name -> instances.start(name, labels.getOrDefault(name, Map.of())));
                return instances;
            } catch (RuntimeException | Error e) {
                close(instances);
                throw e;
            }
        }

        private static void close(Instances instances) {
            try {
                instances.close();
            } finally {
                instances.world().close();
            }
        }
    }
}
