package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.elasticjob.architecture.ArchitectureRules;
import dev.elasticjob.architecture.SourceRules;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This module keeps the rules of docs/internals/architecture.md. */
class ArchitectureTest {
    private static final JavaClasses CONSOLE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob.console");

    @ParameterizedTest
    @MethodSource
    void theConsoleKeeps(ArchRule rule) {
        rule.check(CONSOLE);
    }

    static Stream<Named<ArchRule>> theConsoleKeeps() {
        var rules = ArchitectureRules.ofElasticJob();
        return Stream.of(
                        rules.consoleSeesOnlyAdmin(),
                        rules.noAmbientState(),
                        rules.namesAreNouns(),
                        rules.jsonNamesNoClasses(),
                        rules.kindsAreNoSpecialCases(),
                        rules.everyPackageIsNullMarked())
                .map(rule -> Named.of(rule.getDescription(), rule));
    }

    @Test
    void nothingIsTooLong() {
        assertThat(SourceRules.of(Path.of("src/main/java")).tooLong()).isEmpty();
    }

    @Test
    void testsDoNotWaitByTheClock() {
        assertThat(SourceRules.of(Path.of("src/test/java")).waitsByTheClock()).isEmpty();
    }
}
