package dev.elasticjob.simulation;

import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an item's record says, as far as promises speak of it. */
record Recorded(
        String state,
        @Nullable Instant scheduledAt,
        @Nullable String runId,
        int attempt,
        int crashes,
        @Nullable String instance,
        @Nullable String startedAt,
        @Nullable String finishedAt,
        boolean opened,
        List<String> ends,
        @Nullable String canceller,
        int repeats,
        @Nullable String repeated,
        Map<String, String> past) {
    static final Recorded NEW =
            new Recorded("NEW", null, null, 0, 0, null, null, null, false, List.of(), null, 0, null, Map.of());

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static Recorded of(RegistryNode node) {
        if (node.data().length == 0) {
            return NEW;
        }
        JsonNode json = MAPPER.readTree(node.data());
        String scheduledAt = text(json, "scheduledAt");
        return new Recorded(
                json.path("state").asString("NEW"),
                scheduledAt == null ? null : Instant.parse(scheduledAt),
                text(json, "runId"),
                json.path("attempt").asInt(0),
                json.path("crashes").asInt(0),
                text(json, "instance"),
                text(json, "startedAt"),
                text(json, "finishedAt"),
                json.path("opened").asBoolean(false),
                json.path("ends").valueStream().map(end -> end.asString("")).toList(),
                json.path("cancelled").isObject()
                        ? json.path("cancelled").path("actor").asString("")
                        : null,
                json.path("repeats").path("attempt").asInt(0),
                repeated(json.path("repeats")),
                past(json.path("past")));
    }

    /** The cause of the execution that is repeated. */
    private static @Nullable String repeated(JsonNode repeats) {
        String at = text(repeats, "at");
        return at == null ? text(repeats, "runId") : Instant.parse(at).toString();
    }

    private static Map<String, String> past(JsonNode json) {
        Map<String, String> past = new HashMap<>();
        json.properties().forEach(end -> past.put(end.getKey(), end.getValue().asString("")));
        return past;
    }

    boolean isCancelled() {
        return canceller != null;
    }

    /** The same with a wish that it ends. */
    Recorded cancelledBy(@Nullable String who) {
        return new Recorded(
                state,
                scheduledAt,
                runId,
                attempt,
                crashes,
                instance,
                startedAt,
                finishedAt,
                opened,
                ends,
                who,
                repeats,
                repeated,
                past);
    }

    /** Whether it shows an execution that answers the request. */
    boolean isOf(@Nullable String request) {
        return runId != null && List.of(runId.split(",")).contains(request);
    }

    /** Whether it says that the firing was lost. */
    boolean hasLost(Instant firing) {
        return ends.stream().anyMatch(end -> end.startsWith(firing + " LOST"));
    }

    /** Whether it says that it was executing when the firing came due: unlike where an operator wants it, it says who. */
    boolean hasSkippedBusy(Instant firing) {
        return ends.stream().anyMatch(end -> end.startsWith(firing + " SKIPPED 0 "));
    }

    /** How many of the firings before that one met its execution, if the job skips those. */
    long countSkipped(InForce plan, Instant before, Instant now) {
        if (finishedAt == null || scheduledAt == null || !wasBusyAt(Instant.parse(finishedAt), now)) {
            return 0;
        }
        Instant until = Instant.parse(finishedAt).plusNanos(1);
        boolean mayHaveWaited = attempt <= 1 && crashes == 0 && runId == null && startedAt != null;
        Instant began = mayHaveWaited ? Instant.parse(startedAt).minusNanos(1) : scheduledAt;
        return plan.countOwed(
                began.isAfter(scheduledAt) ? began : scheduledAt, until.isBefore(before) ? until : before);
    }

    /** Whether a firing that came due at that moment met its execution, as it says; it has ended by {@code now}. */
    boolean wasBusyAt(Instant firing, Instant now) {
        if (finishedAt == null || is("INTERRUPTED") || isRefused()) {
            return false;
        }
        Instant until = Instant.parse(finishedAt);
        boolean hasWaited = attempt <= 1
                && crashes == 0
                && runId == null
                && startedAt != null
                && firing.isBefore(Instant.parse(startedAt));
        return !until.isAfter(now) && !firing.isAfter(until) && !hasWaited;
    }

    /** Whether it says that it could not begin the firing, because the listeners before it have failed. */
    boolean hasRefused(Instant firing) {
        return ends.stream().anyMatch(end -> end.startsWith(firing + " FAILED 0"));
    }

    /** Whether it shows an execution that failed without having been started, because the listeners before it have failed. */
    boolean isRefused() {
        return is("FAILED") && attempt > 0 && startedAt == null;
    }

    boolean is(String wanted) {
        return state.equals(wanted);
    }

    /** Whether it is a claim, and not the next attempt of an interrupted execution. */
    boolean isClaimed() {
        return is("RUNNING") && (attempt == 1 || attempt == repeats);
    }

    /** Whether it is the first attempt at a firing of the schedule. */
    boolean isScheduledClaim() {
        return is("RUNNING") && attempt == 1 && runId == null;
    }

    /** Ended, or without a history. */
    boolean isOver() {
        return is("NEW") || is("COMPLETED") || is("FAILED");
    }

    /** What it is or was executed for. */
    String cause() {
        return runId != null ? runId : String.valueOf(scheduledAt);
    }

    /** Whether it is an execution for that cause, or for several of which that is one, or repeats such a one. */
    boolean isFor(String one) {
        return cause().equals(one)
                || one.equals(repeated)
                || List.of(cause().split(",")).contains(one);
    }

    boolean isSameExecution(Recorded other) {
        return attempt == other.attempt
                && Objects.equals(scheduledAt, other.scheduledAt)
                && Objects.equals(runId, other.runId);
    }

    /** Whether both show the same attempt at a manual run, whatever firings the item has let pass in between. */
    boolean isSameRunAs(Recorded other) {
        return isSameExecution(other) || (runId != null && attempt == other.attempt && runId.equals(other.runId));
    }

    private static @Nullable String text(JsonNode json, String key) {
        JsonNode value = json.path(key);
        return value.isString() ? value.asString() : null;
    }
}
