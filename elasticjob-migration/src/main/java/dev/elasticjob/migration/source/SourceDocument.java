package dev.elasticjob.migration.source;

import java.util.List;
import java.util.Optional;

/**
 * What becomes one document of an output file.
 *
 * @param output the name of that file
 * @param profile the profile expression to which it is limited
 * @param apps those of Elastic-Job-Cloud
 * @param others settings that belong to no job and no registry
 * @param remarks what the reader of the source noticed, each about a place
 * @param losses what is there, and can't be read, each at a place
 */
public record SourceDocument(
        String output,
        Optional<String> profile,
        List<SourceRegistry> registries,
        List<SourceJob> jobs,
        List<SourceApp> apps,
        List<SourceSetting> others,
        List<Remark> remarks,
        List<Remark> losses) {
    /** @param text what it means for the user */
    public record Remark(SourceLocation place, String text) {}

    public SourceDocument {
        registries = List.copyOf(registries);
        jobs = List.copyOf(jobs);
        apps = List.copyOf(apps);
        others = List.copyOf(others);
        remarks = List.copyOf(remarks);
        losses = List.copyOf(losses);
    }
}
