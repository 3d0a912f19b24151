package dev.elasticjob.migration.conversion;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What goes into one document of a file.
 *
 * @param settings by the property's name below {@code elasticjob}, without those of jobs
 */
public record ConvertedDocument(
        String output, Optional<String> profile, Map<String, Object> settings, List<ConvertedJob> jobs) {
    public ConvertedDocument {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        jobs = List.copyOf(jobs);
    }
}
