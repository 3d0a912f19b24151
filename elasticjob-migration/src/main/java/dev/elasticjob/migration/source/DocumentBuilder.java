package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.SourceDocument.Remark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the parts of a document. Not thread-safe. */
final class DocumentBuilder {
    private final String output;
    private final Optional<String> profile;
    private final List<SourceRegistry> registries = new ArrayList<>();
    private final List<SourceJob> jobs = new ArrayList<>();
    private final List<SourceApp> apps = new ArrayList<>();
    private final List<SourceSetting> others = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private final List<Remark> losses = new ArrayList<>();

    DocumentBuilder(String output, Optional<String> profile) {
        this.output = output;
        this.profile = profile;
    }

    DocumentBuilder add(SourceJob job) {
        jobs.add(job);
        return this;
    }

    DocumentBuilder add(SourceRegistry registry) {
        registries.add(registry);
        return this;
    }

    DocumentBuilder add(SourceApp app) {
        apps.add(app);
        return this;
    }

    DocumentBuilder other(SourceSetting setting) {
        others.add(setting);
        return this;
    }

    DocumentBuilder remark(SourceLocation place, String text) {
        remarks.add(new Remark(place, text));
        return this;
    }

    /** Something is in the source that the settings don't have. */
    DocumentBuilder lost(SourceLocation place, String text) {
        losses.add(new Remark(place, text));
        return this;
    }

    DocumentBuilder addAll(SourceDocument document) {
        registries.addAll(document.registries());
        jobs.addAll(document.jobs());
        apps.addAll(document.apps());
        others.addAll(document.others());
        remarks.addAll(document.remarks());
        losses.addAll(document.losses());
        return this;
    }

    /** Whether it has no jobs. */
    boolean isEmpty() {
        return jobs.isEmpty();
    }

    SourceDocument build() {
        return new SourceDocument(output, profile, registries, jobs, apps, others, remarks, losses);
    }
}
