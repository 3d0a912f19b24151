package dev.elasticjob.execution.invoker;

import dev.elasticjob.coordination.completion.Checkpoints;
import dev.elasticjob.coordination.completion.ClaimedItem;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How far one execution has come by its own word. Of any number of words that come before somebody has time to hear them,
 * the newest is heard. Safe for use by any thread.
 */
public final class Progress {
    private final ClaimedItem item;
    private final Executor coordination;
    private final Consumer<String> heard;
    private String last;
    private boolean untold;
    private boolean ended;

    /** @param heard gets new words, on the coordination executor */
    public Progress(ClaimedItem item, Executor coordination, Consumer<String> heard) {
        this.item = item;
        this.coordination = coordination;
        this.heard = heard;
        this.last = item.checkpoint().orElse("");
    }

    synchronized Optional<String> last() {
        return Optional.of(last).filter(text -> !text.isEmpty());
    }

    void checkpoint(String text) {
        check(text);
        synchronized (this) {
            if (ended) {
                throw new IllegalStateException(
                        "Job \"%s\": the execution of item %d has ended, so it can't have come further; set checkpoints"
                                        .formatted(item.jobName(), item.item())
                                + " before it returns");
            }
            last = text;
            if (!untold) {
                untold = true;
                coordination.execute(this::tell);
            }
        }
    }

    private void check(String text) {
        if (!item.isMonitored()) {
            throw new IllegalStateException(
                    "Job \"%s\" doesn't monitor its executions, so nothing is kept of them: set monitorExecution to true, or"
                                    .formatted(item.jobName())
                            + " keep the checkpoint in your own storage");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Checkpoints.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A checkpoint has at most %d bytes of UTF-8, found %d: keep what is large in your own storage, and the key to it here"
                            .formatted(Checkpoints.MAX_BYTES, bytes));
        }
    }

    private void tell() {
        String text;
        synchronized (this) {
            untold = false;
            text = last;
        }
        heard.accept(text);
    }

    /** Nothing more is heard; what was, before whatever the caller does next on the coordination executor. */
    public synchronized void end() {
        ended = true;
    }
}
