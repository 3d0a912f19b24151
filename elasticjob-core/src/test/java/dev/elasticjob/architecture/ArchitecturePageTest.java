package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/internals/architecture.md} names only what exists. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TYPE = Pattern.compile("`@?([A-Z][a-z]\\w+)`");
    /** Of others. */
    private static final Set<String> FOREIGN =
            Set.of("CompletionStage", "CronExpression", "RetryPolicy", "BackOff", "NullMarked");

    @Test
    void everyTypeThatThePageNamesExists() throws IOException {
        Set<String> named = TYPE.matcher(Files.readString(ROOT.resolve("docs/internals/architecture.md")))
                .results()
                .map(match -> match.group(1))
                .filter(name -> !FOREIGN.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(50).isSubsetOf(types());
    }

    @Test
    void thePageCountsTheKernel() throws IOException {
        Path sources = Path.of("src/main/java/dev/elasticjob");
        String page = Files.readString(ROOT.resolve("docs/internals/architecture.md"));
        long kernel = 0;
        for (String room : ArchitectureRules.KERNEL) {
            try (Stream<Path> files = Files.list(sources.resolve(room.replace('.', '/')))) {
                kernel += files.filter(ArchitecturePageTest::isType).count();
            }
        }
        long all = ProjectFiles.of(sources.resolve("coordination"), ".java").stream()
                .filter(ArchitecturePageTest::isType)
                .count();

        assertThat(page).contains("The kernel has %d of the %d files.".formatted(kernel, all));
    }

    private static boolean isType(Path file) {
        return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
    }

    private static Set<String> types() throws IOException {
        Set<String> types = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList()) {
                types.addAll(typesBelow(sources));
            }
        }
        return types;
    }

    private static Set<String> typesBelow(Path sources) {
        return ProjectFiles.of(sources, ".java").stream()
                .map(path -> path.getFileName().toString())
                .map(name -> name.substring(0, name.length() - ".java".length()))
                .collect(Collectors.toSet());
    }
}
