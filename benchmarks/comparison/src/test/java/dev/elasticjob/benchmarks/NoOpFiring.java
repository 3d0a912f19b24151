package dev.elasticjob.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An item that does nothing, as a thousandth of a firing, with all that its coordination takes: by JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NoOpFiring {
    private static final int ITEMS = 1_000;

    private final VirtualCluster cluster = new VirtualCluster();

    @Setup
    public void start() {
        cluster.start(1, ITEMS);
        cluster.pass(Duration.ofMinutes(1));
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public long firing() {
        cluster.pass(Duration.ofMinutes(1));
        return cluster.executed();
    }
}
