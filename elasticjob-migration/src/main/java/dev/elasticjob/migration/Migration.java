package dev.elasticjob.migration;

import dev.elasticjob.migration.MigrationResult.ProducedFile;
import dev.elasticjob.migration.conversion.Conversion;
import dev.elasticjob.migration.conversion.Conversion.Converted;
import dev.elasticjob.migration.conversion.ConvertedDocument;
import dev.elasticjob.migration.output.AppYaml;
import dev.elasticjob.migration.output.ApplicationYaml;
import dev.elasticjob.migration.output.JavaText;
import dev.elasticjob.migration.output.ReportText;
import dev.elasticjob.migration.source.LiveTree;
import dev.elasticjob.migration.source.SourceDocument;
import dev.elasticjob.migration.source.SourceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Converts configurations of Elastic-Job 2.x and ElasticJob 3.x to {@code application.yml} and {@code @ElasticJob}. Only
 * reads: what it produces is in the result, which can write it. Immutable, and safe for use by any thread.
 */
public final class Migration {
    private final MigrationOptions options;

    public Migration(MigrationOptions options) {
        this.options = options;
    }

    /**
     * Converts files: Spring XML, Spring Boot properties ({@code .properties} or YAML), texts of {@code config} nodes,
     * registrations of Elastic-Job-Cloud, and what else the command line lists.
     *
     * @throws dev.elasticjob.migration.source.UnreadableSourceException if a file is none of these, or malformed; the
     *     message names the file, the line, and what was expected
     */
    public MigrationResult convert(List<Path> files) {
        return converted(SourceFiles.read(files));
    }

    /**
     * Converts all jobs that a ZooKeeper holds below a namespace. Writes nothing to it. Blocks, at most 15 s for each
     * request.
     *
     * @param connectString {@code host:port}, several separated by commas, with a chroot or without
     * @param digest {@code user:password}
     * @throws dev.elasticjob.migration.source.UnreadableSourceException if no server answers in time, or a node is missing
     *     or malformed
     */
    public MigrationResult convertTree(String connectString, String namespace, Optional<String> digest) {
        return converted(LiveTree.read(connectString, namespace, digest));
    }

    private MigrationResult converted(List<SourceDocument> sources) {
        Converted converted = Conversion.convert(sources, options.targetNamespace(), options.registryId());
        Map<String, List<ConvertedDocument>> byFile = converted.documents().stream()
                .collect(Collectors.groupingBy(ConvertedDocument::output, LinkedHashMap::new, Collectors.toList()));
        List<ProducedFile> files = new ArrayList<>();
        byFile.forEach((name, documents) ->
                files.add(new ProducedFile(name, ApplicationYaml.text(documents, options.placement()))));
        converted.apps().forEach(app -> files.add(new ProducedFile(app.name() + "-elasticapp.yml", AppYaml.text(app))));
        JavaText.text(converted.documents(), options.placement())
                .ifPresent(text -> files.add(new ProducedFile("annotations.txt", text)));
        int jobs = (int) converted.documents().stream()
                .flatMap(document -> document.jobs().stream())
                .map(job -> job.name())
                .distinct()
                .count();
        files.add(new ProducedFile("report.txt", ReportText.text(jobs, converted.findings())));
        return new MigrationResult(files, converted.findings());
    }
}
