package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule is red on a text that breaks it, and lets the lawful text beside it pass. */
class SourceRulesTest {
    private static final Set<String> NAMES = Set.of("instances", "running", "failover");

    @Test
    void namesAreTakenFromJobTree() {
        var tree =
                source("registry", "JobTree", "String leader() { return root() + \"/leader/election/\" + INSTANCE; }");

        assertThat(SourceRules.nodeNames(tree)).containsExactlyInAnyOrder("leader", "election");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"/instances\"", "\"%s/running\"", "\"/billing/sharding/0/running\"", "\"failover\""})
    void nodeNamesOutsideOfJobTreeAreFound(String literal) {
        var file = source("coordination", "Watching", "String path = " + literal + ";");

        assertThat(SourceRules.ofFiles(file).nodeNamesOutsideOfJobTree(NAMES))
                .singleElement()
                .asString()
                .startsWith("dev/elasticjob/coordination/Watching.java:3 spells");
    }

    @Test
    void pathsAreFoundWhereSettingsMayHaveTheSameName() {
        var codec = source("coordination", "RecordCodec", "String key = \"failover\"; String path = \"/failover\";");
        var setting = source("definition", "Check", "String name = \"failover\"; String path = \"x/failover\";");

        assertThat(SourceRules.ofFiles(codec, setting).nodeNamesOutsideOfJobTree(NAMES))
                .hasSize(2)
                .allMatch(line -> line.contains("/failover"));
    }

    @Test
    void proseAndJobTreeItselfMaySayNodeNames() {
        var tree = source("registry", "JobTree", "String path = \"/instances\";");
        var prose =
                source("coordination", "Prose", "/* /instances */ String text = \"Job is running on two instances\";");

        assertThat(SourceRules.ofFiles(tree, prose).nodeNamesOutsideOfJobTree(NAMES))
                .isEmpty();
    }

    @Test
    void namesThatAreInUseTwiceAreFound() {
        SourceRules rules = SourceRules.ofFiles(
                source("a", "One", ""),
                source("b", "One", ""),
                source("b", "Two", ""),
                source("c", "Three", "record Two() {} record Alone() {}"),
                source("d", "Four", "record Alone() {}"));

        assertThat(rules.namesInUseTwice())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("One "))
                .anyMatch(line -> line.startsWith("Two "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(10)",
                "TimeUnit.SECONDS.sleep(1)",
                "timing.sleepABit()",
                "lock.wait()",
                "wait(10)",
                "LockSupport.parkNanos(10)",
                "Thread.onSpinWait()",
                "latch.await()",
                "run(Thread::sleep)"
            })
    void waitsByTheClockAreFound(String statement) {
        var file = source("registry", "SlowTest", "void test() throws Exception { " + statement + "; }");

        assertThat(SourceRules.ofFiles(file).waitsByTheClock()).hasSize(1);
    }

    @Test
    void pollingIsFound() {
        var file =
                SourceFile.parse("SlowTest.java", "import static org.awaitility.Awaitility.await;\nclass SlowTest {}");

        assertThat(SourceRules.ofFiles(file).waitsByTheClock()).hasSize(1);
    }

    @Test
    void eventsWithAnUpperBoundMayBeAwaited() {
        var file = source(
                "registry",
                "QuickTest",
                "void test() throws Exception { latch.await(5, SECONDS); process.waitFor(); }");

        assertThat(SourceRules.ofFiles(file).waitsByTheClock()).isEmpty();
    }

    @Test
    void methodsBeyondTheBudgetAreFound() {
        assertThat(budgetOf("void run() {" + "\n".repeat(24) + "}")).isEqualTo("0 failed, 0 warned");
        assertThat(budgetOf("void run() {" + "\n".repeat(39) + "}")).isEqualTo("0 failed, 1 warned");
        assertThat(budgetOf("void run() {" + "\n".repeat(40) + "}")).isEqualTo("1 failed, 0 warned");
    }

    @Test
    void constructorsBeyondTheBudgetAreFound() {
        assertThat(budgetOf("Measured(int a, int b, int c, int d, int e) {}")).isEqualTo("0 failed, 0 warned");
        assertThat(budgetOf("Measured(int a, int b, int c, int d, int e, int f) {}"))
                .isEqualTo("0 failed, 1 warned");
        assertThat(budgetOf("Measured(int a, int b, int c, int d, int e, int f, int g, int h) {}"))
                .isEqualTo("1 failed, 0 warned");
        assertThat(budgetOf("record Data(int a, int b, int c, int d, int e, int f, int g, int h) { Data {} }"))
                .isEqualTo("0 failed, 0 warned");
    }

    @Test
    void publicTypesAreCounted() {
        var rules = SourceRules.ofFiles(
                SourceFile.parse("Open.java", "public class Open {}"),
                SourceFile.parse("Own.java", "final class Own {}"),
                SourceFile.parse("Other.java", "public record Other() { record Inner() {} }"));

        assertThat(rules.packagePrivateShare()).isEqualTo(1.0 / 3);
    }

    private static String budgetOf(String members) {
        var rules = SourceRules.ofFiles(source("engine", "Measured", members));
        return "%d failed, %d warned"
                .formatted(rules.tooLong().size(), rules.ratherLong().size());
    }

    /** Members on the third line of four. */
    private static SourceFile source(String packageName, String name, String members) {
        return SourceFile.parse(
                "dev/elasticjob/%s/%s.java".formatted(packageName, name),
                "package dev.elasticjob.%s;\nclass %s {\n%s\n}\n".formatted(packageName, name, members));
    }
}
