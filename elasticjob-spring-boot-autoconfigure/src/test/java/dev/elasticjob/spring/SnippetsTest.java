package dev.elasticjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The code on the pages: Java compiles, YAML can be loaded, and a shell can parse its commands. */
class SnippetsTest {
    private static final Path ROOT = Path.of("..");

    /** Tests of other modules hold these next to sources that run: the test kit's, the release tests', and the core's. */
    private static final Set<String> ELSEWHERE =
            Set.of("@ElasticJobTest\nclass OrdersJobTest", "class BillingJobTest", "import dev.elasticjob.spring.test.",
                    "final class OrderTotals implements SimpleJob");

    /** What a reader has: classes and methods of the application, and injected beans. */
    private static final String APPLICATION = """
            package snippets;

            import dev.elasticjob.admin.JobAdmin;
            import dev.elasticjob.job.ShardingContext;
            import dev.elasticjob.registry.Registry;
            import dev.elasticjob.spring.history.JobHistory;
            import java.util.List;

            public class Shop {
                public record Tenant(String id) {}
                public record Payment(long id) {}
                public interface PaymentRepository {
                    List<Payment> findOpen(int item, int items, int limit);
                    void markSettled(long id);
                }
                public interface Tickets { void open(Object... any); }
                public static JobAdmin admin;
                public static JobAdmin alice;
                public static JobAdmin jobAdmin;
                public static JobHistory history;
                public static ShardingContext context;
                public static Registry registry;
                public static Tickets tickets;
                public static long lastId;
                public static void process(Object... any) {}
                public static void write(Object... any) {}
                public static void invoice(Object... any) {}
                public static void settle(Object... any) {}
                public static void clearStagingTable(Object... any) {}
                public static void publishTotals(Object... any) {}
                public static void startPolling(Object... any) {}
                public static void stopPollingAndWait() {}
            }
            """;

    /** A library that this module doesn't have. */
    private static final String STUB = "package org.testcontainers.junit.jupiter; public @interface %s {}";

    private static final String IMPORTS = Stream.of(
                    "static snippets.Shop",
                    "snippets.Shop",
                    "dev.elasticjob.admin",
                    "dev.elasticjob.admin.command",
                    "dev.elasticjob.definition",
                    "dev.elasticjob.engine",
                    "dev.elasticjob.group",
                    "dev.elasticjob.job",
                    "dev.elasticjob.job.after",
                    "dev.elasticjob.job.cluster",
                    "dev.elasticjob.job.event",
                    "dev.elasticjob.spring",
                    "dev.elasticjob.spring.history",
                    "dev.elasticjob.spring.observation",
                    "io.micrometer.common",
                    "java.io",
                    "java.time",
                    "java.util",
                    "org.springframework.boot.security.autoconfigure.actuate.web.servlet",
                    "org.springframework.boot.test.context",
                    "org.springframework.boot.testcontainers.service.connection",
                    "org.springframework.context.annotation",
                    "org.springframework.context.event",
                    "org.springframework.http",
                    "org.springframework.security.config",
                    "org.springframework.security.config.annotation.web.builders",
                    "org.springframework.security.web",
                    "org.springframework.stereotype",
                    "org.testcontainers.junit.jupiter")
            .map(name -> "import " + name + ".*;\n")
            .reduce(
                    "import org.springframework.context.event.EventListener;\n"
                            + "import org.testcontainers.containers.GenericContainer;\n",
                    String::concat);

    @TempDir
    private Path folder;

    record Snippet(String page, int line, String text) {
        @Override
        public String toString() {
            return page + ":" + line + "\n" + text;
        }
    }

    @Test
    void javaCompiles() throws IOException {
        List<Path> files = new ArrayList<>(List.of(
                write("snippets", "Shop", APPLICATION),
                write("org/testcontainers/junit/jupiter", "Testcontainers", STUB.formatted("Testcontainers")),
                write("org/testcontainers/junit/jupiter", "Container", STUB.formatted("Container"))));
        List<Snippet> snippets = snippets("java").stream()
                .filter(snippet -> ELSEWHERE.stream().noneMatch(snippet.text()::contains))
                .toList();
        for (int i = 0; i < snippets.size(); i++) {
            String page = snippets.get(i).page().replaceAll("\\W", "_");
            files.add(write(page, "Snippet_" + i + "_", source(page, snippets.get(i).text(), "Any" + i)));
        }

        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(diagnostics, null, null)) {
            List<String> options = List.of("-d", folder.toString(), "-proc:none", "-implicit:none");
            compiler.getTask(null, manager, diagnostics, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
        }

        Set<String> errors = new TreeSet<>();
        diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() == javax.tools.Diagnostic.Kind.ERROR)
                .forEach(found -> errors.add(about(found.toString(), snippets)));
        assertThat(snippets).hasSizeGreaterThan(20);
        assertThat(errors).isEmpty();
    }

    /** Keys too: twice the same, or a tab, is an error. */
    @Test
    void yamlCanBeLoaded() throws IOException {
        List<Snippet> snippets = snippets("yaml");
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);

        assertThat(snippets).hasSizeGreaterThan(15);
        for (Snippet snippet : snippets) {
            assertThat(new Yaml(new SafeConstructor(options)).loadAll(snippet.text()))
                    .as("%s", snippet)
                    .allSatisfy(document -> assertThat(document).isInstanceOf(Map.class));
        }
    }

    @Test
    void aShellCanParseCommands() throws Exception {
        List<Snippet> snippets =
                Stream.concat(snippets("sh").stream(), snippets("shell").stream()).toList();

        assertThat(snippets).hasSizeGreaterThan(30);
        for (Snippet snippet : snippets) {
            Process shell = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
            try (var input = shell.outputWriter()) {
                input.write(snippet.text());
            }
            String output = new String(shell.getInputStream().readAllBytes());
            assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(shell.exitValue()).as("%s%n%s", snippet, output).isZero();
        }
    }

    private static String about(String error, List<Snippet> snippets) {
        Matcher page = Pattern.compile("/Snippet_(\\d+)_").matcher(error);
        String message = error.replaceFirst("(?s)^.*?: error: ", "");
        return page.find() ? snippets.get(Integer.parseInt(page.group(1))) + message : error;
    }

    /** A class as it is; methods in a class; statements in a method. */
    private static String source(String name, String snippet, String any) {
        String code = snippet.replaceFirst("(?s)^// before.*// after\\n", "").replace("…", "");
        if (code.startsWith("package ")) {
            return code.replaceFirst("package [^;]*", "package " + name);
        }
        StringBuilder imports = new StringBuilder();
        Matcher own = Pattern.compile("(?m)^import .*;\\n").matcher(code);
        own.results().forEach(found -> imports.append(found.group()));
        code = own.replaceAll("").strip();
        String header = "package " + name + ";\n" + imports + IMPORTS;
        if (code.matches("(?s)@ElasticJob\\([^{]*")) {
            return header + code + " class " + any + " {}";
        }
        if (Pattern.compile("(?m)^(public |final )*(class|interface|record) ").matcher(code).find()) {
            return header + code;
        }
        return header + "class " + any + " {" + (code.startsWith("@") ? code : "void run() {" + code + "\n}") + "\n}";
    }

    private Path write(String packageName, String type, String source) throws IOException {
        Path file = folder.resolve("src").resolve(packageName).resolve(type + ".java");
        Files.createDirectories(file.getParent());
        // The classes' names are the pages', so that none of them is public here.
        return Files.writeString(file, !type.startsWith("Snippet") ? source : source.replaceAll("(?m)^public class", "class"));
    }

    private static List<Snippet> snippets(String language) throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages) {
            String text = Files.readString(page);
            Matcher fence = Pattern.compile("(?ms)^( *)```" + language + "\\n(.*?)^ *```").matcher(text);
            while (fence.find()) {
                int line = (int) text.substring(0, fence.start()).lines().count() + 1;
                snippets.add(new Snippet(
                        ROOT.relativize(page).toString(),
                        line,
                        fence.group(2).replaceAll("(?m)^" + fence.group(1), "")));
            }
        }
        return snippets;
    }
}
