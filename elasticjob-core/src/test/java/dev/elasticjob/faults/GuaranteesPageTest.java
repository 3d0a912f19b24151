package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that tells users what the rows of the fault table show. */
class GuaranteesPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve(Path.of("docs", "guarantees.md"));
    private static final Path ROWS = Path.of("src", "test", "java", "dev", "elasticjob", "faults");
    private static final Pattern NAME_OF_A_TEST = Pattern.compile("`(\\w*[a-z](?:IT|Test))`");
    private static final Pattern LINK_TO_A_FILE = Pattern.compile("]\\(([^#)]+)");

    @Test
    void everyRowIsOnThePage() throws IOException {
        assertThat(named(NAME_OF_A_TEST)).containsAll(classes(ROWS, name -> name.endsWith("IT")));
    }

    @Test
    void everyTestOnThePageExists() throws IOException {
        Set<String> existing = new TreeSet<>(classes(Path.of("src", "test"), name -> true));
        existing.addAll(classes(ROOT.resolve(Path.of("samples", "quickstart", "src", "test")), name -> true));
        existing.addAll(classes(ROOT.resolve(Path.of("elasticjob-kubernetes", "src", "test")), name -> true));

        assertThat(named(NAME_OF_A_TEST)).isNotEmpty().isSubsetOf(existing);
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        assertThat(named(LINK_TO_A_FILE))
                .isNotEmpty()
                .allSatisfy(link -> assertThat(PAGE.resolveSibling(link)).exists());
    }

    private static Set<String> named(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> classes(Path directory, Predicate<String> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .filter(wanted)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
