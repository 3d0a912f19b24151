package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine's clock that is wrong neither delays nor holds what the machine's instance owns, and is told. */
class WrongClockTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final List<Delay> delays = new ArrayList<>();
    private Duration ahead = Duration.ZERO;

    private record Delay(int item, Instant scheduledAt, Duration delay) {}

    @ParameterizedTest
    @ValueSource(longs = {300, -300, 120, -120, 86_400 * 365})
    void atItsStartAlone(long seconds) {
        ahead = Duration.ofSeconds(seconds);
        startWrong();
        afterTheRegistryWasSteady();

        cluster.pass(Duration.ofMinutes(10));

        assertEveryFiringOf(Duration.ofMinutes(10), 0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(longs = {300, -300})
    void atItsStartAmongOthers(long seconds) {
        ahead = Duration.ofSeconds(seconds);
        cluster.start("a@-@1", everyMinute());
        startWrong();
        afterTheRegistryWasSteady();

        cluster.pass(Duration.ofMinutes(10));

        assertThat(delays).isNotEmpty().allSatisfy(WrongClockTest::isPrompt);
        assertThat(delays.size()).as("of one item or two").isIn(10, 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {300, -300})
    void steppedWhileRunning(long seconds) {
        startWrong();
        cluster.pass(Duration.ofMinutes(3));
        delays.clear();

        ahead = Duration.ofSeconds(seconds);
        cluster.pass(Duration.ofMinutes(10));
        ahead = Duration.ZERO;
        cluster.pass(Duration.ofMinutes(10));

        assertEveryFiringOf(Duration.ofMinutes(20), 0, 1, 2);
    }

    /** A registry that is ahead from the start may be the one that is wrong. */
    private void afterTheRegistryWasSteady() {
        cluster.pass(Duration.ofMinutes(3));
        delays.clear();
    }

    private void startWrong() {
        InstantSource wrong = () -> cluster.now().plus(ahead);
        UnaryOperator<ElasticJobEngineBuilder> settings = builder -> builder.clock(wrong.withZone(ZoneOffset.UTC));
        cluster.start("b@-@1", everyMinute(), this::begun, settings);
    }

    private void begun(ShardingContext context) {
        Instant scheduledAt = context.getScheduledTime();
        delays.add(new Delay(context.getShardingItem(), scheduledAt, Duration.between(scheduledAt, cluster.now())));
    }

    private void assertEveryFiringOf(Duration time, int... items) {
        assertThat(delays).allSatisfy(WrongClockTest::isPrompt);
        IntStream.of(items)
                .forEach(item -> assertThat(delays.stream().filter(delay -> delay.item() == item))
                        .as("item %d", item)
                        .hasSizeBetween((int) time.toMinutes() - 1, (int) time.toMinutes()));
    }

    private static void isPrompt(Delay begun) {
        assertThat(begun.delay()).as("%s", begun).isBetween(Duration.ZERO, SOON);
    }

    private static JobDefinition everyMinute() {
        return JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .reconcileIntervalMinutes(0)
                .build();
    }
}
