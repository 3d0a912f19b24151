package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.progress.ItemProgress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Keeps what a runner tells of its executions. */
final class Heard implements ItemRunner.Results {
    final Map<Integer, ExecutionResult> endings = new LinkedHashMap<>();
    final List<String> checkpoints = new ArrayList<>();
    final Map<Integer, Supplier<ItemProgress>> progress = new LinkedHashMap<>();

    @Override
    public void checkpoint(ClaimedItem item, String text) {
        checkpoints.add(item.item() + ": " + text);
    }

    @Override
    public void progress(ClaimedItem item, Supplier<ItemProgress> latest) {
        progress.put(item.item(), latest);
    }

    @Override
    public void ended(ClaimedItem item, ExecutionResult ending) {
        endings.put(item.item(), ending);
    }
}
