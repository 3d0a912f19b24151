package dev.elasticjob.coordination.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Under which nodes what an instance owns starts. */
class OwnershipTest {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    private final JobDefinition light = Samples.definition().build();

    @Test
    void whereThereIsACapacityEachStartIsGuardedByTheWeightsAlsoIfNothingWeighsMoreThan1() {
        assertThat(guard(light, OptionalInt.of(4))).contains(Samples.TREE.config(), Samples.TREE.extension());
    }

    @Test
    void withoutACapacityTheWeightsGuardNothing() {
        assertThat(guard(light.toBuilder().weight(3).build(), OptionalInt.empty()))
                .contains(Samples.TREE.config())
                .doesNotContain(Samples.TREE.extension());
    }

    private static List<String> guard(JobDefinition definition, OptionalInt capacity) {
        RegistryAnswer answer = new RegistryAnswer(
                Map.of(
                        Samples.TREE.config(),
                        node(CODEC.config(definition, Optional.empty())),
                        Samples.TREE.extension(),
                        node(CODEC.extension(definition, Optional.empty())),
                        Samples.TREE.sharding(),
                        node(new byte[0])),
                Map.of());
        Assignment assignment = Samples.assignment(definition, Samples.NOON);
        JobView view = new JobView(
                Samples.TREE,
                answer,
                Samples.US,
                "10.0.0.1",
                StoredDefinition.of(Samples.TREE, answer),
                Optional.of(assignment),
                Optional.empty());
        return Ownership.of(Samples.SESSION, view, assignment, definition, JobState.ACTIVE, capacity, false)
                .guard(Samples.TREE)
                .operations()
                .stream()
                .map(Operation::path)
                .toList();
    }

    private static Optional<RegistryNode> node(byte[] data) {
        return Optional.of(new RegistryNode(data, 3, 7, 9, Instant.EPOCH, Instant.EPOCH, 0, 0));
    }
}
