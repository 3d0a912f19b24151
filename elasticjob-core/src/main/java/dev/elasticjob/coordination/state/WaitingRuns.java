package dev.elasticjob.coordination.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The manual runs that wait for an item, in the order of their turns. Almost always there is one, since a request with
 * another parameter is refused. There is a second one if a claim is undone, and another run was requested meanwhile.
 *
 * @param runs at least one
 */
public record WaitingRuns(List<ManualRun> runs) {
    public WaitingRuns {
        runs = List.copyOf(runs);
    }

    public static WaitingRuns of(ManualRun run) {
        return new WaitingRuns(List.of(run));
    }

    /** The one whose turn is next. */
    public ManualRun first() {
        return runs.get(0);
    }

    /** What waits behind the first. */
    public Optional<WaitingRuns> behindFirst() {
        return runs.size() == 1 ? Optional.empty() : Optional.of(new WaitingRuns(runs.subList(1, runs.size())));
    }

    public List<String> runIds() {
        return runs.stream().flatMap(run -> run.runIds().stream()).toList();
    }

    /** Whether all of a run's requests wait here. */
    public boolean names(ManualRun run) {
        return runs.stream().anyMatch(run::isAmong);
    }

    /** Whether a request can be answered together with one that waits. */
    public boolean takes(ManualRun request) {
        return runs.stream().anyMatch(run -> run.folds(request));
    }

    /**
     * Adds a request that is answered together with a run that waits: with one of its parameter, else with the first. If
     * that remembers as many requests as it can, this one is answered too, but not remembered: it comes from an operator's
     * tool then, which doesn't await its end, while the end of each of the others may be awaited.
     */
    public WaitingRuns asked(ManualRun request) {
        List<ManualRun> all = new ArrayList<>(runs);
        ManualRun like =
                runs.stream().filter(run -> run.folds(request)).findFirst().orElse(first());
        all.set(runs.indexOf(like), like.foldedWith(request));
        return new WaitingRuns(all);
    }

    /** Adds a run whose turn was before all of these. Neither the run nor its parameter may be lost. */
    public WaitingRuns restored(ManualRun earlier) {
        if (first().folds(earlier)) {
            return asked(earlier);
        }
        return new WaitingRuns(Stream.concat(Stream.of(earlier), runs.stream()).toList());
    }
}
