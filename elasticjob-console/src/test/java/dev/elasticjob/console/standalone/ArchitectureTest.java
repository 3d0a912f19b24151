package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.elasticjob.architecture.ArchitectureRules;
import dev.elasticjob.architecture.SourceRules;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** This module keeps the rules of docs/internals/architecture.md. */
class ArchitectureTest {
    private static final JavaClasses CONSOLE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob.console.standalone");

    @Test
    void theClassesKeepTheRules() {
        var rules = ArchitectureRules.ofElasticJob();

        assertThat(CONSOLE).isNotEmpty();
        rules.noAmbientState().check(CONSOLE);
        rules.namesAreNouns().check(CONSOLE);
        rules.everyPackageIsNullMarked().check(CONSOLE);
    }

    @Test
    void nothingIsTooLong() {
        assertThat(SourceRules.of(Path.of("src/main/java")).tooLong()).isEmpty();
        assertThat(SourceRules.of(Path.of("src/test/java")).waitsByTheClock()).isEmpty();
    }
}
