package dev.elasticjob.coordination;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An execution beside the schedule, as it was asked for.
 *
 * @param runIds of the requests it answers: several when it was asked for again before it began
 * @param parameter kept with the request; empty when there is none
 */
public record ManualRun(List<String> runIds, String parameter) {
    /** How many requests are remembered: enough for whoever repeats one. */
    static final int REMEMBERED = 16;

    private static final String JOINT = ",";
    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    public ManualRun {
        runIds = List.copyOf(runIds);
    }

    /**
     * One request.
     *
     * @throws IllegalArgumentException for a run id that can't be told from others once it is stored
     */
    public static ManualRun of(String runId) {
        if (!RUN_ID.matcher(runId).matches()) {
            throw new IllegalArgumentException(
                    "A run id has 1 to 64 letters, digits or any of \"._:-\"; found \"%s\"".formatted(runId));
        }
        return new ManualRun(List.of(runId), "");
    }

    static ManualRun parse(String runIds, String parameter) {
        return new ManualRun(List.of(runIds.split(JOINT)), parameter);
    }

    /** The run ids as one text, as an item's record has them. */
    String runId() {
        return String.join(JOINT, runIds);
    }

    /** This run and a later request, answered by one execution. */
    ManualRun foldedWith(ManualRun later) {
        return new ManualRun(newest(runIds, later.runIds), later.parameter.isEmpty() ? parameter : later.parameter);
    }

    /** Whether this text of run ids names all those of the run. */
    boolean isAmong(@Nullable String known) {
        return known != null && List.of(known.split(JOINT)).containsAll(runIds);
    }

    /** Both without doubles, the oldest forgotten. */
    static List<String> newest(List<String> earlier, List<String> later) {
        List<String> all = new ArrayList<>(earlier);
        all.removeAll(later);
        all.addAll(later);
        return List.copyOf(all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /**
     * A run that waits for its item.
     *
     * @param version of the node that says so
     */
    record Waiting(ManualRun run, int version) {}
}
