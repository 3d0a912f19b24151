package dev.elasticjob.coordination;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.ItemTransactions;
import dev.elasticjob.coordination.leader.JobTransactions;
import dev.elasticjob.coordination.membership.MemberNodes;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A transaction whose answer was lost is sent again: it must not delete what was made anew under the same name, at the
 * same version, since it was carried out.
 */
class RepeatedCommitTest {
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(new ManualTime(NOON));
    private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, Runnable::run);
    private final InMemoryRegistry stranger = new InMemoryRegistry(ensemble, Runnable::run);
    private final JobTransactions transactions = new JobTransactions(TREE);
    private final MemberNodes membership = MemberNodes.of(TREE);

    @BeforeEach
    void aJobWithOneInstance() {
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        TREE.parents().forEach(job::create);
        job.create(TREE.sharding())
                .create(TREE.config())
                .createEphemeral(TREE.instance(US), US)
                .createEphemeral(TREE.leader(), US);
        assertThat(isCarriedOut(registry, job.build())).isTrue();
    }

    @Test
    void anAnsweredBellThatRingsAnewStaysRinging() {
        assertThat(isCarriedOut(stranger, new ReshardingRequest(TREE, Optional.empty()).raised()))
                .isTrue();
        RegistryCommit answer = transactions.answerRequest(0, node(TREE.flags()), node(TREE.necessary()));
        assertThat(isCarriedOut(registry, answer)).isTrue();
        assertThat(isCarriedOut(stranger, new ReshardingRequest(TREE, Optional.empty()).raised()))
                .isTrue();

        boolean repeated = isCarriedOut(registry, answer);

        assertThat(repeated).isFalse();
        assertThat(node(TREE.necessary()).version()).isZero();
    }

    @Test
    void whoeverRegistersUnderTheIdOfOneThatHasLeftStays() {
        RegistryAnswer read = membershipNodes();
        RegistryCommit leave = RegistryCommit.builder()
                .addAll(MemberNodes.giveUp(TREE.instance(US), TREE.instances(), read))
                .addAll(MemberNodes.giveUp(TREE.leader(), TREE.election(), read))
                .check(TREE.config(), 0)
                .addAll(new ReshardingRequest(TREE, Optional.empty()).raised())
                .build();
        assertThat(isCarriedOut(registry, leave)).isTrue();
        RegistryCommit next = RegistryCommit.builder()
                .createEphemeral(TREE.instance(US), US)
                .createEphemeral(TREE.leader(), US)
                .delete(TREE.necessary(), 0)
                .build();
        assertThat(isCarriedOut(stranger, next)).isTrue();

        boolean repeated = isCarriedOut(registry, leave);

        assertThat(repeated).isFalse();
        assertThat(node(TREE.instance(US)).ephemeralOwner())
                .isEqualTo(stranger.session().orElseThrow().id());
    }

    @ParameterizedTest
    @MethodSource
    void whatWasReadAsOursAndMadeAnewByAnotherMeanwhileStays(String path, String parent, RegistryCommit madeAnew) {
        RegistryCommit giveUp = MemberNodes.giveUp(path, parent, membershipNodes());
        ensemble.expire(registry.session().orElseThrow());
        assertThat(isCarriedOut(stranger, madeAnew)).isTrue();

        boolean carriedOut = isCarriedOut(registry, giveUp);

        assertThat(carriedOut).isFalse();
        assertThat(node(path).ephemeralOwner())
                .isEqualTo(stranger.session().orElseThrow().id());
    }

    static Stream<Arguments> whatWasReadAsOursAndMadeAnewByAnotherMeanwhileStays() {
        MemberNodes membership = MemberNodes.of(TREE);
        return Stream.of(
                Arguments.of(TREE.instance(US), TREE.instances(), membership.register(US, "10.0.0.1")),
                Arguments.of(TREE.leader(), TREE.election(), membership.elect("another")));
    }

    @Test
    void anInstanceThatRegistersAnewMovesTheParentOnceAndAsReadOnly() {
        RegistryAnswer read = membershipNodes();
        RegistryCommit anew = membership.registerAnew(US, "10.0.0.1", read);
        assertThat(isCarriedOut(registry, anew)).isTrue();
        int moved = node(TREE.instances()).version();

        boolean repeated = isCarriedOut(registry, anew);

        assertThat(moved).isEqualTo(1);
        assertThat(repeated).isFalse();
        assertThat(node(TREE.instance(US)).text()).contains("10.0.0.1");
    }

    @Test
    void aRunThatIsAskedForAfterOneWasTakenGoesOnWaiting() {
        RegistryCommit ask = RegistryCommit.builder()
                .create(TREE.trigger(0), "{\"runId\":\"r1\"}")
                .build();
        itemWith(ItemRecord.NEW);
        assertThat(isCarriedOut(stranger, ask)).isTrue();
        ManualRun.Waiting waiting = item(0).waiting().orElseThrow();
        RegistryCommit claim = new ItemTransactions(TREE)
                .claim(
                        ownershipAtTheFirstEpoch(),
                        List.of(new ItemChange.ManualClaim(
                                item(0), waiting, ItemRecord.NEW.claimedFor(waiting.run(), US, NOON))),
                        Function.identity())
                .get(0)
                .commit();
        assertThat(isCarriedOut(registry, claim)).isTrue();
        RegistryCommit ended =
                RegistryCommit.builder().delete(TREE.running(0), 0).addAll(ask).build();
        assertThat(isCarriedOut(stranger, ended)).isTrue();

        boolean repeated = isCarriedOut(registry, claim);

        assertThat(repeated).isFalse();
        assertThat(node(TREE.trigger(0)).version()).isZero();
    }

    @Test
    void anOrphanOfAnItemMadeAnewIsNotRecordedAsItsPredecessor() {
        itemWith(Samples.running(NOON));
        RegistryCommit orphan = new ItemTransactions(TREE)
                .recordOrphans(0, List.of(new ItemChange.Orphan(item(0), NOON, false)))
                .get(0)
                .commit();
        assertThat(isCarriedOut(registry, orphan)).isTrue();
        madeAnewWith(Samples.running(NOON.plusSeconds(60)));

        boolean repeated = isCarriedOut(registry, orphan);

        assertThat(repeated).isFalse();
    }

    @Test
    void whatIsGivenUpIsNotGivenUpOnAnItemMadeAnew() {
        itemWith(Samples.orphaned(NOON));
        RegistryCommit drop = new ItemTransactions(TREE)
                .abandon(
                        0,
                        new StoredDefinition.NodeVersion(TREE.config(), 0),
                        List.of(new ItemChange.Abandon(item(0), "no longer wanted")))
                .get(0)
                .commit();
        assertThat(isCarriedOut(registry, drop)).isTrue();
        madeAnewWith(Samples.orphaned(NOON.plusSeconds(60)));

        boolean repeated = isCarriedOut(registry, drop);

        assertThat(repeated).isFalse();
    }

    private static Ownership ownershipAtTheFirstEpoch() {
        Ownership later = Samples.ownership(Samples.definition().build());
        return new Ownership(
                later.session(),
                later.instance(),
                0,
                later.assignment(),
                later.definition(),
                new StoredDefinition.NodeVersion(TREE.config(), 0),
                later.items(),
                true,
                OptionalLong.empty());
    }

    private void itemWith(ItemRecord written) {
        RegistryCommit created = RegistryCommit.builder()
                .create(TREE.item(0), ItemRecordCodec.write(written))
                .build();
        assertThat(isCarriedOut(stranger, created)).isTrue();
    }

    /** Removed and planned again: each moves the epoch, and the item's versions start again. */
    private void madeAnewWith(ItemRecord written) {
        RegistryCommit retired = RegistryCommit.builder()
                .set(TREE.sharding(), "", 0)
                .delete(TREE.item(0), item(0).version())
                .build();
        assertThat(isCarriedOut(stranger, retired)).isTrue();
        itemWith(written);
    }

    private ItemView item(int item) {
        return new JobViewReader(TREE, registry)
                .items(List.of(item))
                .toCompletableFuture()
                .join()
                .items()
                .get(item);
    }

    private RegistryNode node(String path) {
        return read(path).node(path).orElseThrow();
    }

    private RegistryAnswer membershipNodes() {
        return read(TREE.instances(), TREE.election(), TREE.instance(US), TREE.leader());
    }

    private RegistryAnswer read(String... paths) {
        return registry.read(Stream.of(paths).map(RegistryRead::data).toList())
                .toCompletableFuture()
                .join();
    }

    private static boolean isCarriedOut(InMemoryRegistry by, RegistryCommit commit) {
        return by.commit(by.session().orElseThrow(), commit)
                        .toCompletableFuture()
                        .join()
                instanceof CommitOutcome.Committed;
    }
}
