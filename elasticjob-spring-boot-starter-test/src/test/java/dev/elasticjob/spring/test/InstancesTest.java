package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class InstancesTest {
    @Test
    void anInstanceThatFollowsThePlanBeforeItHasNoShareYet() {
        assertThat(Instances.isShared(2, Set.of("a", "b"), 1, List.of(plan("a", 1, 0, 1), plan("b", 1))))
                .isFalse();
        assertThat(Instances.isShared(2, Set.of("a", "b"), 1, List.of(plan("a", 1, 0, 1), plan("b", 2, 1))))
                .isFalse();
        assertThat(Instances.isShared(2, Set.of("a", "b"), 1, List.of(plan("a", 2, 0), plan("b", 2, 1))))
                .isTrue();
    }

    private static AssignmentChanged plan(String instance, int epoch, Integer... items) {
        return new AssignmentChanged("billing", instance, epoch, new TreeSet<>(List.of(items)));
    }
}
