package dev.elasticjob.execution.invoker;

import dev.elasticjob.job.ShardingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an item is told that runs outside of this process: {@code docs/guide/scripts-and-http.md} lists it for users. As
 * JSON it is plain ASCII, so that it goes through headers and arguments as it is.
 */
final class ContextText {
    private static final String VARIABLES = "ELASTICJOB_";

    private final JsonMapper mapper =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** The first six keys are 2.x's. */
    String json(ShardingContext context) {
        ObjectNode json = mapper.createObjectNode();
        json.put("jobName", context.getJobName());
        json.put("taskId", context.getTaskId());
        json.put("shardingTotalCount", context.getShardingTotalCount());
        json.put("jobParameter", context.getJobParameter());
        json.put("shardingItem", context.getShardingItem());
        json.put("shardingParameter", context.getShardingParameter());
        json.put("runParameter", context.getRunParameter());
        json.put("scheduledTime", context.getScheduledTime().toString());
        json.put("runId", context.getRunId());
        json.put("attempt", context.getAttempt());
        json.put("fencingToken", context.getFencingToken());
        return mapper.writeValueAsString(json);
    }

    /** The same as environment variables. */
    static Map<String, String> variables(ShardingContext context) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(VARIABLES + "JOB_NAME", context.getJobName());
        variables.put(VARIABLES + "TASK_ID", context.getTaskId());
        variables.put(VARIABLES + "SHARDING_TOTAL_COUNT", String.valueOf(context.getShardingTotalCount()));
        variables.put(VARIABLES + "JOB_PARAMETER", context.getJobParameter());
        variables.put(VARIABLES + "SHARDING_ITEM", String.valueOf(context.getShardingItem()));
        variables.put(VARIABLES + "SHARDING_PARAMETER", context.getShardingParameter());
        variables.put(VARIABLES + "RUN_PARAMETER", context.getRunParameter());
        variables.put(VARIABLES + "SCHEDULED_TIME", context.getScheduledTime().toString());
        variables.put(VARIABLES + "RUN_ID", context.getRunId());
        variables.put(VARIABLES + "ATTEMPT", String.valueOf(context.getAttempt()));
        variables.put(VARIABLES + "FENCING_TOKEN", String.valueOf(context.getFencingToken()));
        return variables;
    }
}
