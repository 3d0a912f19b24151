package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.watchdog.WatchdogState.Kind;
import dev.elasticjob.coordination.watchdog.WatchdogState.Overdue;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of this instance, each made once: when the registry has stored it. If the answer was lost, what the
 * registry shows later decides.
 *
 * <p>Confined to the coordination executor.
 */
final class WatchdogReports {
    private static final Logger log = LoggerFactory.getLogger(WatchdogReports.class);
    private static final int SHOWN_FRAMES = 15;

    private final JobScope scope;
    /** Sent to the registry, and not known to be stored. */
    private final Map<Execution, Sent<StuckItem>> stuck = new HashMap<>();

    /** The same for firings, with their limit. */
    private final Map<Instant, Sent<Duration>> overdue = new HashMap<>();

    /** Items that were claimed together share a token. */
    private record Execution(int item, long token) {}

    /** @param by the id of this instance in that answer */
    private record Sent<T>(T what, String by) {}

    WatchdogReports(JobScope scope) {
        this.scope = scope;
    }

    /** They are sent to the registry. */
    void sent(List<StuckItem> items, String instance) {
        items.forEach(item -> stuck.put(new Execution(item.item(), item.token()), new Sent<>(item, instance)));
    }

    /** It is sent to the registry. */
    void sent(Instant firing, Duration limit, String instance) {
        overdue.put(firing, new Sent<>(limit, instance));
    }

    /** Whether it is not known what has become of something that was sent: the node has to be read. */
    boolean areOpen() {
        return !stuck.isEmpty() || !overdue.isEmpty();
    }

    /**
     * The registry shows what was stored: what this instance has sent is reported, what another one was faster at isn't.
     *
     * @param now read, or committed, after the answer to what was sent
     */
    void stored(WatchdogState now) {
        now.items().forEach((number, answer) -> {
            if (answer.kind() == Kind.STUCK) {
                Optional.ofNullable(stuck.remove(new Execution(number, answer.token())))
                        .filter(sent -> answer.by().equals(sent.by()))
                        .ifPresent(sent -> report(sent.what(), sent.by()));
            }
        });
        now.overdue()
                .ifPresent(late -> Optional.ofNullable(overdue.remove(late.firing()))
                        .filter(sent -> late.by().equals(sent.by()))
                        .ifPresent(sent -> report(late, sent.what())));
        stuck.clear();
        overdue.clear();
    }

    void report(StuckItem item, String instance) {
        String limit = DurationText.of(item.limit());
        if (item.progress().isPresent()) {
            log.warn(
                    "Job \"{}\": item {} has been executing for {}, which is longer than its stuckAfter of {} (run \"{}\","
                            + " attempt {}). It goes on. {}",
                    scope.jobName(),
                    item.item(),
                    DurationText.of(item.progress().get().elapsed()),
                    limit,
                    item.runId(),
                    item.attempt(),
                    position(item.progress().get()));
        } else {
            log.warn(
                    "Job \"{}\": item {} was claimed by \"{}\" at {} and has not ended within its stuckAfter of {} (run"
                            + " \"{}\", attempt {}). That instance has not reported it: check whether it is all right",
                    scope.jobName(),
                    item.item(),
                    item.instance(),
                    item.since(),
                    limit,
                    item.runId(),
                    item.attempt());
        }
        scope.events()
                .accept(new JobEvent.ItemStuck(
                        scope.jobName(),
                        item.instance(),
                        item.item(),
                        item.scheduledAt(),
                        item.runId(),
                        item.attempt(),
                        item.since(),
                        item.limit(),
                        instance));
    }

    private static String position(ExecutionProgress progress) {
        if (progress.stack().isEmpty()) {
            return "It is between two attempts";
        }
        StringBuilder position = new StringBuilder("Its thread is here:");
        progress.stack().stream()
                .limit(SHOWN_FRAMES)
                .forEach(frame -> position.append("\n\tat ").append(frame));
        return position.toString();
    }

    private void report(Overdue late, Duration limit) {
        log.warn(
                "Job \"{}\": no item has begun the firing of {} within expectWithin, {}. JobInspector.explain, or"
                        + " explain/<item> of the endpoint, says what keeps an item from running",
                scope.jobName(),
                late.firing(),
                DurationText.of(limit));
        scope.events().accept(new JobEvent.FiringOverdue(scope.jobName(), late.firing(), limit, late.by()));
    }
}
