package dev.elasticjob.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The core keeps the rules. That each can fail is {@link ArchitectureRulesTest}'s to show. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob");

    @ParameterizedTest
    @MethodSource
    void coreKeeps(ArchRule rule) {
        rule.check(CORE);
    }

    static Stream<Named<ArchRule>> coreKeeps() {
        var rules = ArchitectureRules.ofElasticJob();
        return Stream.of(
                        rules.importsFollowThePackageOrder(),
                        rules.roomsImportOnlyThoseBefore(),
                        rules.kernelStandsAlone(),
                        rules.springOnlyInScheduleAndRetry(),
                        rules.zooKeeperOnlyInTheAdapter(),
                        rules.executionAndAdminStayApart(),
                        rules.decisionsDependOnValuesOnly(),
                        rules.noAmbientState(),
                        rules.timeAndThreadsAreHandedIn(),
                        rules.namesAreNouns(),
                        rules.jsonNamesNoClasses(),
                        rules.kindsAreNoSpecialCases(),
                        rules.everyPackageIsNullMarked())
                .map(rule -> Named.of(rule.getDescription(), rule));
    }
}
