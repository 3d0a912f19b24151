package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The core's sources keep the rules. That each can fail is {@link SourceRulesTest}'s to show. */
class SourceTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Path FIXTURES = Path.of("src/testFixtures/java");
    private static final SourceRules SOURCES = SourceRules.of(MAIN);
    private static final Path JOB_TREE = MAIN.resolve("dev/elasticjob/registry/JobTree.java");

    @Test
    void onlyJobTreeSpellsNodeNames() {
        var names = SourceRules.nodeNames(JOB_TREE);

        assertThat(List.of(SOURCES, SourceRules.of(FIXTURES)))
                .allSatisfy(sources ->
                        assertThat(sources.nodeNamesOutsideOfJobTree(names)).isEmpty());
    }

    @Test
    void nothingIsTooLong() {
        assertThat(SourceRules.of(FIXTURES).tooLong()).isEmpty();
        SOURCES.ratherLong().forEach(line -> System.out.println("[budget] " + line));
        assertThat(SOURCES.tooLong()).isEmpty();
    }

    @Test
    void atLeastThreeTypesInTenAreSeenByTheirPackageOnly() {
        // Ports came first, and all of them are public: what they hide is there once jobs can run.
        assumeThat(MAIN.resolve("dev/elasticjob/execution")).matches(Files::isDirectory, "holds code");

        assertThat(SOURCES.packagePrivateShare()).isGreaterThanOrEqualTo(0.3);
    }

    /** Rooms that are to get a narrower door. */
    private static final String OPEN_YET = "(admin\\.command|coordination\\.(item|membership|view)):.*";

    @Test
    void everyRoomHasADoorFourFilesAndMuchThatIsItsOwn() {
        RoomRules rooms = SOURCES.rooms("dev.elasticjob");

        assertThat(rooms.withoutDoor()).isEmpty();
        assertThat(rooms.tooSmall()).isEmpty();
        assertThat(rooms.namesOfNothing()).isEmpty();
        assertThat(rooms.tooOpen()).allSatisfy(line -> assertThat(line).matches(OPEN_YET));
    }

    @Test
    void namesStandOnce() {
        assertThat(SOURCES.namesInUseTwice()).isEmpty();
    }

    @Test
    void namesStandOnceInAllModules() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of(".."))) {
            List<SourceRules> modules = folders.filter(
                            folder -> folder.getFileName().toString().startsWith("elasticjob-"))
                    .map(folder -> SourceRules.of(folder.resolve(MAIN)))
                    .toList();

            assertThat(modules).hasSizeGreaterThan(5);
            assertThat(SourceRules.namesOfSeveralModules(modules)).isEmpty();
        }
    }

    @Test
    void testsDoNotWaitByTheClock() {
        assertThat(SourceRules.of(Path.of("src/test/java")).waitsByTheClock()).isEmpty();
    }
}
