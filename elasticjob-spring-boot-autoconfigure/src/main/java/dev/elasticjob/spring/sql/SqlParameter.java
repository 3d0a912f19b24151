package dev.elasticjob.spring.sql;

import dev.elasticjob.job.ShardingContext;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** What a statement can refer to, each by its name behind a colon. */
enum SqlParameter {
    ITEM("item", ShardingContext::getShardingItem),
    ITEM_PARAMETER("itemParameter", ShardingContext::getShardingParameter),
    SHARDING_TOTAL_COUNT("shardingTotalCount", ShardingContext::getShardingTotalCount),
    JOB_PARAMETER("jobParameter", ShardingContext::getJobParameter),
    RUN_PARAMETER("runParameter", ShardingContext::getRunParameter),
    SCHEDULED_TIME("scheduledTime", context -> context.getScheduledTime().atOffset(ZoneOffset.UTC)),
    FENCING_TOKEN("fencingToken", ShardingContext::getFencingToken);

    private final String written;
    private final Function<ShardingContext, Object> value;

    SqlParameter(String written, Function<ShardingContext, Object> value) {
        this.written = written;
        this.value = value;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(parameter -> parameter.written).toList();
    }

    static MapSqlParameterSource of(ShardingContext context) {
        var all = new MapSqlParameterSource();
        for (SqlParameter parameter : values()) {
            all.addValue(parameter.written, parameter.value.apply(context));
        }
        return all;
    }
}
