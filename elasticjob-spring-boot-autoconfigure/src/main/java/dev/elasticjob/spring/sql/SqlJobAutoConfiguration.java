package dev.elasticjob.spring.sql;

import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.spring.autoconfigure.ConditionalOnSwitch;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** SQL jobs, where Spring's JDBC support is on the class path. An application's bean of the same name replaces the kind. */
@AutoConfiguration(after = ElasticJobAutoConfiguration.class)
@ConditionalOnSwitch("elasticjob.enabled")
@ConditionalOnClass(NamedParameterJdbcTemplate.class)
public final class SqlJobAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "elasticJobSqlKind")
    JobKind elasticJobSqlKind(ListableBeanFactory beans) {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-sql-");
        threads.setDaemon(true);
        return new SqlJobKind(new DataSourceBeans(beans), threads);
    }
}
