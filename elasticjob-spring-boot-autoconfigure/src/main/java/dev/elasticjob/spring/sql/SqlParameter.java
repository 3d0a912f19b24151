package dev.elasticjob.spring.sql;

import dev.elasticjob.job.ShardingContext;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** What a statement can refer to, each by its name behind a colon. */
record SqlParameter(String name, Function<ShardingContext, Object> value) {
    private static final List<SqlParameter> ALL = List.of(
            new SqlParameter("item", ShardingContext::getShardingItem),
            new SqlParameter("itemParameter", ShardingContext::getShardingParameter),
            new SqlParameter("shardingTotalCount", ShardingContext::getShardingTotalCount),
            new SqlParameter("jobParameter", ShardingContext::getJobParameter),
            new SqlParameter("runParameter", ShardingContext::getRunParameter),
            new SqlParameter(
                    "scheduledTime", context -> context.getScheduledTime().atOffset(ZoneOffset.UTC)),
            new SqlParameter("fencingToken", ShardingContext::getFencingToken));

    static List<String> names() {
        return ALL.stream().map(SqlParameter::name).toList();
    }

    static MapSqlParameterSource of(ShardingContext context) {
        var all = new MapSqlParameterSource();
        ALL.forEach(parameter -> all.addValue(parameter.name, parameter.value.apply(context)));
        return all;
    }
}
