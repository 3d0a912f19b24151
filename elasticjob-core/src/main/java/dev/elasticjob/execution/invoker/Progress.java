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
                        "Job \"%s\": the execution of item %d has ended, so its checkpoint can't be set. Set it before the job returns"
                                .formatted(item.jobName(), item.item()));
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
                    "Job \"%s\" has monitorExecution=false, so its checkpoints are not stored: set it to true, or store them yourself"
                            .formatted(item.jobName()));
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Checkpoints.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A checkpoint may have at most %d bytes of UTF-8, but has %d: store large data elsewhere, and its key here"
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
