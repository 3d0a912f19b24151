package dev.elasticjob.spring.trace;

import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/** The one of the application's data sources that the event trace uses. */
record TraceDataSource(DataSource dataSource) {
    private static final String PROPERTY = "elasticjob.tracing.datasource";

    /**
     * Finds it.
     *
     * @param name of the bean; null if it is the only or the primary one
     * @throws FailureAnalyzedException when there is none, or nothing says which
     */
    static TraceDataSource of(ListableBeanFactory beans, @Nullable String name) {
        List<String> names =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false));
        if (name != null) {
            if (!names.contains(name)) {
                throw new FailureAnalyzedException(
                        "\"%s\" is \"%s\", but there is no DataSource bean of this name. DataSource beans: %s."
                                .formatted(PROPERTY, name, names),
                        "Set the property to the name of one of them.");
            }
            return new TraceDataSource(beans.getBean(name, DataSource.class));
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only != null) {
            return new TraceDataSource(only);
        }
        if (names.isEmpty()) {
            throw new FailureAnalyzedException(
                    "\"elasticjob.tracing.enabled\" is true, but there is no DataSource bean.",
                    "Configure one, for example with \"spring.datasource.url\", or remove the property.");
        }
        throw new FailureAnalyzedException(
                "There are several DataSource beans, and none is primary: %s.".formatted(names),
                "Set \"%s\" to the name of the one for the event trace.".formatted(PROPERTY));
    }
}
