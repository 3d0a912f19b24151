package dev.elasticjob.kubernetes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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
    private static final JavaClasses CONTROLLER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob.kubernetes");

    @Test
    void theClassesKeepTheRules() {
        var rules = ArchitectureRules.ofElasticJob();

        assertThat(CONTROLLER).isNotEmpty();
        rules.noAmbientState().check(CONTROLLER);
        rules.namesAreNouns().check(CONTROLLER);
        rules.everyPackageIsNullMarked().check(CONTROLLER);
    }

    @Test
    void theDecisionKnowsNeitherClusterNorRegistry() {
        noClasses()
                .that()
                .resideInAPackage("dev.elasticjob.kubernetes.plan")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.fabric8..", "dev.elasticjob.registry..", "dev.elasticjob.kubernetes.cluster")
                .check(CONTROLLER);
    }

    @Test
    void nothingIsTooLong() {
        assertThat(SourceRules.of(Path.of("src/main/java")).tooLong()).isEmpty();
        assertThat(SourceRules.of(Path.of("src/test/java")).waitsByTheClock()).isEmpty();
    }
}
