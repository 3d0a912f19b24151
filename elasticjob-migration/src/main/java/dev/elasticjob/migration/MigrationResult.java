package dev.elasticjob.migration;

import dev.elasticjob.migration.conversion.Finding;
import dev.elasticjob.migration.conversion.Finding.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What a conversion produced. Immutable.
 *
 * @param files the texts, {@code report.txt} last
 * @param findings everything that was not carried over as it is; the report lists the same
 */
public record MigrationResult(List<ProducedFile> files, List<Finding> findings) {
    /** @param name without a folder */
    public record ProducedFile(String name, String text) {}

    public MigrationResult {
        files = List.copyOf(files);
        findings = List.copyOf(findings);
    }

    /** Whether all jobs and settings were converted, so that nothing has to be added by hand. */
    public boolean isComplete() {
        return findings.stream().map(Finding::kind).noneMatch(Kind::needsWork);
    }

    /**
     * Writes the files to a folder, which is created. If one of them exists, none is written.
     *
     * @throws FileAlreadyExistsException if a file exists
     */
    public void writeTo(Path folder) throws IOException {
        for (ProducedFile file : files) {
            if (Files.exists(folder.resolve(file.name()))) {
                throw new FileAlreadyExistsException(folder.resolve(file.name()).toString());
            }
        }
        write(folder, StandardOpenOption.CREATE_NEW);
    }

    /** Writes the files to a folder, which is created, and overwrites those that exist. */
    public void replaceIn(Path folder) throws IOException {
        write(folder, StandardOpenOption.CREATE);
    }

    private void write(Path folder, StandardOpenOption creation) throws IOException {
        Files.createDirectories(folder);
        for (ProducedFile file : files) {
            Files.writeString(
                    folder.resolve(file.name()),
                    file.text(),
                    creation,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
        }
    }
}
