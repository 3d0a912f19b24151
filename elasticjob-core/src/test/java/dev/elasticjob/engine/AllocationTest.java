package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an execution that does nothing allocates, with all its coordination and the registry in memory. One thread does
 * everything in virtual time, so the bytes are those of no other work. The compiler removes some allocations, so the
 * bounds are those of interpreted code (-Xint), and a tenth more for other JVMs.
 */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FIRINGS = 5;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T00:00:30Z"));
    private long executed;

    @ParameterizedTest
    @CsvSource({"1, 1000, 17800", "100, 1, 54500"})
    void anExecutionAllocatesFewBytes(int jobs, int items, long budget) {
        start(jobs, items);
        pass(Duration.ofMinutes(FIRINGS));
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long executedBefore = executed;

        pass(Duration.ofMinutes(FIRINGS));
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(executed - executedBefore).isEqualTo((long) jobs * items * FIRINGS);
        System.out.printf(
                "an execution of %d jobs of %d items allocates %,d bytes%n",
                jobs, items, bytes / (executed - executedBefore));
        assertThat(bytes / (executed - executedBefore)).isLessThanOrEqualTo(budget);
    }

    private void start(int jobs, int items) {
        ElasticJobEngine engine = ElasticJobEngine.builder(new InMemoryRegistry(new InMemoryEnsemble(time), tasks::add))
                .instanceId("10.0.0.1@-@1")
                .ip("10.0.0.1")
                .clock(time)
                .timer(time)
                .coordinationExecutor(tasks::add)
                .workers(tasks::add)
                .maxThreads(jobs * items)
                .build();
        for (int job = 0; job < jobs; job++) {
            JobDefinition definition = JobDefinition.builder("job-" + job)
                    .cron("0 * * * * ?")
                    .shardingTotalCount(items)
                    .failover(true)
                    .build();
            engine.register(definition, context -> executed++);
        }
        engine.start();
    }

    /** Lets time pass, from one timer to the next. */
    private void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        settle();
        while (time.instant().isBefore(end)) {
            Instant next = time.nextTask().filter(task -> task.isBefore(end)).orElse(end);
            time.advance(Duration.between(time.instant(), next));
            settle();
        }
    }

    private void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
