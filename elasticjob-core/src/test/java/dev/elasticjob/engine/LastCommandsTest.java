package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.SettingChange;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last commands on a job, as its tree has them. */
class LastCommandsTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .shardingTotalCount(3)
            .build();

    private SimulatedCluster cluster = new SimulatedCluster(7);

    @Test
    void eachIsListedWithItsActorAndWhatWasBeforeNewestFirst() {
        start();
        Instant began = cluster.now();

        cluster.get(admin("alice").disableItem("orders", 1));
        cluster.pass(Duration.ofMinutes(1));
        cluster.get(admin("bob").pause("orders"));
        cluster.pass(Duration.ofMinutes(1));
        cluster.get(admin("bob").resume("orders"));
        List<Entry> shown = commands();

        assertThat(shown).extracting(Entry::command).containsExactly("resume", "pause", "disable item 1");
        assertThat(shown.get(2)).satisfies(first -> {
            assertThat(first.actor()).isEqualTo("alice");
            assertThat(first.reason()).isEqualTo("INC-7");
            assertThat(first.before()).isEqualTo("is enabled");
            assertThat(first.outcome()).isEqualTo("is disabled");
            assertThat(first.at()).isBetween(began.minusSeconds(5), began.plusSeconds(50));
        });
        assertThat(shown).extracting(Entry::at).isSortedAccordingTo((one, other) -> other.compareTo(one));
    }

    @Test
    void thereAreNeverMoreThanFiftyAndTheyStaySmall() {
        start();
        JobAdmin verbose = admin("a".repeat(255));

        for (int command = 0; command < 60; command++) {
            cluster.get(verbose.reshard("orders"));
        }
        cluster.get(admin("bob").trigger("orders", "the-last-one"));

        assertThat(commands()).hasSize(50);
        assertThat(commands().get(0).command()).isEqualTo("trigger run the-last-one");
        assertThat(commands().get(1).actor()).isEqualTo("a".repeat(120));
        assertThat(cluster.read(TREE.commands()).orElseThrow().data()).hasSizeLessThan(40_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingIsLostBetweenTwoOperators(long seed) {
        cluster = new SimulatedCluster(seed);
        start();
        JobAdmin alice = admin("alice");
        JobAdmin bob = admin("bob");

        var all = IntStream.range(0, 5)
                .boxed()
                .flatMap(any -> List.of(alice.disableItem("orders", 0), bob.disableItem("orders", 1)).stream())
                .toList();
        all.forEach(cluster::get);

        assertThat(commands()).hasSize(10).extracting(Entry::actor).containsOnly("alice", "bob");
    }

    @Test
    void settingsAreKeptAsTheyWereBeforeAndAfter() {
        start();

        redefine(job -> job.cron("0 0 4 * * ?").shardingTotalCount(4));
        redefine(job -> job.stuckAfter(Duration.ofMinutes(5)).jobProperties(Map.of("a", "1")));

        assertThat(commands().get(1).settings())
                .containsExactly(changed("cron", "0 0 3 * * ?", "0 0 4 * * ?"), changed("shardingTotalCount", 3, 4));
        assertThat(commands().get(0).settings())
                .containsExactly(
                        changed("jobProperties", Map.of(), Map.of("a", "1")), changed("stuckAfter", "PT0S", "PT5M"));
    }

    @Test
    void whatMayBeASecretIsNotKept() {
        start();

        redefine(job -> job.jobParameter("--password=swordfish")
                .jobProperties(Map.of("db.pwd", "swordfish", "a", "1"))
                .description("a new one"));

        assertThat(commands().get(0).outcome()).isEqualTo("changed jobParameter, description, jobProperties");
        assertThat(commands().get(0).settings())
                .containsExactly(
                        changed("jobParameter", "", "******"),
                        changed("description", "", "a new one"),
                        changed("jobProperties", Map.of(), Map.of("db.pwd", "******", "a", "1")));
        assertThat(cluster.read(TREE.commands()).orElseThrow().text()).doesNotContain("swordfish");
    }

    @Test
    void longValuesAreNotKeptSoThatTheNodeStaysSmall() {
        start();

        for (int command = 0; command < 55; command++) {
            String longOne = command + "x".repeat(1_000);
            String shorter = command + "y".repeat(470);
            redefine(job -> job.jobParameter(longOne).description(shorter).maxFailovers(7));
        }

        assertThat(commands().get(0).settings())
                .extracting(SettingChange::setting, change -> change.after().isPresent())
                .containsExactly(tuple("jobParameter", false), tuple("description", true));
        assertThat(cluster.read(TREE.commands()).orElseThrow().data()).hasSizeLessThan(80_000);
    }

    private void redefine(UnaryOperator<JobDefinition.Builder> change) {
        cluster.get(admin("alice")
                .redefine("orders", job -> change.apply(job.toBuilder()).build()));
    }

    private static SettingChange changed(String setting, Object before, Object after) {
        return new SettingChange(setting, Optional.of(before), Optional.of(after));
    }

    @Test
    void aRemovedJobKeepsNoneAndARefusedCommandIsNotListed() {
        start();
        assertThat(cluster.get(cluster.engine("a@-@1").inspector().commands("unknown")))
                .isEmpty();

        admin("alice").disableItem("orders", 99);
        cluster.pass(Duration.ofSeconds(1));
        boolean none = commands().isEmpty();
        cluster.get(admin("alice").remove("orders"));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(none).isTrue();
        assertThat(cluster.read(TREE.root())).isEmpty();
    }

    @Test
    void aNodeThatSomebodyElseHasWrittenIsReplaced() {
        start();
        cluster.commit(RegistryCommit.builder().create(TREE.commands(), "by hand"));
        boolean none = commands().isEmpty();

        cluster.get(admin("alice").reshard("orders"));

        assertThat(none).isTrue();
        assertThat(commands()).extracting(Entry::command).containsExactly("reshard");
    }

    @Test
    void settingsThatSomebodyElseHasWrittenAreUnknown() {
        start();
        cluster.commit(RegistryCommit.builder().create(TREE.commands(), """
                [{"command":"one","settings":"x"},
                 {"command":"two","settings":{"cron":7,"failover":[null,true],"misfire":[true],"overwrite":null}}]"""));

        assertThat(commands()).extracting(Entry::command).containsExactly("two", "one");
        assertThat(commands().get(1).settings()).isEmpty();
        assertThat(commands().get(0).settings())
                .extracting(SettingChange::setting, SettingChange::before)
                .containsExactly(
                        tuple("cron", Optional.empty()),
                        tuple("failover", Optional.empty()),
                        tuple("misfire", Optional.empty()),
                        tuple("overwrite", Optional.empty()));
        assertThat(commands().get(0).settings())
                .extracting(SettingChange::after)
                .containsExactly(Optional.empty(), Optional.of(true), Optional.empty(), Optional.empty());
    }

    private JobAdmin admin(String actor) {
        return new RegistryJobAdmin(
                cluster.operator(),
                new CommandLog(event -> {}, Actor.named(actor).because("INC-7")),
                cluster.timer());
    }

    private List<Entry> commands() {
        return cluster.get(cluster.engine("a@-@1").inspector().commands("orders"))
                .orElseThrow();
    }

    private void start() {
        cluster.start("a@-@1", ORDERS);
        cluster.pass(Duration.ofSeconds(3));
    }
}
