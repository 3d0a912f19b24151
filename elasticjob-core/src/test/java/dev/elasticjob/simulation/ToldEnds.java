package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the job that runs after this one is told: once for each firing that anybody has begun, and nothing but the truth. */
final class ToldEnds {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JobTree FOLLOWER = new JobTree(Scenario.FOLLOWER);

    private final Oracle oracle;
    /** How executions have ended, as records say: item, firing or run, and state. */
    private final Set<String> said = new HashSet<>();

    ToldEnds(Oracle oracle) {
        this.oracle = oracle;
    }

    void recorded(int item, Recorded before, Recorded after) {
        boolean ends = before.isSameExecution(after) && !before.is(after.state()) && !before.isOver();
        boolean undone = before.is("RUNNING") && after.is("FAILED") && !before.isSameExecution(after);
        for (String cause : after.cause().split(",")) {
            // A claim that is undone after it has passed firings leaves what was interrupted before it as failed.
            if (ends || after.isRefused() || (undone && said.contains(key(item, cause, "INTERRUPTED")))) {
                said.add(key(item, cause, after.state()));
            }
        }
    }

    /**
     * @param followed whether the plan names the follower
     * @param later the rest of the transaction that ends the firing
     */
    void ends(OpenFiring firing, boolean followed, List<Change> later) {
        String id = firing.scheduledAt() != null ? firing.id() : "run-" + firing.runId();
        Optional<String> text = later.stream()
                .filter(change -> change.path().equals(FOLLOWER.after(id)))
                .flatMap(change -> change.after().stream())
                .map(RegistryNode::text)
                .findFirst();
        boolean begun = firing.items().stream().anyMatch(item -> has(item, firing, "COMPLETED", "FAILED"));
        if (followed && begun && text.isEmpty()) {
            oracle.violated("P9, followed once: nobody is told of the end of " + firing);
        }
        text.ifPresent(told -> {
            if (!followed) {
                oracle.violated("P9, followed once: the end of %s is told, but nobody follows".formatted(firing));
            }
            isTrue(firing, MAPPER.readTree(told).path("after").path(0));
        });
    }

    private void isTrue(OpenFiring firing, JsonNode told) {
        boolean any = false;
        boolean all = true;
        for (String ends : told.path("ends").asString("").split("; ")) {
            String end = ends.substring(0, ends.indexOf(' '));
            for (int item : items(ends.substring(ends.indexOf(' ') + 1))) {
                if (!isTrue(firing, item, end)) {
                    oracle.violated("what followers are told is true: item %d of %s is not %s: %s"
                            .formatted(item, firing, end, told));
                }
            }
            any |= end.equals("COMPLETED");
            all &= end.equals("COMPLETED") || end.equals("SKIPPED");
        }
        if (told.path("success").asBoolean(false) != (any && all)) {
            oracle.violated("what followers are told is true: %s of %s".formatted(told, firing));
        }
    }

    private boolean isTrue(OpenFiring firing, int item, String end) {
        return switch (end) {
            case "COMPLETED", "FAILED", "INTERRUPTED" -> has(item, firing, end);
            case "FOLDED", "LOST", "SKIPPED" -> !has(item, firing, "COMPLETED", "FAILED", "INTERRUPTED");
            default -> true;
        };
    }

    /** Of ranges such as 0-3,5. */
    private static List<Integer> items(String ranges) {
        return Stream.of(ranges.split(","))
                .map(range -> range.split("-"))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    private boolean has(int item, OpenFiring firing, String... states) {
        String cause = firing.scheduledAt() != null ? firing.scheduledAt().toString() : firing.runId();
        return Stream.of(states).anyMatch(state -> said.contains(key(item, cause, state)));
    }

    private static String key(int item, String cause, String state) {
        return item + "|" + cause + "|" + state;
    }
}
