package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Four instances on a real ZooKeeper, with labels and capacities, of which jobs choose some. */
class PlacementIT {
    private static final Map<String, String> LABELS = Map.of(
            "a@-@1", "zone=a,version=1",
            "b@-@1", "zone=a,version=1",
            "c@-@1", "zone=a,version=1",
            "d@-@1", "zone=b,version=2");
    private static final Map<String, Integer> CAPACITIES = Map.of("a@-@1", 2, "b@-@1", 2, "c@-@1", 4, "d@-@1", 12);

    @RegisterExtension
    final RealEngines engines = new RealEngines().thatLive();

    private RegistryJobAdmin admin;

    @BeforeEach
    void connect() {
        admin = new RegistryJobAdmin(engines.registry());
    }

    @Test
    void zonesHaveEqualSharesAndSoHaveTheInstancesOfEach() {
        start(job(6).jobShardingStrategyClass("ZONE").build());

        awaitPlan(owners -> counts(owners).equals(Map.of("a@-@1", 1, "b@-@1", 1, "c@-@1", 1, "d@-@1", 3)));
    }

    @Test
    void itemsRunOnlyWhereTheJobSaysAndFollowAnotherChoice() {
        start(job(4).runOn("version=2").build());

        awaitPlan(owners -> counts(owners).equals(Map.of("d@-@1", 4)));
        assertThat(ranOn(4)).containsOnly("d@-@1");
        get(admin.redefine("orders", job -> job.toBuilder().runOn("zone=a").build()));
        awaitPlan(owners -> counts(owners).keySet().equals(Set.of("a@-@1", "b@-@1", "c@-@1")));

        assertThat(ranOn(4)).containsOnly("a@-@1", "b@-@1", "c@-@1");
    }

    /** Of 20 in all, there is room for all at once; item 0 fits only where there is the most. */
    @Test
    void itemsAreWeighedAgainstCapacitiesAndAllAreDone() {
        start(job(9).jobShardingStrategyClass("WEIGHTED").itemWeights("0=9").build());

        awaitPlan(owners -> "d@-@1".equals(owners.get(0))
                && counts(owners).equals(Map.of("a@-@1", 2, "b@-@1", 2, "c@-@1", 3, "d@-@1", 2)));
        assertThat(ranOn(9)).contains("d@-@1");
    }

    private void start(JobDefinition job) {
        new TreeMap<>(LABELS).forEach((instance, labels) -> {
            ElasticJobEngine engine = engines.engine(
                    instance,
                    settings -> settings.labels(InstanceLabels.parse(labels).values())
                            .capacity(CAPACITIES.get(instance)));
            engine.register(job, context -> {});
            get(engine.start());
        });
    }

    /** Where the items of a requested run have run. */
    private List<String> ranOn(int items) {
        engines.events().clear();
        get(admin.trigger("orders"));
        engines.events().awaitAll(ItemFinished.class, end -> true, items);
        List<ItemFinished> ends = engines.events().all(ItemFinished.class);
        assertThat(ends).extracting(ItemFinished::item).hasSize(items).doesNotHaveDuplicates();
        assertThat(ends).extracting(ItemFinished::outcome).containsOnly(ExecutionOutcome.COMPLETED);
        return ends.stream().map(ItemFinished::instance).toList();
    }

    private static Map<String, Integer> counts(Map<Integer, String> owners) {
        return owners.values().stream().collect(Collectors.toMap(owner -> owner, owner -> 1, Integer::sum));
    }

    private void awaitPlan(Predicate<Map<Integer, String>> wanted) {
        engines.awaitPlan("orders", plan -> wanted.test(plan.owners()));
    }

    private static JobDefinition.Builder job(int items) {
        return JobDefinition.builder("orders").cron("0 0 0 1 1 ?").shardingTotalCount(items);
    }
}
