package dev.elasticjob.spring.sql;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.KindProperty;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** Runs one SQL statement for each item. The context is bound to its placeholders, and never becomes part of its text. */
final class SqlJobKind implements JobKind {
    private static final Logger log = LoggerFactory.getLogger(SqlJobKind.class);

    private static final String STATEMENT = "sql.statement";
    private static final String DATA_SOURCE = "sql.data-source";

    /** Shorter values are parts of other words, and no secrets. */
    private static final int HIDDEN_FROM = 4;

    private final DataSourceBeans dataSources;
    private final AsyncTaskExecutor threads;

    /** @param threads wait for the database, one for each item that runs */
    SqlJobKind(DataSourceBeans dataSources, AsyncTaskExecutor threads) {
        this.dataSources = dataSources;
        this.threads = threads;
    }

    @Override
    public String name() {
        return "SQL";
    }

    @Override
    public List<KindProperty> properties() {
        return List.of(KindProperty.of(STATEMENT).required(), KindProperty.of(DATA_SOURCE));
    }

    @Override
    public List<Violation> check(JobDefinition job) {
        Stream<Violation> ofStatement =
                new SqlText(property(job, STATEMENT)).problems().stream().map(problem -> violation(STATEMENT, problem));
        Stream<Violation> ofDataSource = dataSources.problem(property(job, DATA_SOURCE)).stream()
                .map(problem -> new Violation(
                        "jobProperties", "%s=%s".formatted(DATA_SOURCE, property(job, DATA_SOURCE)), problem));
        return Stream.concat(ofStatement, ofDataSource).toList();
    }

    private static Violation violation(String property, String problem) {
        return new Violation("jobProperties", property, problem);
    }

    private static String property(JobDefinition job, String name) {
        return job.jobProperties().getOrDefault(name, "").strip();
    }

    @Override
    public void execute(JobDefinition job, ShardingContext context) throws Exception {
        var jdbc = new JdbcTemplate(dataSources.of(property(job, DATA_SOURCE)));
        jdbc.setQueryTimeout(seconds(job.timeout()));
        var named = new NamedParameterJdbcTemplate(jdbc);
        MapSqlParameterSource parameters = SqlParameter.of(context);
        var execution = new SqlExecution();
        long changed;
        try {
            changed = execution.await(() -> named.execute(property(job, STATEMENT), parameters, execution), threads);
        } catch (ExecutionException e) {
            throw failure(context, parameters, e.getCause() == null ? e : e.getCause());
        }
        log.info(
                "Job \"{}\": item {}: the statement {}",
                context.getJobName(),
                context.getShardingItem(),
                changed == SqlExecution.ROWS ? "returned rows, which are not read" : "changed " + changed + " rows");
    }

    /** Rounded up: the item's thread cancels the statement before, unless the whole process stands still. */
    private static int seconds(Duration timeout) {
        return timeout.isZero() ? -1 : (int) timeout.plusMillis(999).toSeconds();
    }

    private static SqlJobFailedException failure(
            ShardingContext context, MapSqlParameterSource parameters, Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof SQLException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = cause instanceof SQLException ? String.valueOf(cause.getMessage()) : Failures.text(failure);
        String state = cause instanceof SQLException known ? known.getSQLState() : null;
        return new SqlJobFailedException(
                context.getJobName(), context.getShardingItem(), state, withoutValues(text, parameters.getValues()));
    }

    /** Drivers repeat values, above all of keys that exist already. */
    private static String withoutValues(String text, Map<String, Object> bound) {
        String shown = text;
        List<Map.Entry<String, Object>> longestFirst = bound.entrySet().stream()
                .filter(one -> one.getValue() instanceof String value && value.length() >= HIDDEN_FROM)
                .sorted(Comparator.comparing(one -> -one.getValue().toString().length()))
                .toList();
        for (Map.Entry<String, Object> one : longestFirst) {
            shown = shown.replace(one.getValue().toString(), ":" + one.getKey());
        }
        return shown;
    }
}
