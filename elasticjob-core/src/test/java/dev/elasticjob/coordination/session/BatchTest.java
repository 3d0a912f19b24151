package dev.elasticjob.coordination.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final int BYTES_OF_LONGEST_ROOT = 101;
    private static final RegistryCommit GUARD = Batch.guard("/j/sharding", 5);

    /** As many steps as a batch may have. */
    @Test
    void aBatchFitsBehindTheLongestRoot() {
        List<RegistryCommit> smallest = IntStream.range(0, 20_000)
                .mapToObj(item -> RegistryCommit.builder()
                        .delete("/j/sharding/0/running", RegistryCommit.ANY_VERSION)
                        .build())
                .toList();

        List<RegistryCommit> batches = Batch.chunks(GUARD, smallest);

        assertThat(batches)
                .hasSizeGreaterThan(1)
                .allSatisfy(batch -> assertThatCode(() -> batch.mustFit(BYTES_OF_LONGEST_ROOT))
                        .doesNotThrowAnyException());
    }

    @Test
    void namesBeyondAsciiCountByTheirBytes() {
        Operation.Check ascii = new Operation.Check("/orders", 0);
        Operation.Check greek = new Operation.Check("/Ωrders", 0);
        Operation.Check chinese = new Operation.Check("/订rders", 0);
        Operation.Check beyond = new Operation.Check("/𝛀rders", 0);

        assertThat(List.of(greek, chinese, beyond))
                .extracting(check -> check.bytes() - ascii.bytes())
                .containsExactly(1, 2, 3);
    }

    @Test
    void whatOnePartWritesStaysTogetherAndEveryBatchBeginsWithTheGuard() {
        byte[] half = new byte[RegistryCommit.BYTES_OF_PART / 2];
        List<RegistryCommit> parts = IntStream.range(0, 3)
                .mapToObj(item -> RegistryCommit.builder()
                        .check("/j/sharding/" + item, 1)
                        .set("/j/sharding/" + item + "/checkpoint", half, -1)
                        .build())
                .toList();

        List<RegistryCommit> batches = Batch.chunks(GUARD, parts);

        assertThat(batches).hasSize(3).allSatisfy(batch -> {
            assertThat(batch.operations()).hasSize(3);
            assertThat(batch.operations().get(0)).isEqualTo(GUARD.operations().get(0));
        });
    }
}
