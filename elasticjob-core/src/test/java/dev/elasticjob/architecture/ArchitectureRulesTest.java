package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each rule is red on code that breaks it, for every way to break it, and lets the lawful code beside it pass. */
class ArchitectureRulesTest {
    @Test
    void importsAgainstTheOrderAreFound() {
        List<String> report = reportOf(rules("imports").importsFollowThePackageOrder(), "imports");

        assertThat(report)
                .anyMatch(line -> line.contains("Record <fixture.imports.registry.LooksRight>")
                        || line.contains("<fixture.imports.registry.LooksRight.later>"))
                .anyMatch(line -> line.contains("ImportsAdapter.adapter>"))
                .anyMatch(line -> line.contains("Cycle detected"))
                .anyMatch(line -> line.contains("WithoutPlace"))
                .anyMatch(line -> line.contains("claim.SeesLeader"))
                .noneMatch(line -> line.contains("Lawful"));
    }

    @Test
    void roomsThatImportLaterOnesAreFound() {
        assertOnlyFound(
                rules("rooms").roomsImportOnlyThoseBefore(),
                "rooms",
                "ReadsForItem",
                "PlansClaims",
                "SeesLeader",
                "ReadsJobs");
    }

    @Test
    void kernelThatNamesWhatPlugsInIsFound() {
        assertOnlyFound(rules("rooms").kernelStandsAlone(), "rooms", "CallsHooks", "Backfills");
    }

    @Test
    void springOutsideOfScheduleAndRetryIsFound() {
        assertOnlyFound(rules("spring").springOnlyInScheduleAndRetry(), "spring", "KnowsSpring", "RetriesItself");
    }

    @Test
    void curatorAndZooKeeperOutsideOfTheAdapterAreFound() {
        List<String> report = reportOf(rules("zookeeper").zooKeeperOnlyInTheAdapter(), "zookeeper.coordination");
        List<String> onAdapter = reportOf(rules("zookeeper").zooKeeperOnlyInTheAdapter(), "zookeeper.registry");

        assertThat(report).anyMatch(line -> line.contains("KnowsCurator"));
        assertThat(report).anyMatch(line -> line.contains("KnowsZooKeeper"));
        assertThat(onAdapter).isEmpty();
    }

    @Test
    void curatorInAutoconfigureIsFoundWhereTheClientIsNotBuilt() {
        ArchRule rule = rules("zookeeper").zooKeeperInAutoconfigureOnlyIn("ClientConfiguration");

        List<String> report = reportOf(rule, "zookeeper.spring");

        assertThat(report).isNotEmpty().allMatch(line -> line.contains("HealthKnowsCurator"));
    }

    @Test
    void executionThatSeesTheRegistryAndAdminThatSeesTheEngineAreFound() {
        assertOnlyFound(rules("apart").executionAndAdminStayApart(), "apart", "SeesRegistry", "SeesEngine");
    }

    @Test
    void decisionsThatNeedMoreThanValuesAreFound() {
        assertOnlyFound(
                rules("decisions").decisionsDependOnValuesOnly(),
                "decisions",
                "ReadingPlanner",
                "TickingState",
                "LoggingStrategy",
                "BusySchedule",
                "OuterPlanner$Step");
    }

    @Test
    void ambientStateIsFound() {
        assertOnlyFound(
                rules("ambient").noAmbientState(),
                "ambient",
                "NotFinal",
                "Counts",
                "Caches",
                "SharesArray",
                "Singleton",
                "RemembersThread",
                "FillsMdc");
    }

    @Test
    void timeAndThreadsThatNobodyHandedInAreFound() {
        assertOnlyFound(
                rules("timing").timeAndThreadsAreHandedIn(),
                "timing",
                "ReadsNow",
                "ReadsNowInZone",
                "RefersToNow",
                "ReadsMillis",
                "ReadsNanos",
                "PicksClock",
                "Sleeps",
                "SleepsByUnit",
                "Waits",
                "Parks",
                "TimesOut",
                "MakesThread",
                "MakesPool",
                "MakesForkJoinPool",
                "UsesCommonPool");
    }

    @Test
    void namesThatSayNothingAreFound() {
        assertOnlyFound(
                rules("names").namesAreNouns(),
                "names",
                "JobManager",
                "JobHelper",
                "JobUtils",
                "JobFacade",
                "JobImpl",
                "JobService");
    }

    @Test
    void autoconfigureThatSeesMoreThanThePortsIsFound() {
        assertOnlyFound(rules("ports").autoconfigureSeesOnlyThePorts(), "ports", "WiresLease", "WiresPipeline");
    }

    @Test
    void consoleThatSeesMoreThanAdminIsFound() {
        assertOnlyFound(rules("console").consoleSeesOnlyAdmin(), "console", "WritesItself");
    }

    @Test
    void samplesThatUseMoreThanTheFrontDoorAreFound() {
        var rules = rules("samples");

        ArchRule forMainCode = rules.samplesUseOnlyTheFrontDoor("fixture.samples.billing");
        ArchRule forTests = rules.samplesUseOnlyTheFrontDoor("fixture.samples.billing", "fixture.samples.kit");

        assertOnlyFound(forMainCode, "samples", "ReadsProperties", "UsesTestKit");
        assertOnlyFound(forTests, "samples", "ReadsProperties");
    }

    @Test
    void packagesThatAreNotNullMarkedAreFound() {
        assertOnlyFound(rules("nullness").everyPackageIsNullMarked(), "nullness", "Careless");
    }

    @Test
    void jsonThatNamesClassesIsFound() {
        assertOnlyFound(rules("json").jsonNamesNoClasses(), "json", "NamesClasses");
    }

    @Test
    void codeThatKnowsAKindIsFound() {
        assertOnlyFound(rules("kinds").kindsAreNoSpecialCases(), "kinds", "KnowsScripts", "SwitchesOverKinds");
    }

    private static ArchitectureRules rules(String fixture) {
        return new ArchitectureRules("fixture." + fixture);
    }

    private static void assertOnlyFound(ArchRule rule, String fixture, String... offenders) {
        List<String> report = reportOf(rule, fixture);

        for (String offender : offenders) {
            assertThat(report).anyMatch(line -> names(line, offender));
        }
        assertThat(report).allMatch(line -> List.of(offenders).stream().anyMatch(offender -> names(line, offender)));
    }

    private static boolean names(String line, String type) {
        return Pattern.compile("\\." + Pattern.quote(type) + "\\b")
                .matcher(line)
                .find();
    }

    private static List<String> reportOf(ArchRule rule, String fixture) {
        var classes = new ClassFileImporter().importPackages("fixture." + fixture);
        return rule.evaluate(classes).getFailureReport().getDetails();
    }
}
