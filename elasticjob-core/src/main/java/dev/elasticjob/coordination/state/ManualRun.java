package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A run that was requested, outside the schedule.
 *
 * @param runIds the ids of the requests that it answers: several if it was requested again before it started
 * @param parameter its parameter; empty if there is none
 * @param repeats the failed execution that it repeats; null for a run of its own
 * @param dropped the request that it doesn't begin; null if there is none
 * @param by who requested it; of several requests, the first of which that is known
 */
public record ManualRun(
        List<String> runIds,
        String parameter,
        @Nullable RepeatedRun repeats,
        @Nullable Cancellation dropped,
        RequestedBy by) {
    /** The number of requests that are remembered, so that a repeated one is recognized. */
    public static final int REMEMBERED = 16;

    /** The record of each item contains it. */
    private static final int MAX_BYTES = 512;

    private static final String JOINT = ",";
    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    public ManualRun {
        runIds = List.copyOf(runIds);
    }

    /** A run that repeats nothing. */
    public ManualRun(List<String> runIds, String parameter) {
        this(runIds, parameter, null, null, RequestedBy.NOBODY);
    }

    /** The same run, requested by somebody. */
    public ManualRun by(RequestedBy requester) {
        return new ManualRun(runIds, parameter, repeats, dropped, requester);
    }

    /** The same run as a repetition. */
    public ManualRun repeating(@Nullable RepeatedRun execution) {
        boolean known = execution != null && (execution.at() != null || execution.runId() != null);
        return new ManualRun(runIds, parameter, known ? execution : null, dropped, by);
    }

    /** The run id under which the first attempt at what it repeats ran; empty if it repeats nothing. */
    public Optional<String> repeatedRunIdOf(String jobName) {
        return Optional.ofNullable(repeats)
                .map(first -> first.runId() != null ? first.runId() : jobName + ItemRecord.FIRING + first.at());
    }

    /** The same run, which is not to begin. */
    public ManualRun dropped(@Nullable Cancellation cancellation) {
        return new ManualRun(runIds, parameter, repeats, cancellation, by);
    }

    private ManualRun of(List<String> ids) {
        return new ManualRun(ids, parameter, repeats, dropped, by);
    }

    /**
     * One request.
     *
     * @throws IllegalArgumentException for a run id that would be ambiguous when stored, and for a parameter that is
     *     longer than 512 bytes of UTF-8 or has several lines
     */
    public static ManualRun of(String runId, String parameter) {
        if (!RUN_ID.matcher(runId).matches()) {
            throw new IllegalArgumentException(
                    "A run id must consist of 1 to 64 letters, digits or any of \"._:-\", but is \"%s\": choose another one"
                            .formatted(runId));
        }
        int bytes = RegistryCommit.bytes(parameter);
        if (bytes > MAX_BYTES || parameter.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    ("A run parameter may have at most %d bytes of UTF-8 and no control characters, but this one has"
                                    + " %d bytes. Store longer data elsewhere, and pass its key to the run")
                            .formatted(MAX_BYTES, bytes));
        }
        return new ManualRun(List.of(runId), parameter);
    }

    /** One request without a parameter. */
    public static ManualRun of(String runId) {
        return of(runId, "");
    }

    /** Joined run ids; empty if they are none that can be told apart, and be the names of nodes. */
    static Optional<ManualRun> parse(String runIds, String parameter) {
        List<String> ids = List.of(runIds.split(JOINT, -1));
        return ids.stream().allMatch(ManualRun::isRunId)
                ? Optional.of(new ManualRun(ids, parameter))
                : Optional.empty();
    }

    /** Whether a request may have this id. Those that are made for followers and backfills are longer than a caller's. */
    public static boolean isRunId(String stored) {
        return !stored.isEmpty()
                && !stored.contains(JOINT)
                && NodeName.problem(OpenFiring.idOf(stored)).isEmpty();
    }

    /** The run ids, joined, as an item's record contains them. */
    public String runId() {
        return String.join(JOINT, runIds);
    }

    /** Merges another request into this run, with this run's parameter; returns this run if it is full. */
    ManualRun foldedWith(ManualRun other) {
        return remembers(other) ? of(newest(runIds, other.runIds)).by(by.isKnown() ? by : other.by) : this;
    }

    /** One of the requests alone. */
    ManualRun only(String runId) {
        return of(List.of(runId));
    }

    /** These of the requests. */
    public ManualRun only(List<String> requests) {
        return of(requests);
    }

    /** Whether one execution can answer both without forgetting a request. */
    boolean folds(ManualRun other) {
        return dropped == null
                && other.dropped == null
                && parameter.equals(other.parameter)
                && Objects.equals(repeats, other.repeats)
                && remembers(other);
    }

    private boolean remembers(ManualRun other) {
        List<String> both = new ArrayList<>(runIds);
        both.removeAll(other.runIds);
        return both.size() + other.runIds.size() <= REMEMBERED;
    }

    /** Without these requests; empty if no other is left. */
    Optional<ManualRun> without(Collection<String> requests) {
        List<String> left = new ArrayList<>(runIds);
        left.removeAll(requests);
        return left.isEmpty() ? Optional.empty() : Optional.of(of(left));
    }

    /** Whether all requests of the run are among those of the other one. */
    boolean isAmong(@Nullable ManualRun known) {
        return known != null && known.runIds.containsAll(runIds);
    }

    /** Joins both without duplicates, and drops the oldest. */
    public static List<String> newest(List<String> earlier, List<String> later) {
        List<String> all = new ArrayList<>(earlier);
        all.removeAll(later);
        all.addAll(later);
        return List.copyOf(all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /**
     * Runs that wait for their item.
     *
     * @param version the version of their node
     */
    public record Waiting(WaitingRuns runs, int version) {
        public ManualRun run() {
            return runs.first();
        }
    }
}
