package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nothing grows: four instances of 200 jobs, one of which leaves in good order or loses its session each minute. For longer:
 * {@code -Dsoak.minutes=120}.
 */
@Tag("proof")
class SoakTest {
    private static final int MINUTES = Integer.getInteger("soak.minutes", 24);
    private static final int JOBS = Integer.getInteger("soak.jobs", 200);
    private static final int INSTANCES = 4;

    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final AtomicInteger executions = new AtomicInteger();

    /** What there is once a minute, when nobody has just come or gone. */
    private record Picture(long nodes, long watches, long timers, long requests) {}

    @Test
    void nodesWatchesTimersAndMemoryStayWhatTheyAre() {
        IntStream.range(0, INSTANCES).forEach(this::start);
        List<Picture> pictures = new ArrayList<>();
        List<Long> heaps = new ArrayList<>();
        for (int minute = 0; minute < MINUTES; minute++) {
            int coming = minute % INSTANCES;
            if (minute % 2 == 0) {
                cluster.stop(name(coming));
                cluster.pass(Duration.ofSeconds(20));
                start(coming);
            } else {
                cluster.expire(name(coming));
                cluster.pass(Duration.ofSeconds(20));
            }
            long before = cluster.requests();
            cluster.pass(Duration.ofSeconds(40));
            assertThat(executions).as("executions until minute %d", minute).hasValue(JOBS * 2 * (minute + 1));
            cluster.forget();
            pictures.add(new Picture(
                    cluster.tree().lines().count(), cluster.watches(), cluster.timers(), cluster.requests() - before));
            if (minute % INSTANCES == 0) {
                heaps.add(heap());
            }
        }

        assertThat(pictures.stream().map(Picture::nodes).distinct()).as("nodes").hasSize(1);
        assertThat(pictures.stream().map(Picture::timers).distinct())
                .as("timers")
                .hasSize(1);
        for (int phase = 0; phase < INSTANCES; phase++) {
            long watches = pictures.get(phase).watches();
            assertThat(every(INSTANCES, phase, pictures))
                    .as("watches after a minute in which %s has changed", name(phase))
                    .allMatch(picture -> picture.watches() == watches);
            long requests = pictures.get(phase).requests();
            assertThat(every(INSTANCES, phase, pictures))
                    .as("requests of a minute in which %s changes", name(phase))
                    .allMatch(picture -> picture.requests() <= requests * 1.1);
        }
        assertThat(heaps.get(heaps.size() - 1))
                .as("bytes in use, as they grew: %s", heaps)
                .isLessThan((long) (heaps.get(0) * 1.25));
    }

    private static List<Picture> every(int step, int first, List<Picture> all) {
        return IntStream.iterate(first, next -> next < all.size(), next -> next + step)
                .mapToObj(all::get)
                .toList();
    }

    private void start(int instance) {
        cluster.start(
                name(instance),
                engine -> IntStream.range(0, JOBS)
                        .forEach(job -> engine.register(
                                JobDefinition.builder("job-" + job)
                                        .cron("40 * * * * ?")
                                        .shardingTotalCount(2)
                                        .build(),
                                context -> executions.incrementAndGet())),
                UnaryOperator.identity());
    }

    private static String name(int instance) {
        return "abcd".charAt(instance) + "@-@1";
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
