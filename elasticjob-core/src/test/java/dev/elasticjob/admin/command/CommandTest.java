package dev.elasticjob.admin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.coordination.Samples;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.CommandEnded;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two operators give commands for a job that no instance runs. */
class CommandTest {
    private final ManualTime time = new ManualTime(Samples.NOON);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, Runnable::run);
    private final List<JobEvent> events = new ArrayList<>();
    private final JobAdmin admin =
            new RegistryJobAdmin(registry, new CommandLog(events::add, Actor.named("shop")), time);
    private final JobAdmin alice = admin.by(Actor.named("alice").because("INC-7"));

    @BeforeEach
    void writeJob() {
        write(Samples.definition().build());
    }

    /** It had no time to notice the removal, and takes part in the new job: it doesn't leave. */
    @Test
    void aRemovalEndsOnceTheJobIsRegisteredAgainAlthoughAnInstanceOfTheFormerOneStays() {
        JobTree orders = new JobTree("orders");
        done(new InMemoryRegistry(ensemble, Runnable::run)
                .commit(RegistryCommit.builder()
                        .createEphemeral(orders.instance("a"), "")
                        .build()));
        CompletableFuture<Void> removal = admin.remove("orders").toCompletableFuture();
        boolean before = removal.isDone();

        done(registry.commit(RegistryCommit.builder()
                .create(
                        orders.config(),
                        new JobDefinitionCodec().config(Samples.definition().build(), Optional.empty()))
                .build()));

        assertThat(before).isFalse();
        assertThat(removal).isCompleted();
        assertThat(registry.watches()).isZero();
    }

    @Test
    void eachCommandIsAnEventWithItsActorAndWhatWasBefore() {
        done(alice.disableItem("orders", 0));
        done(admin.disableItem("orders", 0));

        assertThat(events)
                .containsExactly(
                        ended("disable item 0", "alice", Optional.of("INC-7"), "is enabled"),
                        ended("disable item 0", "shop", Optional.empty(), "is disabled"));
    }

    private static CommandEnded ended(String command, String actor, Optional<String> reason, String before) {
        return new CommandEnded("orders", command, actor, reason, before, true, "is disabled");
    }

    @Test
    void aRefusedCommandIsAnEventTooAndWritesNothing() {
        assertThatThrownBy(() -> done(alice.disableItem("orders", 7))).hasCauseInstanceOf(UnknownTargetException.class);
        assertThatThrownBy(() -> done(alice.trigger("orders"))).hasCauseInstanceOf(IllegalStateException.class);

        assertThat(events)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event).isInstanceOfSatisfying(CommandEnded.class, command -> {
                    assertThat(command.succeeded()).isFalse();
                    assertThat(command.actor()).isEqualTo("alice");
                }));
    }

    @Test
    void namesThatAreNoneAreUnknownAndReadNothingElse() {
        for (String name : List.of("", "unknown", "orders/sharding", "/beside")) {
            assertThatThrownBy(() -> done(admin.reshard(name))).hasCauseInstanceOf(UnknownTargetException.class);
            assertThatThrownBy(() -> done(admin.remove(name))).hasCauseInstanceOf(UnknownTargetException.class);
        }
    }

    @Test
    void ofTwoChangesOfOneVersionTheSecondIsRefusedWithTheFirst() {
        String version = done(admin.versionedDefinition("orders")).version();

        VersionedDefinition mine = done(alice.redefine("orders", version, Map.of("misfire", false)));

        assertThatThrownBy(() -> done(admin.redefine("orders", version, Map.of("failover", true))))
                .cause()
                .isInstanceOfSatisfying(
                        DefinitionChangedException.class,
                        conflict -> assertThat(conflict.newer()).isEqualTo(mine));
        assertThat(done(admin.definition("orders")).failover()).isFalse();
        assertThat(events.get(0))
                .isInstanceOfSatisfying(
                        CommandEnded.class,
                        change -> assertThat(change.outcome()).isEqualTo("misfire: \"true\" -> \"false\""));
    }

    @Test
    void aJobThatIsRemovedAndRegisteredAgainHasAnotherVersion() {
        String version = done(admin.versionedDefinition("orders")).version();

        done(admin.remove("orders"));
        write(Samples.definition().build());

        assertThat(done(admin.versionedDefinition("orders")).version()).isNotEqualTo(version);
    }

    @Test
    void allSettingsThatCannotBeUsedAreNamedAtOnce() {
        String version = done(admin.versionedDefinition("orders")).version();
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("colour", 1);
        settings.put("shardingTotalCount", "many");
        settings.put("cron", "every so often");

        assertThatThrownBy(() -> done(admin.redefine("orders", version, settings)))
                .cause()
                .isInstanceOfSatisfying(InvalidJobDefinitionException.class, invalid -> {
                    assertThat(invalid.violations())
                            .extracting(Violation::setting)
                            .contains("colour", "cron");
                    assertThat(invalid.getMessage()).contains("shardingTotalCount");
                });
    }

    @Test
    void secretsAreMaskedAndAMaskIsNeverStored() {
        HttpRequestSettings request = new HttpRequestSettings(
                "http://127.0.0.1:1/hook",
                "POST",
                "pin=4711",
                "text/plain",
                Map.of("Authorization", "s3cret"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        write(JobDefinition.builder("hook")
                .jobType(JobType.HTTP)
                .cron("0 0 0 1 1 ?")
                .shardingTotalCount(1)
                .http(request)
                .build());
        VersionedDefinition shown = done(admin.versionedDefinition("hook"));

        assertThat(shown.settings().toString()).doesNotContain("4711", "s3cret");
        VersionedDefinition changed =
                done(admin.redefine("hook", shown.version(), Map.of("http", Map.of("method", "PUT"))));
        assertThat(changed.definition().http().orElseThrow().headers()).containsEntry("Authorization", "s3cret");
        assertThatThrownBy(() -> done(admin.redefine("hook", changed.version(), shown.settings())))
                .hasMessageContaining("mask");
    }

    // ------------------------------------------------------------------ the registry

    private void write(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryCommit.Builder job = RegistryCommit.builder().create(tree.root());
        tree.parents().forEach(job::create);
        if (!codec.isWhole(definition)) {
            job.create(tree.config(), codec.config(definition, Optional.empty()));
        }
        job.create(tree.extension(), codec.extension(definition, Optional.empty()))
                .create(tree.sharding())
                .create(tree.item(0));
        done(registry.commit(registry.session().orElseThrow(), job.build()));
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
