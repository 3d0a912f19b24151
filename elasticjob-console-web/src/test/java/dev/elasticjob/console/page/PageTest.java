package dev.elasticjob.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.table.Effect;
import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.spring.history.HistoryOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page's files, as far as they can be judged without a browser. */
class PageTest {
    private static final Path FILES = Path.of("src/main/resources/dev/elasticjob/console/page/assets");
    private static final Pattern KEY = Pattern.compile("'([A-Za-z.]+(?:\\.[A-Z_]+)?(?:\\.one|\\.says|\\.why)?)': '");
    private static final Pattern SENTENCE = Pattern.compile("'((?:fact|remedy)\\.[A-Z_]+)': '(.*)',");
    private static final Pattern VALUE = Pattern.compile("\\{(\\w+)}");
    private static final Pattern USED = Pattern.compile("\\b(?:t|count)\\('([A-Za-z.]+)'");
    private static final Pattern TEXTS = Pattern.compile("(sentences-|settings-)?(en|zh)\\.js");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*from '\\./([a-z-]+\\.js)';");
    private static final long MOST_BYTES_SENT = 80_000;
    private static final long MOST_BYTES = 385_000;

    @Test
    void bothLanguagesHaveTheSameTexts() {
        Set<String> english = new TreeSet<>(keys("en.js"));
        english.removeIf(key -> key.endsWith(".one"));

        assertThat(english).hasSizeGreaterThan(100);
        assertThat(keys("zh.js")).isEqualTo(english);
    }

    /** What the API says as a code, the page says as a word. */
    @Test
    void everyCodeHasAText() {
        Stream<String> codes = Stream.of(
                        codes("reason", Explanation.Reason.values()),
                        codes("verdict", Explanation.Verdict.values()),
                        codes("status", JobStatus.values()),
                        codes("item", ItemState.values()),
                        codes("finding", Finding.Kind.values()),
                        codes("finding", GroupFinding.Kind.values()),
                        codes("effect", Effect.Code.values()),
                        codes("outcome", HistoryOutcome.values()),
                        codes("result", CancelAnswer.Result.values()),
                        codes("paused", PausedBy.Scope.values()),
                        codes("phase", OpenFiring.Phase.values()))
                .flatMap(names -> names);

        assertThat(keys("zh.js")).containsAll(codes.toList());
    }

    /** A new setting has a name on the page, and a place in its groups. */
    @Test
    void everySettingHasANameInBothLanguagesAndAGroup() {
        Pattern text = Pattern.compile("'((?:set|help|group|special|settings|cron)\\.[A-Za-z.]+)': '");
        Set<String> english = found(text, "settings-en.js");
        Set<String> settings = JobSettings.ALL.stream()
                .filter(setting -> !JobSettings.GROUPS.contains(setting))
                .map(setting -> "set." + setting.name())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(english).containsAll(settings).isEqualTo(found(text, "settings-zh.js"));
        assertThat(JobSettings.GROUPS)
                .allSatisfy(group -> assertThat(english).anyMatch(key -> key.startsWith("set." + group.name() + ".")));
        assertThat(found(Pattern.compile("'?([A-Za-z.]+)'?(?=[,\\]])"), "fields.js"))
                .containsAll(english.stream()
                        .filter(key -> key.startsWith("set."))
                        .map(key -> key.substring("set.".length()))
                        .toList());
    }

    /** Where there are a few values only, one of them is chosen. */
    @Test
    void everySettingWithFewValuesOffersThem() {
        Map<String, String> few = JobSettings.ALL.stream()
                .filter(setting -> setting.standard() instanceof Enum<?>)
                .collect(Collectors.toMap(
                        setting -> setting.name(),
                        setting -> values(((Enum<?>) setting.standard()).getDeclaringClass())));
        few.put("'after.outcome'", values(AfterOutcome.class));

        assertThat(few).hasSizeGreaterThan(2);
        assertThat(few)
                .allSatisfy((name, values) -> assertThat(text("fields.js")).contains(name + ": [" + values + "]"));
    }

    private static String values(Class<?> type) {
        return Stream.of(type.getEnumConstants())
                .map(value -> "'" + value + "'")
                .collect(Collectors.joining(", "));
    }

    private static Set<String> found(Pattern pattern, String file) {
        return pattern.matcher(text(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> codes(String kind, Enum<?>... values) {
        return Stream.of(values).map(value -> kind + "." + value.name());
    }

    /** What the API says as a code with values, the page says as a sentence, with the same values. */
    @Test
    void everySentenceIsInBothLanguagesWithItsValues() {
        Map<String, String> english = sentences("sentences-en.js");
        Map<String, String> chinese = sentences("sentences-zh.js");
        Map<String, String> codes = new TreeMap<>();
        Stream.of(Fact.values()).forEach(fact -> codes.put("fact." + fact.name(), fact.template()));
        Stream.of(Remedy.values()).forEach(remedy -> codes.put("remedy." + remedy.name(), remedy.template()));

        assertThat(english.keySet()).isEqualTo(codes.keySet());
        assertThat(chinese.keySet()).isEqualTo(codes.keySet());
        codes.forEach((key, template) -> {
            assertThat(values(english.get(key))).as(key).isEqualTo(values(template));
            assertThat(values(chinese.get(key))).as(key + " in Chinese").isEqualTo(values(template));
        });
    }

    private static Map<String, String> sentences(String file) {
        return SENTENCE.matcher(text(file))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    }

    private static Set<String> values(String sentence) {
        return VALUE.matcher(sentence).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    @Test
    void everyTextThatIsUsedExists() {
        Set<String> used = files().stream()
                .filter(name -> name.endsWith(".js"))
                .flatMap(name -> USED.matcher(text(name)).results())
                .map(match -> match.group(1))
                .filter(key -> !key.endsWith("."))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(used).hasSizeGreaterThan(50);
        assertThat(Stream.of("en.js", "settings-en.js").flatMap(name -> keys(name).stream()))
                .containsAll(used);
    }

    @Test
    void nothingIsAskedOfAnotherHostAndNoAddressIsAbsolute() {
        for (String name : files()) {
            assertThat(text(name).replace("http://www.w3.org/2000/svg", ""))
                    .as(name)
                    .doesNotContain("http://", "https://", "fetch('/", "import('/");
        }
    }

    @Test
    void noTextBecomesMarkup() {
        for (String name : files()) {
            assertThat(text(name))
                    .as(name)
                    .doesNotContain(
                            "innerHTML", "outerHTML", "insertAdjacentHTML", "unsafe", "eval(", "document.write");
        }
    }

    /** As a browser gets it, in the language whose texts are longer. The second limit keeps the jar small. */
    @Test
    void thePageIsSmall() {
        Access everybody = new Access(Access.Unsecured.READ_ONLY, Optional.empty(), Optional.empty(), Optional.empty());
        var console = new ManyJobs(everybody);
        String page = text(console, "/", Map.of());
        String folder = page.substring(page.indexOf("assets/"), page.indexOf("icon.svg"));
        Map<String, Integer> zipped = new TreeMap<>();
        long plain = 0;
        for (String name :
                Stream.concat(files().stream(), Stream.of("lit-html.js")).toList()) {
            String address = "/" + folder + name;
            ConsoleResponse answer = answer(console, address, Map.of("accept-encoding", "gzip, br"));
            assertThat(answer.headers()).as(name).containsEntry("Content-Encoding", "gzip");
            zipped.put(name, answer.body().length);
            plain += answer(console, address, Map.of()).body().length;
        }

        zipped.keySet().retainAll(sentAtOnce());
        assertThat(zipped).doesNotContainKey("job.js").containsKeys("jobs.js", "sentences-zh.js", "lit-html.js");
        assertThat(sent(zipped, "en.js")).isLessThan(MOST_BYTES_SENT);
        assertThat(sent(zipped, "zh.js")).isLessThan(MOST_BYTES_SENT);
        assertThat(plain).isLessThan(MOST_BYTES);
    }

    /** The page's own files, and what these import before somebody goes to another screen; texts of both languages. */
    private static Set<String> sentAtOnce() {
        Set<String> sent = new TreeSet<>(files());
        sent.removeIf(name -> name.endsWith(".js") && !TEXTS.matcher(name).matches());
        Deque<String> open = new ArrayDeque<>(Set.of("main.js"));
        while (!open.isEmpty()) {
            String name = open.remove();
            if (sent.add(name) && !name.equals("lit-html.js")) {
                IMPORT.matcher(text(name))
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .forEach(open::add);
            }
        }
        return sent;
    }

    /** Without what only readers of the other language get. */
    private static long sent(Map<String, Integer> files, String otherLanguage) {
        return files.entrySet().stream()
                .filter(file -> !file.getKey().endsWith(otherLanguage))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static String text(ManyJobs console, String address, Map<String, String> headers) {
        return new String(answer(console, address, headers).body(), StandardCharsets.UTF_8);
    }

    private static ConsoleResponse answer(ManyJobs console, String address, Map<String, String> headers) {
        ConsoleResponse answer =
                console.ask("GET", address, headers, Optional.empty()).join();
        assertThat(answer.status()).as(address).isEqualTo(200);
        return answer;
    }

    private static Set<String> keys(String name) {
        return KEY.matcher(text(name))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> files() {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String name) {
        try {
            return Files.readString(FILES.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
