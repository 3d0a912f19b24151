package dev.elasticjob.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The fenced blocks of the README and of the pages for users. */
public final class Snippets {
    static final Path ROOT = Path.of("..");

    private static final Path INTERNALS = ROOT.resolve("docs/internals");
    private static final Pattern FENCE = Pattern.compile("(?ms)^( *)```([^\\n`]*)\\n(.*?)^ *```$");

    private Snippets() {}

    /**
     * One fenced block.
     *
     * @param line of the fence that opens it, so that its first own line is one below
     * @param text without the fence's indentation
     */
    public record Snippet(String page, int line, String language, String text) {
        public String failure(String what) {
            return failure(0, what);
        }

        /** @param lineWithin counted from 1 */
        String failure(long lineWithin, String what) {
            return "%s:%d: %s".formatted(page, line + lineWithin, what);
        }
    }

    /** Those of some languages, in the order of the pages. */
    public static List<Snippet> in(String... languages) throws IOException {
        Set<String> wanted = Set.of(languages);
        return all().stream()
                .filter(snippet -> wanted.contains(snippet.language()))
                .toList();
    }

    static List<Snippet> all() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher fence = FENCE.matcher(text);
            while (fence.find()) {
                int line = 1
                        + (int) text.substring(0, fence.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                String code = fence.group(3).replaceAll("(?m)^" + fence.group(1), "");
                snippets.add(new Snippet(ROOT.relativize(page).toString(), line, fence.group(2), code));
            }
        }
        return snippets;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .filter(file -> !file.startsWith(INTERNALS))
                                    .sorted())
                    .toList();
        }
    }
}
