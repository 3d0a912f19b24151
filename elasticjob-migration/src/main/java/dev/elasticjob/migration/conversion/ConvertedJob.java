package dev.elasticjob.migration.conversion;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job with its settings for this project.
 *
 * @param kind what declares it: a bean, or its properties
 * @param jobClass the class of the bean, if the source names it
 * @param bean the name of the bean, if the source names that
 * @param settings by the property's name below {@code elasticjob.jobs.<name>}: texts, integers and booleans
 */
public record ConvertedJob(
        String name, Kind kind, Optional<String> jobClass, Optional<String> bean, Map<String, Object> settings) {
    /** Kinds of jobs. */
    public enum Kind {
        /** A class: a SimpleJob, if the source doesn't say more. */
        BEAN,
        /** A class that is a DataflowJob. */
        DATAFLOW,
        SCRIPT,
        HTTP;

        public boolean isBean() {
            return this == BEAN || this == DATAFLOW;
        }
    }

    public ConvertedJob {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }
}
