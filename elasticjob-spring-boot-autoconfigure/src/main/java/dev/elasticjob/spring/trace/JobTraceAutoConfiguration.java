package dev.elasticjob.spring.trace;

import dev.elasticjob.spring.autoconfigure.ConditionalOnSwitch;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import dev.elasticjob.spring.history.JdbcJobHistory;
import dev.elasticjob.spring.history.JobHistory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.function.SingletonSupplier;

/** The event trace and its history, where {@code elasticjob.tracing.enabled} is true. */
@AutoConfiguration(
        after = ElasticJobAutoConfiguration.class,
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnSwitch(value = "elasticjob.enabled", optIn = "elasticjob.tracing.enabled")
public final class JobTraceAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(EventTrace.class);

    /** The beans; of their own, because their signatures need JDBC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcClient.class, DataSourceScriptDatabaseInitializer.class})
    @ImportRuntimeHints(Scripts.class)
    @Import(DatabaseInitializationDependencyConfigurer.class)
    static class InDatabase {
        @Bean
        @ConditionalOnMissingBean
        TraceDataSource elasticJobTraceDataSource(ListableBeanFactory beans, ElasticJobProperties properties) {
            return TraceDataSource.of(beans, properties.tracing().datasource());
        }

        @Bean
        @ConditionalOnMissingBean
        TraceSchema elasticJobTraceSchema(TraceDataSource dataSource, ElasticJobProperties properties) {
            return new TraceSchema(dataSource.dataSource(), properties.tracing());
        }

        @Bean
        @ConditionalOnMissingBean
        @DependsOnDatabaseInitialization
        EventTrace elasticJobEventTrace(TraceDataSource dataSource, ElasticJobProperties properties) {
            Tracing tracing = properties.tracing();
            var jdbc = new JdbcTemplate(dataSource.dataSource());
            var transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource.dataSource()));
            Supplier<String> hostname = SingletonSupplier.of(InDatabase::hostname);
            var store = new TraceStore(jdbc, transactions, hostname);
            try {
                store.tables();
            } catch (DataAccessException e) {
                log.warn(
                        "The database of the event trace is unavailable; jobs are not affected. Their events wait for it: {}",
                        e.getMessage());
            }
            Clock clock = Clock.systemUTC();
            var threads = new SimpleAsyncTaskExecutor("elasticjob-trace-");
            threads.setDaemon(true);
            return new EventTrace(
                    tracing,
                    (queue, dropped) -> new TraceWriter(
                            queue,
                            dropped,
                            store,
                            new TraceRetention(jdbc, transactions, store::tables, clock, tracing.retention()),
                            tracing),
                    threads,
                    clock);
        }

        @Bean
        @ConditionalOnMissingBean(JobHistory.class)
        JdbcJobHistory elasticJobHistory(TraceDataSource dataSource, ElasticJobProperties properties) {
            var threads = new SimpleAsyncTaskExecutor("elasticjob-history-");
            threads.setDaemon(true);
            threads.setConcurrencyLimit(4);
            threads.setRejectTasksWhenLimitReached(true);
            return new JdbcJobHistory(
                    new JdbcTemplate(dataSource.dataSource()),
                    threads,
                    properties.tracing().queryTimeout());
        }

        private static String hostname() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "";
            }
        }
    }

    /** Says what is missing, instead of leaving the executions unrecorded without a word. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass({
        "org.springframework.jdbc.core.simple.JdbcClient",
        "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer"
    })
    static class WithoutJdbc {
        WithoutJdbc() {
            throw new FailureAnalyzedException(
                    "\"elasticjob.tracing.enabled\" is true, but there is no JDBC support on the class path.",
                    "Add the dependency \"org.springframework.boot:spring-boot-starter-jdbc\" and a driver, or remove the"
                            + " property.");
        }
    }

    /** A native image has the scripts too. */
    static final class Scripts implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("dev/elasticjob/spring/trace/*.sql");
        }
    }
}
