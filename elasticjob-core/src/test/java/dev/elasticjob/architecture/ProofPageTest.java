package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page that says which tests {@code mvn verify} leaves out names each of them, and nothing else. */
class ProofPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/internals/tests.md");
    private static final Pattern TAGGED = Pattern.compile(
            "@Tag\\(\"proof\"\\)\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:[a-z ]*class (\\w+)|void (\\w+)\\()");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w/-]+)` \\| (`.*`) \\|.*\\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w+(?:\\.\\w+)?)`");

    @Test
    void thePageNamesEachTestThatIsLeftOut() throws IOException {
        SortedSet<String> tagged = new TreeSet<>();
        ProjectFiles.of(ROOT, ".java").stream()
                .filter(file -> file.toString().contains("/src/test/java/"))
                .forEach(file -> tagged.addAll(tagged(file)));

        assertThat(listed()).isEqualTo(tagged);
    }

    private static SortedSet<String> listed() throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .flatMap(row -> NAME.matcher(row.group(2)).results().map(name -> row.group(1) + " " + name.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> tagged(Path file) {
        Path inModules = ROOT.relativize(file);
        String module = inModules.subpath(0, indexOf(inModules, "src")).toString();
        String type = file.getFileName().toString().replace(".java", "");
        Matcher found = TAGGED.matcher(text(file));
        return found.results()
                .map(tag -> module + " " + nameOf(type, tag))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String nameOf(String type, MatchResult tag) {
        return tag.group(1) == null ? type + "." + tag.group(2) : tag.group(1);
    }

    private static int indexOf(Path path, String name) {
        int index = 0;
        while (!path.getName(index).toString().equals(name)) {
            index++;
        }
        return index;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
