package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.Resharded;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances on a real ZooKeeper are restarted one after the other, as in a rolling deployment. */
class RebalanceDelayIT {
    private static final List<String> INSTANCES = List.of("a@-@1", "b@-@1", "c@-@1");
    private static final int ITEMS = 12;

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Map<String, ElasticJobEngine> running = new HashMap<>();

    @Test
    void aRollingRestartMovesNothingWithADelay() {
        assertThat(movedByARollingRestart(Duration.ofMinutes(5))).isZero();
    }

    /** Four to leave each instance and four to come back, of which the strategy's order may keep some in place. */
    @Test
    void withoutADelayItemsMove() {
        assertThat(movedByARollingRestart(Duration.ZERO)).isGreaterThanOrEqualTo(ITEMS / 2);
    }

    private int movedByARollingRestart(Duration delay) {
        INSTANCES.forEach(instance -> start(instance, delay));
        INSTANCES.forEach(
                instance -> engines.events().await(AssignmentChanged.class, change -> isShareOf(instance, change)));
        allArePlanned();
        int before = moved();
        for (String instance : INSTANCES) {
            running.remove(instance).close();
            allArePlanned();
            int changes = engines.events().all(AssignmentChanged.class).size();
            start(instance, delay);
            engines.events()
                    .awaitAll(
                            AssignmentChanged.class,
                            change -> isShareOf(instance, change),
                            sharesOf(instance, changes));
            allArePlanned();
        }
        return moved() - before;
    }

    private void start(String instance, Duration delay) {
        ElasticJobEngine engine = engines.engine(instance, settings -> settings.rebalanceDelay(delay));
        engine.register(
                JobDefinition.builder("orders")
                        .cron("0 0 0 1 1 ?")
                        .shardingTotalCount(ITEMS)
                        .build(),
                context -> {});
        running.put(instance, engine);
        get(engine.start());
    }

    private static boolean isShareOf(String instance, AssignmentChanged change) {
        return change.instance().equals(instance) && change.items().size() == ITEMS / INSTANCES.size();
    }

    /** One more than there were. */
    private int sharesOf(String instance, int changes) {
        return 1
                + (int) engines.events().all(AssignmentChanged.class).stream()
                        .limit(changes)
                        .filter(change -> isShareOf(instance, change))
                        .count();
    }

    private void allArePlanned() {
        get(new RegistryJobAdmin(engines.registry()).reshard("orders"));
    }

    private int moved() {
        return engines.events().all(Resharded.class).stream()
                .mapToInt(Resharded::moved)
                .sum();
    }
}
