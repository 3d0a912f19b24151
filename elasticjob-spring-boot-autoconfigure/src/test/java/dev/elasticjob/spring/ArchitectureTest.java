package dev.elasticjob.spring;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.elasticjob.architecture.ArchitectureRules;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This module keeps the rules of docs/internals/architecture.md. */
class ArchitectureTest {
    private static final JavaClasses AUTOCONFIGURE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob.spring");

    @ParameterizedTest
    @MethodSource
    void autoconfigureKeeps(ArchRule rule) {
        rule.check(AUTOCONFIGURE);
    }

    static Stream<Named<ArchRule>> autoconfigureKeeps() {
        var rules = ArchitectureRules.ofElasticJob();
        return Stream.of(
                        rules.zooKeeperInAutoconfigureOnlyIn(
                                "RegistryConnection", "ElasticJobCuratorBuilderCustomizer"),
                        rules.noAmbientState(),
                        rules.timeAndThreadsAreHandedIn(),
                        rules.namesAreNouns(),
                        rules.jsonNamesNoClasses(),
                        rules.kindsAreNoSpecialCases(),
                        rules.autoconfigureSeesOnlyThePorts(),
                        rules.everyPackageIsNullMarked())
                .map(rule -> Named.of(rule.getDescription(), rule));
    }
}
