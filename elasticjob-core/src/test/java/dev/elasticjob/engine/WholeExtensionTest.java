package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job whose whole definition is in its extension: an HTTP job that fires once a minute. Nobody answers it. */
class WholeExtensionTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTES = Duration.ofSeconds(150);
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final JobDefinition HTTP = JobDefinition.builder("orders")
            .jobType(JobType.HTTP)
            .http(HttpRequestSettings.of("http://localhost:1/close-day"))
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();
    private static final JobDefinition SIMPLE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    @Test
    void itIsRegisteredWithoutAConfigAndFires() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        one.pass(MINUTES);

        assertThat(one.read(TREE.config())).isEmpty();
        assertThat(stored(one)).isEqualTo(HTTP);
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(one.waitingItems()).isEqualTo(2);
    }

    @Test
    void aNewCountIsFollowed() {
        OneEngine one = new OneEngine(NOON, HTTP).started();
        one.pass(SECOND);

        now(
                one,
                one.engine
                        .admin()
                        .redefine(
                                "orders",
                                job -> job.toBuilder().shardingTotalCount(3).build()));
        one.pass(MINUTES);

        assertThat(one.waitingItems()).as("items of the new count").isEqualTo(3);
    }

    @Test
    void anOperatorsChangeIsFollowedAndMakesNoConfig() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        now(
                one,
                one.engine
                        .admin()
                        .redefine(
                                "orders",
                                job -> job.toBuilder().cron("30 * * * * ?").build()));
        one.pass(SECOND);

        assertThat(text(one, TREE.sharding())).contains("30 * * * * ?");
        assertThat(one.read(TREE.config())).isEmpty();
        assertThat(now(one, one.engine.admin().definition("orders")).cron()).isEqualTo("30 * * * * ?");
    }

    @Test
    void whatAJobDoesIsNotChangedByAnOperator() {
        OneEngine one = new OneEngine(NOON, HTTP).started();
        JobDefinition script = SIMPLE.toBuilder()
                .jobType(JobType.SCRIPT)
                .scriptCommandLine("true")
                .build();

        assertThat(failure(one, one.engine.admin().redefine("orders", job -> script)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it can't be changed from HTTP here");
    }

    @Test
    void theInspectorShowsItsTypeAndNoProblem() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        var report = now(one, one.engine.inspector().job("orders")).orElseThrow();

        assertThat(report.type()).contains(JobType.HTTP);
        assertThat(report.problem()).isEmpty();
        assertThat(report.schedule().orElseThrow().cron()).contains("0 * * * * ?");
    }

    @Test
    void anExtensionThatIsMadeUnreadableIsNoRemoval() {
        OneEngine one = new OneEngine(NOON, HTTP).started();
        String whole = text(one, TREE.extension());

        set(one, TREE.extension(), "mend me");
        one.pass(MINUTES);

        assertThat(one.engine.state("orders")).isEqualTo(JobState.SUSPENDED);
        assertThat(one.waitingItems()).isZero();
        assertThat(EventLog.only(JobEvent.DefinitionUnreadable.class, one.events))
                .singleElement()
                .satisfies(told -> assertThat(told.node()).isEqualTo("/orders/extension"));

        set(one, TREE.extension(), whole);
        one.settle();

        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(one.waitingItems()).isEqualTo(2);
    }

    @Test
    void anExtensionThatIsDeletedIsARemoval() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        one.operate(RegistryCommit.builder().delete(TREE.extension(), RegistryCommit.ANY_VERSION));
        one.pass(MINUTES);

        assertThat(one.engine.state("orders")).isEqualTo(JobState.STOPPED);
        assertThat(one.read(TREE.instance("a@-@1"))).isEmpty();
    }

    @Test
    void removingItLeavesNothing() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        CompletionStage<Void> removed = one.engine.admin().remove("orders");
        one.pass(Duration.ofSeconds(2));
        now(one, removed);

        assertThat(one.read(TREE.root())).isEmpty();
        assertThat(one.engine.state("orders")).isEqualTo(JobState.STOPPED);
    }

    @Test
    void itLeavesWithAWordToTheOthers() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        now(one, one.engine.stop());

        assertThat(one.read(TREE.instance("a@-@1"))).isEmpty();
        assertThat(one.read(TREE.necessary()))
                .as("the bell for those that stay")
                .isPresent();
        assertThat(stored(one)).isEqualTo(HTTP);
    }

    @Test
    void aConfigOfAStrangerBesideItDoesNotCount() {
        OneEngine one = new OneEngine(NOON, HTTP).started();

        try (LoggedLines log = new LoggedLines()) {
            one.operate(RegistryCommit.builder().create(TREE.config(), CODEC.config(SIMPLE, Optional.empty())));
            one.pass(MINUTES);

            log.await("the node \"/orders/config\" is ignored");
        }
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(one.waitingItems()).isEqualTo(2);
        assertThat(now(one, one.engine.admin().definition("orders"))).isEqualTo(HTTP);
    }

    // ------------------------------------------------------------------ another type under the same name

    @Test
    void anHttpJobDoesNotTakeTheNameOfASimpleOne() {
        OneEngine one = with(SIMPLE, HTTP);

        assertThat(startFailure(one))
                .isInstanceOf(JobConflictException.class)
                .hasMessageContainingAll("the type SIMPLE in the registry", "the type HTTP in this application");
        assertThat(one.read(TREE.config())).isPresent();
    }

    @Test
    void aSimpleJobDoesNotTakeTheNameOfAnHttpOne() {
        OneEngine one = new OneEngine(NOON, SIMPLE, context -> {});
        store(one, HTTP);

        assertThat(startFailure(one)).isInstanceOf(JobConflictException.class);
        assertThat(one.read(TREE.config())).isEmpty();
    }

    @Test
    void withOverwriteTheConfigGoesAndTheExtensionBecomesTheWholeDefinition() {
        OneEngine one = with(SIMPLE, HTTP.toBuilder().overwrite(true).build()).started();

        one.pass(MINUTES);

        assertThat(one.read(TREE.config())).isEmpty();
        assertThat(stored(one)).isEqualTo(HTTP.toBuilder().overwrite(true).build());
        assertThat(one.waitingItems()).isEqualTo(2);
    }

    @Test
    void withOverwriteASimpleJobHasItsConfigAgain() {
        JobDefinition simple = SIMPLE.toBuilder().overwrite(true).build();
        OneEngine one = new OneEngine(NOON, simple, context -> {});
        store(one, HTTP);

        one.started().pass(MINUTES);

        assertThat(CODEC.isWhole(one.read(TREE.extension()).orElseThrow().data()))
                .isFalse();
        assertThat(text(one, TREE.extension())).doesNotContain("http").doesNotContain("jobType");
        assertThat(text(one, TREE.config())).contains("\"jobType\":\"SIMPLE\"");
        assertThat(one.waitingItems()).isEqualTo(2);
    }

    @Test
    void aTypeAndAnObjectThatDoNotBelongTogetherAreNotRegistered() {
        ElasticJobEngine engine = new OneEngine(NOON, SIMPLE, context -> {}).engine;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.register(HTTP, context -> {}))
                .withMessageContaining("register its definition only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.register(SIMPLE))
                .withMessageContaining("needs a job object");
    }

    // ------------------------------------------------------------------ the registry

    /** An engine with one definition of the job, on a registry that has the other. */
    private static OneEngine with(JobDefinition registered, JobDefinition local) {
        OneEngine one = new OneEngine(NOON, local);
        store(one, registered);
        return one;
    }

    private static void store(OneEngine one, JobDefinition definition) {
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        if (!CODEC.isWhole(definition)) {
            job.create(TREE.config(), CODEC.config(definition, Optional.empty()));
        }
        one.operate(job.create(TREE.extension(), CODEC.extension(definition, Optional.empty())));
    }

    private static JobDefinition stored(OneEngine one) {
        return CODEC.decodeWhole(
                        "orders", one.read(TREE.extension()).orElseThrow().data())
                .definition();
    }

    private static String text(OneEngine one, String path) {
        return one.read(path).map(RegistryNode::text).orElseThrow();
    }

    private static void set(OneEngine one, String path, String text) {
        one.operate(RegistryCommit.builder().set(path, text, RegistryCommit.ANY_VERSION));
    }

    private static Throwable startFailure(OneEngine one) {
        return failure(one, one.engine.start());
    }

    private static Throwable failure(OneEngine one, CompletionStage<?> stage) {
        try {
            now(one, stage);
            throw new AssertionError("It was to fail");
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    private static <T> T now(OneEngine one, CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        one.settle();
        assertThat(future).isDone();
        return future.join();
    }
}
