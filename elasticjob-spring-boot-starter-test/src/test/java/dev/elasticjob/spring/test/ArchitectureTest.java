package dev.elasticjob.spring.test;

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
    private static final JavaClasses KIT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.elasticjob.spring.test");
    /** The kit stands in for a machine, so it has a place that makes threads, and one that reads the clock. */
    private static final JavaClasses HANDED_IN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/test/Threads") && !location.contains("/test/RealPace"))
            .importPackages("dev.elasticjob.spring.test");

    @ParameterizedTest
    @MethodSource
    void kitKeeps(ArchRule rule) {
        rule.check(KIT);
    }

    static Stream<Named<ArchRule>> kitKeeps() {
        var rules = ArchitectureRules.ofElasticJob();
        return Stream.of(
                        rules.zooKeeperInAutoconfigureOnlyIn("nothing of the kit"),
                        rules.noAmbientState(),
                        rules.namesAreNouns(),
                        rules.autoconfigureSeesOnlyThePorts(),
                        rules.everyPackageIsNullMarked())
                .map(rule -> Named.of(rule.getDescription(), rule));
    }

    @Test
    void timeAndThreadsAreHandedInButForTheTwoPlacesThatBringThem() {
        ArchitectureRules.ofElasticJob().timeAndThreadsAreHandedIn().check(HANDED_IN);
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
