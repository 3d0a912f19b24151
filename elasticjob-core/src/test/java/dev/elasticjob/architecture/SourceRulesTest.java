package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    @Test
    void namesThatTwoModulesHaveAreFound() {
        SourceRules one = SourceRules.ofFiles(source("a", "One", ""), source("a", "Two", ""));
        SourceRules other = SourceRules.ofFiles(source("b", "One", ""), source("b", "Three", ""));

        assertThat(SourceRules.namesOfSeveralModules(List.of(one, other)))
                .singleElement()
                .asString()
                .startsWith("One ");
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

    @Test
    void roomsWithoutDoorAreFound() {
        String described = "The door is {@link dev.elasticjob.coordination.%s.One}.";

        assertThat(room("good", described.formatted("good"), "One", "Two").withoutDoor())
                .isEmpty();
        assertThat(room("silent", "Rooms.", "One").withoutDoor()).hasSize(1);
        assertThat(room("hidden", described.formatted("hidden")).withoutDoor()).hasSize(1);
        assertThat(room("foreign", described.formatted("good"), "One").withoutDoor())
                .hasSize(1);
    }

    @Test
    void smallRoomsAreFound() {
        assertThat(room("small", "", "One", "Two", "Three").tooSmall())
                .singleElement()
                .asString()
                .startsWith("coordination.small has 3 files");
        assertThat(room("large", "", "One", "Two", "Three", "Four").tooSmall()).isEmpty();
    }

    @Test
    void openRoomsAreFound() {
        String hidden = "class Own {} class Own2 {}";

        assertThat(roomOf("half", hidden, "One", "Two", "Three").tooOpen()).isEmpty();
        assertThat(roomOf("open", hidden, "One", "Two", "Three", "Four").tooOpen())
                .singleElement()
                .asString()
                .contains("33 %", "[Four, One, Three, Two]");
        assertThat(roomOf("values", hidden, "One", "Two", "Three", "Value").tooOpen())
                .isEmpty();
        assertThat(roomOf("other", hidden, "One", "Two", "Three").namesOfNothing())
                .containsExactly("coordination.values has no public type Value");
    }

    private static RoomRules room(String name, String description, String... publicTypes) {
        List<SourceFile> files = new ArrayList<>();
        for (String type : publicTypes) {
            files.add(publicType(name, type));
        }
        files.add(SourceFile.parse(
                "dev/elasticjob/coordination/%s/package-info.java".formatted(name),
                "/** %s */\npackage dev.elasticjob.coordination.%s;".formatted(description, name)));
        return new RoomRules("dev.elasticjob", files, Map.of());
    }

    private static RoomRules roomOf(String name, String hidden, String... publicTypes) {
        List<SourceFile> files = new ArrayList<>();
        for (String type : publicTypes) {
            files.add(publicType(name, type));
        }
        files.add(SourceFile.parse("Own.java", "package dev.elasticjob.coordination.%s;\n%s".formatted(name, hidden)));
        return new RoomRules("dev.elasticjob", files, Map.of("coordination.values", List.of("Value")));
    }

    private static SourceFile publicType(String room, String name) {
        return SourceFile.parse(
                name + ".java", "package dev.elasticjob.coordination.%s;\npublic class %s {}".formatted(room, name));
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
