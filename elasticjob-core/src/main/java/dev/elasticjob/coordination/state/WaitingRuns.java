package dev.elasticjob.coordination.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The manual runs that wait for an item, in order. Usually there is only one, because a request with another parameter
 * is refused. There is a second one if a claim was undone after another run had been requested, or if that happened between
 * two transactions of a request.
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

    public ManualRun first() {
        return runs.get(0);
    }

    public Optional<WaitingRuns> behindFirst() {
        return runs.size() == 1 ? Optional.empty() : Optional.of(new WaitingRuns(runs.subList(1, runs.size())));
    }

    /** Without these requests. */
    public Optional<WaitingRuns> without(Collection<String> runIds) {
        List<ManualRun> left =
                runs.stream().flatMap(run -> run.without(runIds).stream()).toList();
        return left.isEmpty() ? Optional.empty() : Optional.of(new WaitingRuns(left));
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
        return runs.stream().anyMatch(run -> run.folds(request))
                || runs.stream().allMatch(run -> run.dropped() != null);
    }

    /**
     * Adds a request to a waiting run: one with its parameter, or else the first. One that stands for a certain firing
     * waits behind those that don't fold with it. If that run remembers as many
     * requests as it can, it answers this one too without remembering it. This happens only to requests of operators'
     * tools, which don't wait for the outcome.
     */
    public WaitingRuns asked(ManualRun request) {
        List<ManualRun> all = new ArrayList<>(runs);
        Optional<ManualRun> like = runs.stream()
                .filter(run -> run.folds(request))
                .findFirst()
                .or(() -> request.repeats() != null
                        ? Optional.empty()
                        : runs.stream().filter(run -> run.dropped() == null).findFirst());
        like.ifPresentOrElse(run -> all.set(runs.indexOf(run), run.foldedWith(request)), () -> all.add(request));
        return new WaitingRuns(all);
    }

    /** Adds a request that has been accepted for other items: it waits behind those that don't fold with it. */
    public WaitingRuns askedBehind(ManualRun request) {
        return runs.stream().anyMatch(run -> run.folds(request))
                ? asked(request)
                : new WaitingRuns(
                        Stream.concat(runs.stream(), Stream.of(request)).toList());
    }

    /** One request is not to begin. Others that share its run go on waiting. */
    public WaitingRuns dropping(String runId, Cancellation cancellation) {
        List<ManualRun> all = new ArrayList<>();
        for (ManualRun run : runs) {
            if (run.dropped() != null || !run.runIds().contains(runId)) {
                all.add(run);
                continue;
            }
            run.without(List.of(runId)).ifPresent(all::add);
            all.add(run.only(runId).dropped(cancellation));
        }
        return new WaitingRuns(all);
    }

    /** Whether a request waits, and is to begin. */
    public boolean letsBegin(String runId) {
        return runs.stream()
                .anyMatch(run -> run.dropped() == null && run.runIds().contains(runId));
    }

    /** Adds a run whose turn was before all of these. Both the run and its parameter are kept. */
    public WaitingRuns restored(ManualRun earlier) {
        if (first().folds(earlier)) {
            return asked(earlier);
        }
        return new WaitingRuns(Stream.concat(Stream.of(earlier), runs.stream()).toList());
    }
}
