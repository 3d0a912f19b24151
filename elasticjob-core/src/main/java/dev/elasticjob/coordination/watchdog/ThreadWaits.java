package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.watchdog.WatchdogState.Answer;
import dev.elasticjob.coordination.watchdog.WatchdogState.Kind;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/**
 * What instances have said of executions that they have claimed, and that have no thread yet. Of an execution that began
 * later, it is still said until it is stuck, or has ended.
 */
public final class ThreadWaits {
    private final WatchdogState reported;

    private ThreadWaits(WatchdogState reported) {
        this.reported = reported;
    }

    /** @param node of the job's reports; empty if there were none */
    public static ThreadWaits of(Optional<RegistryNode> node) {
        return new ThreadWaits(node.map(WatchdogState::read).orElse(WatchdogState.NOTHING));
    }

    /**
     * Of an execution that was said to wait for a thread, who has the threads; an empty text if that isn't known.
     *
     * @param token of the item's lock
     * @return empty if nothing was said, or that it is stuck
     */
    public Optional<String> of(int item, long token) {
        return reported.of(item, token)
                .filter(answer -> answer.kind() == Kind.WAITS)
                .map(Answer::threads);
    }
}
