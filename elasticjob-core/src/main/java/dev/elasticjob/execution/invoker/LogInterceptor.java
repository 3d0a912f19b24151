package dev.elasticjob.execution.invoker;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.cluster.ClusterFiring;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts the job and the item that a thread works for into SLF4J's MDC: around an item, and around the listeners of a
 * firing. Restores the former values afterwards, because threads of the application's executors do other work too.
 * {@code docs/guide/time.md} lists the keys.
 */
public final class LogInterceptor {
    private static final String JOB = "elasticjob.job";
    private static final String ITEM = "elasticjob.item";
    private static final String RUN = "elasticjob.run";
    private static final String ATTEMPT = "elasticjob.attempt";

    private LogInterceptor() {}

    public static void around(ShardingContext item, Runnable work) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(JOB, item.getJobName());
        values.put(ITEM, String.valueOf(item.getShardingItem()));
        values.put(RUN, item.getRunId());
        values.put(ATTEMPT, String.valueOf(item.getAttempt()));
        around(values, work);
    }

    public static void around(ShardingContexts firing, Runnable work) {
        around(Map.of(JOB, firing.jobName(), RUN, firing.runId()), work);
    }

    /** Around a call of the cluster listeners of a firing. */
    public static void around(ClusterFiring firing, Runnable work) {
        around(Map.of(JOB, firing.jobName(), RUN, firing.runId(), ATTEMPT, String.valueOf(firing.attempt())), work);
    }

    private static void around(Map<String, String> values, Runnable work) {
        Map<String, @Nullable String> before = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            before.put(key, MDC.get(key));
            MDC.put(key, value);
        });
        try {
            work.run();
        } finally {
            before.forEach(LogInterceptor::restore);
        }
    }

    private static void restore(String key, @Nullable String before) {
        if (before == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, before);
        }
    }
}
