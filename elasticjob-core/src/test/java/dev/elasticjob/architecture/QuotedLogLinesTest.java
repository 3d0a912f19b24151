package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * People on call search for log lines. Each line that a page quotes, such as {@code WARN `interrupting item`}, is logged
 * somewhere, at that level. An ellipsis in a quotation stands for any text.
 */
class QuotedLogLinesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern QUOTE = Pattern.compile("\\b(INFO|WARN|ERROR) `([^`]+)`");

    /** In the text of an alert, only log lines are in quotation marks. */
    private static final Pattern ACTION = Pattern.compile("action: '(.*)'");

    private static final Pattern QUOTED = Pattern.compile("\"([^\"{}]+)\"");

    /** A page may quote a line without its level: the log says {@code `…`}. */
    private static final Pattern IN_A_LOG =
            Pattern.compile("\\b(?:log|logs|log line)\\b[^`.|\\n]* `([A-Za-z'…]+(?: [A-Za-z'…]+){2,})`");

    private static final List<Text> TEXTS = texts();

    /**
     * @param level of the log call that the text belongs to; for other texts, all levels of their file, because a
     *     message may be put together before it is logged
     */
    private record Text(String level, String text) {}

    @Test
    void everyQuotedLineIsLogged() throws IOException {
        List<String> quotes = new ArrayList<>();
        List<String> unfounded = new ArrayList<>();
        for (Path page : ProjectFiles.of(ROOT, ".md")) {
            QUOTE.matcher(Files.readString(page)).results().forEach(found -> {
                quotes.add(found.group());
                if (isNowhere(found.group(1), found.group(2))) {
                    unfounded.add(page.getFileName() + ": " + found.group());
                }
            });
        }

        assertThat(quotes).hasSizeGreaterThan(20);
        assertThat(unfounded).isEmpty();
    }

    @Test
    void everyLineThatAnAlertQuotesIsLogged() throws IOException {
        List<String> quotes = Files.readAllLines(ROOT.resolve("docs/monitoring/alerts.yml")).stream()
                .flatMap(line -> ACTION.matcher(line).results())
                .map(action -> action.group(1).replace("''", "'"))
                .flatMap(action -> QUOTED.matcher(action).results())
                .map(quote -> quote.group(1))
                .toList();

        assertThat(quotes).hasSizeGreaterThan(5);
        assertThat(quotes).filteredOn(QuotedLogLinesTest::isNowhere).isEmpty();
    }

    /** Also where the page doesn't name the level. */
    @Test
    void everyLineThatAPageQuotesOfALogIsLogged() throws IOException {
        List<String> quotes = new ArrayList<>();
        for (Path page : ProjectFiles.of(ROOT, ".md")) {
            IN_A_LOG.matcher(Files.readString(page)).results().forEach(found -> quotes.add(found.group(1)));
        }

        assertThat(quotes).isNotEmpty();
        assertThat(quotes).filteredOn(QuotedLogLinesTest::isNowhere).isEmpty();
    }

    /** At any level, which an alert doesn't name: the message may be put together in another class than the one that logs. */
    private static boolean isNowhere(String quote) {
        return isNowhere("", quote);
    }

    private static boolean isNowhere(String level, String quote) {
        Pattern quoted = Pattern.compile(
                Stream.of(quote.split("…"))
                        .map(String::strip)
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")),
                Pattern.DOTALL);
        return TEXTS.stream()
                .noneMatch(text ->
                        text.level.contains(level) && quoted.matcher(text.text).find());
    }

    private static List<Text> texts() {
        List<Text> texts = new ArrayList<>();
        for (String module : List.of("elasticjob-core", "elasticjob-spring-boot-autoconfigure")) {
            Path main = ROOT.resolve(module).resolve("src/main/java");
            SourceFile.readAll(main, ProjectFiles.of(main, ".java")).forEach(file -> read(file, texts));
        }
        return texts;
    }

    /** Whether it is a method of a logger or, for failures that may be repeated, of a FailureLog. */
    private static boolean logs(MemberSelectTree select) {
        return select.getExpression().toString().equals("log")
                || select.getIdentifier().contentEquals("error")
                || select.getIdentifier().contentEquals("warn");
    }

    private static void read(SourceFile source, List<Text> texts) {
        List<String> levels = new ArrayList<>();
        List<String> others = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                if (call.getMethodSelect() instanceof MemberSelectTree select && logs(select)) {
                    String level = select.getIdentifier().toString().toUpperCase(Locale.ROOT);
                    levels.add(level);
                    texts.add(new Text(level, literals(call)));
                    return nothing;
                }
                return super.visitMethodInvocation(call, nothing);
            }

            @Override
            public Void visitBinary(BinaryTree text, Void nothing) {
                others.add(literals(text));
                return nothing;
            }

            @Override
            public Void visitLiteral(LiteralTree text, Void nothing) {
                others.add(literals(text));
                return nothing;
            }
        }.scan(source.tree(), null);
        others.forEach(text -> texts.add(new Text(levels.toString(), text)));
    }

    private static String literals(Tree tree) {
        StringBuilder texts = new StringBuilder();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitLiteral(LiteralTree literal, Void nothing) {
                if (literal.getValue() instanceof String text) {
                    texts.append(text);
                }
                return nothing;
            }
        }.scan(tree, null);
        return texts.toString();
    }
}
