package dev.elasticjob.coordination.firing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.run.FollowUp;
import dev.elasticjob.coordination.run.ParentFirings;
import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the end of a firing leaves for the jobs that run after it. */
class FollowUpsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobTree IMPORT = new JobTree("import");
    private static final JobTree REPORT = new JobTree("report");
    private static final JobTree AUDIT = new JobTree("audit");
    private static final String ID = OpenFiring.idOf(NOON);

    private final ManualTime time = new ManualTime(NOON);
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final SharedConnection connection = new SharedConnection(
            registry, Runnable::run, time, new SessionLease(time, Duration.ofSeconds(2)), new RegistryTime(time, time));

    @BeforeEach
    void jobs() {
        connection.open();
        commit(RegistryCommit.builder()
                .create(IMPORT.root())
                .create(IMPORT.root() + "/leader")
                .create(IMPORT.flags())
                .create(IMPORT.followers()));
        isFollowedBy("report", "import", "prices");
    }

    @Test
    void everyFollowerGetsTheFiringOnce() {
        isFollowedBy("audit", "import");

        FollowUps.Entries entries = ended("import", ID, "report", "audit");

        assertThat(commits(entries)).isTrue();
        assertThat(names(REPORT)).containsExactly("import");
        assertThat(names(new JobTree("audit"))).containsExactly("import");
        assertThat(commits(entries)).isFalse();
    }

    @Test
    void aFollowerRunsForTheFiringsAfterTheOneAtWhichItWasNamedAndForEveryManualRun() {
        isFollowedBy("audit", "import");
        var plan = new FiringPlan(false, NOON, new TreeMap<>(Map.of("report", NOON.minusSeconds(1), "audit", NOON)));
        var items = new TreeSet<>(Set.of(0));

        ends(plan, OpenFiring.scheduled(NOON.minusSeconds(60), items, Phase.ITEMS, Hook.NONE, NOON));
        assertThat(children(REPORT.after())).isEmpty();
        assertThat(children(AUDIT.after())).isEmpty();

        ends(plan, OpenFiring.scheduled(NOON, items, Phase.ITEMS, Hook.NONE, NOON));
        assertThat(children(REPORT.after())).containsExactly(ID);
        assertThat(children(AUDIT.after())).isEmpty();

        ends(plan, OpenFiring.manual("r1", items, Phase.ITEMS, NOON));
        assertThat(children(REPORT.after())).containsExactlyInAnyOrder(ID, "run-r1");
        assertThat(children(AUDIT.after())).containsExactly("run-r1");
    }

    private void ends(FiringPlan plan, OpenFiring firing) {
        var outcomes = new FiringOutcomes(new TreeMap<>(Map.of(0, new Outcome(End.COMPLETED, 1, "a@-@1"))));
        JobScope scope = new JobScope(IMPORT, connection, time, event -> {}, new Announcements());
        List<Operation> left = new FollowUps(scope)
                .of(plan, firing, outcomes, true)
                .toCompletableFuture()
                .join();
        if (!left.isEmpty()) {
            assertThat(registry.commit(new RegistryCommit(left))
                            .toCompletableFuture()
                            .join()
                            .isCommitted())
                    .isTrue();
        }
    }

    @Test
    void theNextParentIsAddedAtTheVersionRead() {
        commits(ended("import", ID, "report"));

        FollowUps.Entries entries = ended("prices", ID, "report");

        assertThat(commits(entries)).isTrue();
        assertThat(names(REPORT)).containsExactly("import", "prices");
        assertThat(commits(entries)).isFalse();
    }

    @Test
    void aFollowersOwnRunMeetsThoseOfTheFiringThatBeganTheChain() {
        assertThat(FollowUp.idOf("after-" + ID)).isEqualTo(ID);
        assertThat(FollowUp.idOf("r1")).isEqualTo("run-r1");
        assertThat(FollowUp.idOf("after-run-r1")).isEqualTo("run-r1");
    }

    @Test
    void aJobThatIsGoneOrHasAnotherDefinitionIsNoLongerListed() {
        commit(RegistryCommit.builder().create(IMPORT.follower("gone")));
        isFollowedBy("other", "prices");

        FollowUps.Entries entries = ended("import", ID, "gone", "other", "report");

        assertThat(commits(entries)).isTrue();
        assertThat(children(IMPORT.followers())).containsExactly("report");
        assertThat(node(IMPORT.necessary())).isPresent();
        assertThat(children(new JobTree("other").after())).isEmpty();
        assertThat(names(REPORT)).containsExactly("import");
    }

    @Test
    void ofAHundredTheOldestIsDroppedButNotTheOneThatIsBeingAskedFor() {
        for (int i = 0; i < FollowUps.MAX; i++) {
            commits(ended("import", String.valueOf(i), "report"));
        }
        commit(RegistryCommit.builder()
                .set(REPORT.after(), "{\"parents\":[\"import\"],\"definition\":0,\"last\":\"after-0\"}", 0));

        FollowUps.Entries entries = ended("import", ID, "report");

        assertThat(commits(entries)).isTrue();
        assertThat(children(REPORT.after()))
                .hasSize(FollowUps.MAX)
                .contains("0", "2", ID)
                .doesNotContain("1");
        assertThat(entries.events()).singleElement().isInstanceOfSatisfying(JobEvent.FollowUpDropped.class, dropped -> {
            assertThat(dropped.jobName()).isEqualTo("report");
            assertThat(dropped.firing()).isEqualTo("1");
        });
    }

    @Test
    void asManyFollowersAsPossibleFitIntoOneTransaction() {
        List<String> parents = IntStream.range(0, 16)
                .mapToObj(i -> "parent-%d-".formatted(i) + "x".repeat(40))
                .toList();
        List<ParentFiring> all = parents.stream().map(FollowUpsTest::firing).toList();
        int bytes = RegistryCommit.bytes(ParentFirings.text(all)) * 64;

        assertThat(bytes).isLessThan(RegistryCommit.MAX_BYTES / 2);
    }

    // ------------------------------------------------------------------ what the tests do

    private static ParentFiring firing(String jobName) {
        return new ParentFiring(jobName, jobName + "@" + NOON, Optional.of(NOON), true, "COMPLETED ".repeat(50));
    }

    private void isFollowedBy(String name, String... parents) {
        JobTree tree = new JobTree(name);
        JobDefinition definition =
                JobDefinition.builder(name).after(AfterSettings.of(parents)).build();
        commit(RegistryCommit.builder()
                .create(IMPORT.follower(name))
                .create(tree.root())
                .create(tree.extension(), new JobDefinitionCodec().extension(definition, Optional.empty()))
                .create(tree.after(), "{\"parents\":[],\"definition\":0}"));
    }

    private FollowUps.Entries ended(String parent, String id, String... followers) {
        if (node(new JobTree(parent).followers()).isEmpty()) {
            JobTree tree = new JobTree(parent);
            RegistryCommit.Builder other =
                    RegistryCommit.builder().create(tree.root()).create(tree.followers());
            for (String follower : followers) {
                other.create(tree.follower(follower));
            }
            commit(other);
        }
        JobScope scope = new JobScope(new JobTree(parent), connection, time, event -> {}, new Announcements());
        return new FollowUps(scope)
                .of(List.of(followers), id, firing(parent))
                .toCompletableFuture()
                .join();
    }

    private boolean commits(FollowUps.Entries entries) {
        return registry.commit(entries.commit()).toCompletableFuture().join().isCommitted();
    }

    private void commit(RegistryCommit.Builder commit) {
        assertThat(registry.commit(commit.build()).toCompletableFuture().join().isCommitted())
                .isTrue();
    }

    private List<String> names(JobTree follower) {
        return FollowUp.of(ID, node(follower.after(ID)).orElseThrow()).names();
    }

    private Optional<RegistryNode> node(String path) {
        return registry.read(List.of(RegistryRead.data(path)))
                .toCompletableFuture()
                .join()
                .node(path);
    }

    private List<String> children(String path) {
        return new ArrayList<>(registry.read(List.of(RegistryRead.children(path)))
                .toCompletableFuture()
                .join()
                .children(path));
    }
}
