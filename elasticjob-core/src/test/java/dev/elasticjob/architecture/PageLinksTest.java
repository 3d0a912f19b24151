package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each relative link of the README, the changelog, and the pages below {@code docs} leads to a file and a heading. */
class PageLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```.*?```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(text(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(target -> !target.matches("[a-z]+:.*"))
                    .filter(target -> !exists(page, target))
                    .forEach(target -> broken.add(ROOT.relativize(page) + " -> " + target));
        }

        assertThat(pages()).hasSizeGreaterThan(20);
        assertThat(broken).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static boolean exists(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(file) && (parts.length == 1 || headings(file).contains(parts[1]));
    }

    private static List<String> headings(Path page) {
        return HEADING.matcher(text(page)).results().map(PageLinksTest::anchor).toList();
    }

    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static String text(Path page) {
        try {
            return EXAMPLE.matcher(Files.readString(page)).replaceAll("");
        } catch (IOException e) {
            throw new IllegalStateException("Can't read " + page, e);
        }
    }
}
