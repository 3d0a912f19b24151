package dev.elasticjob.spring.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.springframework.jdbc.core.JdbcTemplate;

/** The tables as ElasticJob 3.0.4 creates them: the statements are taken from its released jar. */
final class ElasticJobTables {
    private static final Map<String, String> NAMES =
            Map.of("h2", "H2", "postgresql", "PostgreSQL", "mariadb", "MySQL", "mysql", "MySQL");

    private ElasticJobTables() {}

    static void create(JdbcTemplate jdbc, String platform) {
        var statements = new Properties();
        String resource = "/META-INF/sql/" + NAMES.get(platform) + ".properties";
        try (InputStream text = ElasticJobTables.class.getResourceAsStream(resource)) {
            statements.load(Objects.requireNonNull(text, resource));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String key : new String[] {
            "JOB_EXECUTION_LOG.TABLE.CREATE", "JOB_STATUS_TRACE_LOG.TABLE.CREATE", "TASK_ID_STATE_INDEX.INDEX.CREATE"
        }) {
            jdbc.execute(Objects.requireNonNull(statements.getProperty(key), key));
        }
    }
}
