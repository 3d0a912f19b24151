package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.spring.history.JobHistory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The history that the application's event trace has recorded, if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JobHistory.class)
class HistoryOfHost {
    @Bean
    @ConditionalOnBean(JobHistory.class)
    @ConditionalOnMissingBean(ConsoleHistory.class)
    ConsoleHistory elasticJobConsoleHistory(JobHistory history) {
        return new TracedHistory(history);
    }
}
