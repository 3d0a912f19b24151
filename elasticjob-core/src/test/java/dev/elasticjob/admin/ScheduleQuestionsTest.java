package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.schedule.CountedSchedule;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A schedule may look for its firings through many years, which a report doesn't do for each item. */
class ScheduleQuestionsTest {
    private static final String PLAN = "{\"cron\":\"counted 0 * * * * ?\",\"timeZone\":\"UTC\","
            + "\"since\":\"2026-03-01T12:00:00Z\",\"owners\":{\"10.0.0.1@-@1\":\"0-%d\"}}";

    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:10:00Z"));
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final JobInspector inspector = new RegistryJobInspector(registry, time, time, time::instant, TreeMap::new);

    @Test
    void aScheduleIsAskedForAThousandItemsAsOftenAsForOne() {
        register("one", 1);
        register("thousand", 1_000);

        int forOne = asked("one", 1);

        assertThat(forOne).isPositive();
        assertThat(asked("thousand", 1_000)).isEqualTo(forOne);
    }

    private int asked(String job, int items) {
        CountedSchedule.asked();
        JobReport report = inspector.job(job).toCompletableFuture().join().orElseThrow();
        assertThat(report.problem()).isEmpty();
        assertThat(report.items()).hasSize(items).allMatch(item -> item.owes().isPresent());
        return CountedSchedule.asked();
    }

    private void register(String job, int items) {
        JobTree tree = new JobTree(job);
        JobDefinition definition = JobDefinition.builder(job)
                .cron("0 * * * * ?")
                .shardingTotalCount(items)
                .build();
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryCommit.Builder commit = RegistryCommit.builder().create(tree.root());
        tree.parents().forEach(commit::create);
        commit.create(tree.config(), codec.config(definition, Optional.empty()))
                .create(tree.extension(), codec.extension(definition, Optional.empty()))
                .create(tree.sharding(), PLAN.formatted(items - 1));
        IntStream.range(0, items).forEach(item -> commit.create(tree.item(item)));
        registry.commit(registry.session().orElseThrow(), commit.build())
                .toCompletableFuture()
                .join();
    }
}
