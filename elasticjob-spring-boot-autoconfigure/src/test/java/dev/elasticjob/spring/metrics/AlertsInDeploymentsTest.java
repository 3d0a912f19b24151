package dev.elasticjob.spring.metrics;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.testing.prometheus.Promtool;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No alert fires while three instances are replaced one after the other, several times in a row. */
@EnabledIf("hasPromtool")
class AlertsInDeploymentsTest {
    private static final int DEPLOYMENTS = 3;
    private static final Duration START_UP = Duration.ofSeconds(20);
    private static final Duration BETWEEN = Duration.ofMinutes(2);
    private static final List<String> NAMES = List.of("a", "b", "c");

    private final MeteredCluster cluster = new MeteredCluster();

    static boolean hasPromtool() {
        return Promtool.find().isPresent();
    }

    /** As virtual machines are, and the pods of a StatefulSet. */
    @ParameterizedTest(name = "rebalance-delay {0} s")
    @ValueSource(ints = {0, 90})
    void ofInstancesThatKeepTheirNames(int delay) {
        NAMES.forEach(name -> start(name, delay));
        cluster.pass(BETWEEN);

        for (int deployment = 0; deployment < DEPLOYMENTS; deployment++) {
            for (String name : NAMES) {
                cluster.stop(name);
                cluster.pass(START_UP);
                start(name, delay);
                cluster.pass(START_UP);
            }
            cluster.pass(BETWEEN);
        }

        cluster.assertFired();
    }

    /** As the pods of a Deployment are. */
    @ParameterizedTest(name = "rebalance-delay {0} s")
    @ValueSource(ints = {0, 90})
    void ofInstancesThatGetNewNames(int delay) {
        NAMES.forEach(name -> start(name + 0, delay));
        cluster.pass(BETWEEN);

        for (int deployment = 0; deployment < DEPLOYMENTS; deployment++) {
            for (String name : NAMES) {
                start(name + (deployment + 1), delay);
                cluster.pass(START_UP);
                cluster.stop(name + deployment);
                cluster.pass(START_UP);
            }
            cluster.pass(BETWEEN);
        }

        cluster.assertFired();
    }

    private void start(String name, int delay) {
        UnaryOperator<ElasticJobEngineBuilder> settings =
                delay == 0 ? UnaryOperator.identity() : builder -> builder.rebalanceDelay(Duration.ofSeconds(delay));
        cluster.start(name, this::jobs, settings);
    }

    private void jobs(ElasticJobEngine engine) {
        engine.register(
                job("orders", "0 * * * * ?")
                        .shardingTotalCount(6)
                        .failover(true)
                        .stuckAfter(Duration.ofMinutes(2))
                        .expectWithin(Duration.ofMinutes(3))
                        .build(),
                context -> cluster.pass(Duration.ofSeconds(8)));
        engine.register(job("prices", "*/10 * * * * ?").shardingTotalCount(3).build(), context -> {});
        engine.register(job("report", "0 */5 * * * ?").shardingTotalCount(1).build(), context -> {});
    }

    private static JobDefinition.Builder job(String name, String cron) {
        return JobDefinition.builder(name).cron(cron).timeZone(ZoneOffset.UTC);
    }
}
