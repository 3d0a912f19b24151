package dev.elasticjob.engine;

import static dev.elasticjob.job.event.JobState.ACTIVE;
import static dev.elasticjob.job.event.JobState.DISABLED;
import static dev.elasticjob.job.event.JobState.DRAINED;
import static dev.elasticjob.job.event.JobState.LATENT;
import static dev.elasticjob.job.event.JobState.PAUSED;
import static dev.elasticjob.job.event.JobState.REGISTERING;
import static dev.elasticjob.job.event.JobState.STOPPED;
import static dev.elasticjob.job.event.JobState.SUSPENDED;
import static dev.elasticjob.job.event.JobState.UNMATCHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JobLifecycleTest {
    private static final Map<JobState, Set<JobState>> TABLE = Map.of(
            LATENT, Set.of(REGISTERING, STOPPED),
            REGISTERING, Set.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED, SUSPENDED, STOPPED),
            ACTIVE, Set.of(SUSPENDED, DISABLED, DRAINED, UNMATCHED, PAUSED, STOPPED),
            SUSPENDED, Set.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED, REGISTERING, STOPPED),
            DISABLED, Set.of(ACTIVE, DRAINED, UNMATCHED, PAUSED, SUSPENDED, STOPPED),
            DRAINED, Set.of(ACTIVE, DISABLED, UNMATCHED, PAUSED, SUSPENDED, STOPPED),
            UNMATCHED, Set.of(ACTIVE, DISABLED, DRAINED, PAUSED, SUSPENDED, STOPPED),
            PAUSED, Set.of(ACTIVE, DISABLED, DRAINED, UNMATCHED, SUSPENDED, STOPPED),
            STOPPED, Set.of(REGISTERING));
    private static final Map<JobState, List<JobState>> WAYS = Map.of(
            LATENT, List.of(),
            REGISTERING, List.of(REGISTERING),
            ACTIVE, List.of(REGISTERING, ACTIVE),
            SUSPENDED, List.of(REGISTERING, SUSPENDED),
            DISABLED, List.of(REGISTERING, DISABLED),
            DRAINED, List.of(REGISTERING, DRAINED),
            UNMATCHED, List.of(REGISTERING, UNMATCHED),
            PAUSED, List.of(REGISTERING, PAUSED),
            STOPPED, List.of(STOPPED));

    private final List<JobEvent> events = new ArrayList<>();
    private final JobLifecycle lifecycle = new JobLifecycle("orders", events::add);

    @ParameterizedTest(name = "{0} -> {1}")
    @MethodSource("pairs")
    void aStepIsTakenAndToldOrForbiddenAndNamed(JobState from, JobState to) {
        WAYS.get(from).forEach(lifecycle::become);
        events.clear();

        if (from == to) {
            lifecycle.become(to);
            assertThat(events).isEmpty();
        } else if (TABLE.get(from).contains(to)) {
            lifecycle.become(to);
            assertThat(events).containsExactly(new StateChanged("orders", from, to));
        } else {
            assertThatIllegalStateException()
                    .isThrownBy(() -> lifecycle.become(to))
                    .withMessage("Job \"orders\" can't go from %s to %s", from, to);
            assertThat(lifecycle.state()).isEqualTo(from);
        }
    }

    @Test
    void aJobBeginsLatent() {
        assertThat(lifecycle.state()).isEqualTo(LATENT);
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(JobState.values())
                .flatMap(from -> Arrays.stream(JobState.values()).map(to -> Arguments.of(from, to)));
    }
}
