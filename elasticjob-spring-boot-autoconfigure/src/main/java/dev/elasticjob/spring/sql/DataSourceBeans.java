package dev.elasticjob.spring.sql;

import dev.elasticjob.definition.text.NearestName;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The application's data sources, by the names of their beans. They are made when they are first used. */
record DataSourceBeans(ListableBeanFactory beans) {
    /**
     * What is wrong with a name.
     *
     * @param name empty for the only or the primary data source
     */
    Optional<String> problem(String name) {
        List<String> names =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false));
        if (names.isEmpty()) {
            return Optional.of(
                    "there is no DataSource bean; configure one, for example with \"spring.datasource.url\"");
        }
        if (name.isEmpty()) {
            return only().isPresent()
                    ? Optional.empty()
                    : Optional.of("there are several DataSource beans, and none is primary; expected one of %s"
                            .formatted(String.join(", ", names)));
        }
        return names.contains(name)
                ? Optional.empty()
                : Optional.of("there is no such DataSource bean%s; expected one of %s"
                        .formatted(NearestName.aside(name, names), String.join(", ", names)));
    }

    /** @throws IllegalStateException if there is none, which was checked before */
    DataSource of(String name) {
        return name.isEmpty()
                ? only().orElseThrow(() -> new IllegalStateException("There is no DataSource bean to use by default"))
                : beans.getBean(name, DataSource.class);
    }

    private Optional<DataSource> only() {
        return Optional.ofNullable(beans.getBeanProvider(DataSource.class).getIfUnique());
    }
}
