package dev.elasticjob.migration;

import dev.elasticjob.migration.MigrationResult.ProducedFile;
import dev.elasticjob.migration.conversion.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sources in files of a temporary folder, and what becomes of them. */
final class MigrationFixture {
    private static final String XML_2 = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:context="http://www.springframework.org/schema/context"
                   xmlns:reg="http://www.dangdang.com/schema/ddframe/reg"
                   xmlns:job="http://www.dangdang.com/schema/ddframe/job">
            %s
            </beans>
            """;

    private static final String XML_3 = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:elasticjob="http://shardingsphere.apache.org/schema/elasticjob">
            %s
            </beans>
            """;

    private final Path folder;
    private final List<Path> sources = new ArrayList<>();
    private MigrationOptions options = MigrationOptions.DEFAULT;

    MigrationFixture(Path folder) {
        this.folder = folder;
    }

    MigrationFixture xml2(String elements) throws IOException {
        return source("jobs-%d.xml".formatted(sources.size()), XML_2.formatted(elements));
    }

    MigrationFixture xml3(String elements) throws IOException {
        return source("jobs-%d.xml".formatted(sources.size()), XML_3.formatted(elements));
    }

    MigrationFixture source(String name, String text) throws IOException {
        sources.add(Files.writeString(folder.resolve(name), text));
        return this;
    }

    MigrationFixture with(MigrationOptions other) {
        options = other;
        return this;
    }

    MigrationResult convert() {
        return new Migration(options).convert(sources);
    }

    /** The folder with the files that were produced. */
    Path produced() throws IOException {
        Path target = folder.resolve("produced");
        convert().replaceIn(target);
        return target;
    }

    String yaml() {
        return text(convert(), "application.yml");
    }

    static String text(MigrationResult result, String file) {
        return result.files().stream()
                .filter(each -> each.name().equals(file))
                .map(ProducedFile::text)
                .findFirst()
                .orElseThrow();
    }

    /** The findings as the report shows them, without places. */
    List<String> findings() {
        return convert().findings().stream().map(MigrationFixture::line).toList();
    }

    private static String line(Finding finding) {
        return "%s%s: %s%s"
                .formatted(
                        finding.job().map(job -> job + ": ").orElse(""),
                        finding.kind(),
                        finding.setting().map(setting -> setting + " ").orElse(""),
                        finding.reason());
    }
}
