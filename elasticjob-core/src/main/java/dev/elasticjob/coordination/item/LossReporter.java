package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsSkipped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports executions that will not take place, to listeners and in the log. Called once for each loss, by the instance
 * that has committed it. Confined to the coordination executor.
 */
public final class LossReporter {
    private static final Logger log = LoggerFactory.getLogger(LossReporter.class);

    private static final int COUNTED_FIRINGS = 1_000;

    private static final String NOT_REPEATED = "Lost work is not repeated; trigger the job if the work is needed";

    private final JobScope scope;

    public LossReporter(JobScope scope) {
        this.scope = scope;
    }

    /** Reports missed firings that a claim has found. */
    public void tell(JobEvent event) {
        sentence(event).ifPresent(sentence -> log.warn("Job \"{}\": {}", scope.jobName(), sentence));
        scope.events().accept(event);
    }

    /**
     * Reports the missed firings that the claims of one transaction have found, with one line for all items that missed
     * the same ones.
     */
    public void tell(Collection<JobEvent> gaps) {
        gaps.forEach(this::tell);
        Map<String, List<Integer>> alike = new LinkedHashMap<>();
        for (JobEvent gap : gaps) {
            if (gap instanceof FiringsFolded one) {
                String sentence = "missed %s since %s; one execution, for the firing at %s, makes up for them"
                        .formatted(firings(one.count()), one.from(), one.into());
                alike.computeIfAbsent(sentence, any -> new ArrayList<>()).add(one.item());
            } else if (gap instanceof FiringsSkipped one) {
                String sentence = "skipped %s since %s: they were executing, and overlap is SKIP"
                        .formatted(firings(one.count()), one.from());
                alike.computeIfAbsent(sentence, any -> new ArrayList<>()).add(one.item());
            }
        }
        alike.forEach((sentence, items) -> log.info(
                "Job \"{}\": items [{}] {}",
                scope.jobName(),
                ItemRanges.text(items.stream().sorted().toList()),
                sentence));
    }

    /** One firing that came due while its item was executing doesn't run, as the job wants it. */
    public void tellSkipped(int item, Instant firing) {
        tell(List.of(new FiringsSkipped(scope.jobName(), item, firing, firing, 1)));
    }

    /** An interrupted execution, perhaps of a manual run, will not be repeated. */
    void tellInterrupted(ItemView item) {
        String run = item.current().runIdOf(scope.jobName()).orElse("");
        tellLost(item.item(), item.firing(), "the interrupted run \"%s\"".formatted(run));
    }

    /** One firing of an item did not run, and will not be repeated. */
    public void tellLost(int item, Instant firing) {
        tellLost(item, firing, "its firing at " + firing);
    }

    private void tellLost(int item, Instant firing, String what) {
        log.warn("Job \"{}\": item {} lost {}. {}", scope.jobName(), item, what, NOT_REPEATED);
        scope.events().accept(new JobEvent.FiringsLost(scope.jobName(), item, firing, firing, 1));
    }

    /** Manual runs that waited for an item will not happen. */
    public void tellDropped(int item, List<String> runIds, String reason) {
        tell(new JobEvent.ManualRunDropped(scope.jobName(), item, runIds, reason));
    }

    /** The event as a sentence for operators; empty if nothing is lost. */
    static Optional<String> sentence(JobEvent event) {
        if (event instanceof JobEvent.FiringsLost lost) {
            return Optional.of("item %d lost %s before %s%s. %s"
                    .formatted(
                            lost.item(),
                            firings(lost.count()),
                            lost.before(),
                            lost.reason().isEmpty() ? "" : ", " + lost.reason(),
                            NOT_REPEATED));
        }
        if (event instanceof JobEvent.ManualRunDropped dropped) {
            return Optional.of("run \"%s\" of item %d was dropped: %s"
                    .formatted(String.join(",", dropped.runIds()), dropped.item(), dropped.reason()));
        }
        return Optional.empty();
    }

    private static String firings(int count) {
        return count == 1 ? "1 firing" : count < COUNTED_FIRINGS ? count + " firings" : count + " or more firings";
    }
}
