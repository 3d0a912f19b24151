package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.SESSION;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.ownership;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.claim.RefusedClaims.Decision;
import dev.elasticjob.coordination.claim.RefusedClaims.Refused;
import dev.elasticjob.coordination.item.ItemChange.Claim;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Fencing;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whose claim it was that a refused one has met. Item 1 was to be claimed for noon. */
class RefusedClaimsTest {
    private static final Ownership OWN = ownership(definition().build());
    private static final ItemView IDLE = item(1, ItemRecord.NEW);
    private static final Claim CLAIM =
            new Claim(IDLE, IDLE.current().claimed(NOON, US, NOON), ExecutionTrigger.SCHEDULE);
    private static final Commit COMMIT = new Commit(CLAIM, List.of());
    private static final long ANOTHER_SESSION = 8;

    private final RefusedClaims claims = new RefusedClaims();

    @Test
    void itIsOursWithOurLockAndTheRecordThatWeWouldHaveWritten() {
        Decision decision = decide(CLAIM.next(), SESSION.id());

        assertThat(decision.ours()).containsEntry(COMMIT, 42L);
        assertThat(decision.left()).isEmpty();
    }

    @Test
    void itIsOursAlsoIfAnOperatorHasCancelledItSince() {
        ItemRecord cancelled = CLAIM.next().cancelling(new Cancellation("alice", ""));

        Decision decision = decide(cancelled, SESSION.id());

        assertThat(decision.ours()).containsEntry(COMMIT, 42L);
        assertThat(decide(cancelled, ANOTHER_SESSION).ours()).isEmpty();
    }

    @Test
    void aLockOfOurSessionAloneIsThatOfALaterClaim() {
        ItemRecord later = IDLE.current().claimed(NOON, US, NOON.plusSeconds(1));

        Decision decision = decide(later, SESSION.id());

        assertThat(decision.ours()).isEmpty();
        assertThat(decision.left()).containsExactly(1);
    }

    @Test
    void theRecordAloneIsThatOfAFormerSession() {
        Decision decision = decide(CLAIM.next(), ANOTHER_SESSION);

        assertThat(decision.ours()).isEmpty();
        assertThat(decision.left()).containsExactly(1);
    }

    private Decision decide(ItemRecord stands, long lockedBy) {
        Refused refused =
                claims.add(OWN, new Batch<>(RegistryCommit.builder().build(), List.of(COMMIT)), Fencing.UNKNOWN);
        ItemView read = new ItemView(
                1,
                IDLE.version() + 1,
                NOON,
                stands,
                item(1, stands, "running").children(),
                false,
                IDLE.waiting(),
                IDLE.checkpoint(),
                IDLE.problem());
        RegistryNode lock = new RegistryNode(new byte[0], 0, 42, 42, NOON, NOON, lockedBy);
        return claims.decide(
                refused,
                new ItemsView(
                        OWN.epoch(),
                        new TreeMap<>(Map.of(1, read)),
                        new TreeMap<>(Map.of(1, lock)),
                        Optional.empty(),
                        FiringsView.NONE));
    }
}
