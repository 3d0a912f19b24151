package dev.elasticjob.testing;

import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What instances have told of the plan that they know. */
public final class SharedPlan {
    private SharedPlan() {}

    /** Whether so many instances know the same plan, and share all items. */
    public static boolean isKnown(List<AssignmentChanged> told, int instances, int items) {
        Map<String, AssignmentChanged> newest = told.stream()
                .collect(Collectors.toMap(AssignmentChanged::instance, Function.identity(), (old, next) -> next));
        return newest.size() == instances
                && newest.values().stream()
                                .mapToInt(AssignmentChanged::epoch)
                                .distinct()
                                .count()
                        == 1
                && newest.values().stream()
                                .mapToInt(change -> change.items().size())
                                .sum()
                        == items;
    }
}
