package dev.elasticjob.spring.trace;

import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing.InitializeSchema;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Creates the tables of the event trace when the application starts, where the settings want that. A bean of this type in the
 * application replaces it.
 */
public class TraceSchema extends DataSourceScriptDatabaseInitializer {
    private static final String PLACEHOLDER = "@@platform@@";

    /** @param dataSource of the trace */
    public TraceSchema(DataSource dataSource, Tracing properties) {
        super(dataSource, settings(dataSource, properties));
    }

    private static DatabaseInitializationSettings settings(DataSource dataSource, Tracing properties) {
        var settings = new DatabaseInitializationSettings();
        settings.setMode(
                DatabaseInitializationMode.valueOf(properties.initializeSchema().name()));
        if (properties.initializeSchema() != InitializeSchema.NEVER) {
            settings.setSchemaLocations(locations(dataSource, properties));
        }
        return settings;
    }

    private static List<String> locations(DataSource dataSource, Tracing properties) {
        String schema = properties.schema();
        String platform = properties.platform();
        if (!schema.contains(PLACEHOLDER)) {
            return List.of(schema);
        }
        if (platform != null) {
            return List.of(schema.replace(PLACEHOLDER, platform));
        }
        return new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, schema);
    }

    @Override
    protected void runScripts(Scripts scripts) {
        TraceTables.checkPresent(new JdbcTemplate(getDataSource()));
        super.runScripts(scripts);
    }
}
