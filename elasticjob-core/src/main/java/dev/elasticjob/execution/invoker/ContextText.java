package dev.elasticjob.execution.invoker;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContext.Requester;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The context of an item that runs outside of this process. {@code docs/guide/scripts-and-http.md} lists its parts for
 * users. The JSON is plain ASCII, so that headers and arguments can contain it.
 */
final class ContextText {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private ContextText() {}

    /** The first six keys are those of 2.x. */
    private static Map<String, Object> parts(ShardingContext context) {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("jobName", context.getJobName());
        parts.put("taskId", context.getTaskId());
        parts.put("shardingTotalCount", context.getShardingTotalCount());
        parts.put("jobParameter", context.getJobParameter());
        parts.put("shardingItem", context.getShardingItem());
        parts.put("shardingParameter", context.getShardingParameter());
        parts.put("runParameter", context.getRunParameter());
        parts.put("runActor", context.getRequester().map(Requester::actor).orElse(""));
        parts.put("scheduledTime", context.getScheduledTime().toString());
        parts.put("runId", context.getRunId());
        parts.put("attempt", context.getAttempt());
        parts.put("fencingToken", context.getFencingToken());
        return parts;
    }

    static String json(ShardingContext context) {
        return JSON.writeValueAsString(parts(context));
    }

    /** The context as environment variables: {@code jobName} is {@code ELASTICJOB_JOB_NAME}. */
    static Map<String, String> variables(ShardingContext context) {
        Map<String, String> variables = new LinkedHashMap<>();
        parts(context).forEach((key, value) -> variables.put(variable(key), value.toString()));
        return variables;
    }

    private static String variable(String key) {
        return "ELASTICJOB_" + key.replaceAll("[A-Z]", "_$0").toUpperCase(Locale.ROOT);
    }
}
