package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The demand of a job, as the instance that leads it knows it. */
class DemandSamplesTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(1);

    @Test
    void aNewLeaderKnowsItSoon() {
        OneEngine one = engine().started();
        assertThat(figures(one).demand("orders")).isEmpty();

        one.pass(SOON);

        assertThat(figures(one).demand("orders")).map(JobDemand::running).contains(0);
        assertThat(figures(one).untilNextDue("orders")).contains(Duration.ofSeconds(59));
    }

    @Test
    void ofAJobThatIsLedLaterItIsKnownAsSoon() {
        OneEngine one = engine("0 0 0 1 1 ? 2099").started();
        one.pass(Duration.ofSeconds(10));

        one.engine.register(job("bills", "0 0 0 1 1 ? 2099"), context -> {});
        one.pass(SOON);

        assertThat(figures(one).demand("bills")).isPresent();
    }

    @Test
    void oneJobThatCanNotBeToldKeepsNobodyFromTheOthers() {
        OneEngine one = engine("0 0 0 1 1 ? 2099");
        one.engine.register(job("bills", "0 0 0 1 1 ? 2099"), context -> {});
        one.started();
        AtomicInteger asked = new AtomicInteger();
        Supplier<Instant> failingOnce = () -> {
            if (asked.getAndIncrement() == 0) {
                throw new IllegalStateException("something unforeseen");
            }
            return NOON;
        };
        var inspector = new RegistryJobInspector(one.registry, one.time, one.time, failingOnce, TreeMap::new);

        CompletionStage<List<JobDemand>> demands = inspector.demands(List.of("bills", "orders"));
        one.settle();

        assertThat(demands.toCompletableFuture().join())
                .extracting(job -> job.problem().orElse("none"))
                .containsExactly("java.lang.IllegalStateException: something unforeseen", "none");
    }

    @Test
    void itIsReadAgain() {
        OneEngine one = engine().started();

        one.pass(INTERVAL.multipliedBy(3));

        assertThat(figures(one).demand("orders")).map(JobDemand::running).contains(1);
    }

    @Test
    void whatIsDueSinceTheLastReadIsDueNow() {
        OneEngine one = engine().started();
        one.pass(INTERVAL);

        one.pass(INTERVAL.minusSeconds(1));
        one.time.advance(Duration.ofMillis(1_500));

        assertThat(figures(one).untilNextDue("orders")).contains(Duration.ZERO);
    }

    @Test
    void askingCostsNothingAndReadingOneOrTwoRequestsEachTime() {
        OneEngine without = new OneEngine(NOON, job(), context -> {}).started();
        OneEngine with = engine().started();

        without.pass(INTERVAL);
        with.pass(INTERVAL);
        long read = with.requests() - without.requests();
        for (int i = 0; i < 100; i++) {
            figures(with).demand("orders");
        }

        assertThat(read).isBetween(1L, 2L);
        assertThat(with.requests() - without.requests()).isEqualTo(read);
    }

    @Test
    void anInstanceThatDoesNotLeadReadsNothing() {
        OneEngine one = engine("0 0 0 1 1 ? 2099").started();
        one.pass(INTERVAL);
        assertThat(figures(one).demand("orders")).isPresent();
        one.joins("z@-@1");
        one.operate(RegistryCommit.builder()
                .delete(OneEngine.TREE.leader(), RegistryCommit.ANY_VERSION)
                .createEphemeral(OneEngine.TREE.leader(), "z@-@1"));
        one.settle();
        assertThat(figures(one).demand("orders")).isEmpty();
        long before = one.requests();

        one.pass(INTERVAL.multipliedBy(3));

        assertThat(one.requests()).isEqualTo(before);
        assertThat(figures(one).readsDemand()).isTrue();
    }

    @Test
    void whatCanNotBeReadIsUnknown() {
        OneEngine one = engine().started();
        one.pass(INTERVAL);
        assertThat(figures(one).demand("orders")).isPresent();

        one.registry.disconnect();
        one.pass(INTERVAL.multipliedBy(2));
        assertThat(figures(one).demand("orders")).isEmpty();
        one.registry.reconnect();
        one.pass(INTERVAL);

        assertThat(figures(one).demand("orders")).isPresent();
    }

    @Test
    void aStoppedEngineKnowsNothingAndReadsNothing() {
        OneEngine one = engine().started();
        one.pass(INTERVAL);
        one.engine.stop();
        one.pass(Duration.ofSeconds(40));
        long before = one.requests();

        one.pass(INTERVAL.multipliedBy(10));

        assertThat(figures(one).demand("orders")).isEmpty();
        assertThat(one.requests()).isEqualTo(before);
    }

    @Test
    void withoutAnIntervalItIsNeverKnown() {
        OneEngine one = new OneEngine(NOON, job(), context -> {}).started();

        one.pass(INTERVAL.multipliedBy(3));

        assertThat(figures(one).readsDemand()).isFalse();
        assertThat(figures(one).demand("orders")).isEqualTo(Optional.empty());
    }

    @Test
    void anIntervalOfNoTimeIsRefused() {
        assertThatThrownBy(
                        () -> new OneEngine(NOON, job(), context -> {}, engine -> engine.demandInterval(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be at least 1 ms, but is 0 ms");
    }

    private static OneEngine engine() {
        return engine("0 * * * * ?");
    }

    private static OneEngine engine(String cron) {
        return new OneEngine(NOON, job(cron), context -> {}, engine -> engine.demandInterval(INTERVAL));
    }

    private static EngineFigures figures(OneEngine one) {
        return one.engine.figures();
    }

    private static JobDefinition job() {
        return job("0 * * * * ?");
    }

    private static JobDefinition job(String cron) {
        return job("orders", cron);
    }

    private static JobDefinition job(String name, String cron) {
        return JobDefinition.builder(name)
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
