package dev.elasticjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.Snippets.Snippet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Java on the pages compiles. A snippet is a source file, members of a class or statements, and sees the other snippets of
 * its page. Two forms stand for code that isn't shown: <code>{ … }</code> is the body of a method that returns nothing, and
 * what stands between the lines <code>// before</code> and <code>// after</code> is other software's, and isn't compiled.
 */
class JavaSnippetsTest {
    /** What a reader's application has: its own types and methods, and injected beans, which are of our real types. */
    private static final String APPLICATION = """
            package snippets;

            public class Shop {
                public record Tenant(String id) {}
                public record Payment(long id) {}
                public interface PaymentRepository {
                    java.util.List<Payment> findOpen(int item, int items, int limit);
                    void markSettled(long id);
                }
                public interface Tickets { void open(String job, int item, Object failure); }

                public static dev.elasticjob.admin.JobAdmin admin;
                public static dev.elasticjob.admin.JobAdmin alice;
                public static dev.elasticjob.admin.JobAdmin jobAdmin;
                public static dev.elasticjob.spring.history.JobHistory history;
                public static dev.elasticjob.job.ShardingContext context;
                public static dev.elasticjob.registry.Registry registry;
                public static Tickets tickets;
                public static long lastId;

                public static void process(int item, String parameter) {}
                public static void write(int item, Object when) {}
                public static void invoice(Tenant tenant, int item) {}
                public static void settle(Payment payment) {}
                public static void clearStagingTable(String runId) {}
                public static void publishTotals(String runId) {}
                public static void createReport() {}
                public static void startPolling(int index, int total, long epoch) {}
                public static void stopPollingAndWait() {}
            }
            """;

    /** Of a library that this module doesn't have: JUnit's extension of Testcontainers. */
    private static final String ANNOTATION = "package org.testcontainers.junit.jupiter; public @interface %s {}";

    private static final List<String> OWN_PACKAGES = List.of(
            "admin",
            "admin.command",
            "definition",
            "engine",
            "group",
            "job",
            "job.after",
            "job.cluster",
            "job.event",
            "registry.curator",
            "spring",
            "spring.history",
            "spring.observation",
            "spring.test");

    private static final List<String> OTHER_PACKAGES = List.of(
            "static org.assertj.core.api.Assertions",
            "static snippets.Shop",
            "snippets.Shop",
            "io.micrometer.common",
            "java.io",
            "java.sql",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.function",
            "javax.sql",
            "org.junit.jupiter.api.extension",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet",
            "org.springframework.boot.test.context",
            "org.springframework.boot.testcontainers.service.connection",
            "org.springframework.context.annotation",
            "org.springframework.http",
            "org.springframework.security.config",
            "org.springframework.security.config.annotation.web.builders",
            "org.springframework.security.web",
            "org.springframework.stereotype",
            "org.testcontainers.junit.jupiter");

    private static final List<String> TYPES = List.of(
            "dev.elasticjob.registry.Registry",
            "org.junit.jupiter.api.Test",
            "org.springframework.beans.factory.annotation.Qualifier",
            "org.springframework.context.event.EventListener",
            "org.testcontainers.containers.GenericContainer");

    /** On one line, so that the lines of a source are those of its snippet. */
    private static final String IMPORTS = Stream.of(
                    OWN_PACKAGES.stream().map(name -> "dev.elasticjob." + name + ".*"),
                    OTHER_PACKAGES.stream().map(name -> name + ".*"),
                    TYPES.stream())
            .flatMap(names -> names)
            .map(name -> "import " + name + "; ")
            .collect(Collectors.joining());

    private static final Pattern OWN_IMPORT = Pattern.compile("(?m)^import .*;");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(public |final |abstract |sealed )*(class|interface|record|enum) ");
    private static final Pattern MEMBERS = Pattern.compile("^\\s*(@\\w|private |public |static )");
    private static final Pattern ANNOTATION_ONLY = Pattern.compile("(?s)^@\\w+\\([^{]*\\)\\s*$");
    private static final Pattern OTHER_SOFTWARE = Pattern.compile("(?s)^// before\\n.*\\n// after\\n");

    @TempDir
    private Path folder;

    @Test
    void javaCompiles() throws IOException {
        write("snippets/Shop", APPLICATION);
        write("org/testcontainers/junit/jupiter/Testcontainers", ANNOTATION.formatted("Testcontainers"));
        write("org/testcontainers/junit/jupiter/Container", ANNOTATION.formatted("Container"));
        Map<String, Snippet> snippets = new LinkedHashMap<>();
        for (Snippet snippet : Snippets.in("java")) {
            String packageName = "page_" + snippet.page().replaceAll("\\W", "_");
            String name = "Line" + snippet.line();
            snippets.put(write(packageName + "/Snippet" + name, source(packageName, name, snippet.text())), snippet);
        }

        List<Diagnostic<? extends JavaFileObject>> errors;
        try (Stream<Path> files = Files.walk(folder)) {
            errors = SourceCompiler.check(files.filter(Files::isRegularFile).toList(), folder.resolve("classes"));
        }

        assertThat(snippets).hasSizeGreaterThan(25);
        assertThat(errors.stream().map(error -> failure(error, snippets)).distinct())
                .isEmpty();
    }

    private static String failure(Diagnostic<? extends JavaFileObject> error, Map<String, Snippet> snippets) {
        JavaFileObject source = error.getSource();
        Snippet snippet =
                source == null ? null : snippets.get(Path.of(source.toUri()).toString());
        return snippet == null
                ? Objects.toString(error)
                : snippet.failure(error.getLineNumber(), error.getMessage(null));
    }

    private static String source(String packageName, String name, String snippet) {
        String code = withoutLines(OTHER_SOFTWARE.matcher(snippet)).replace("{ … }", "{ }");
        if (code.startsWith("package ")) {
            return notPublic(code.replaceFirst("^package [^;]*", "package " + packageName));
        }
        String imports = OWN_IMPORT
                .matcher(code)
                .results()
                .map(found -> found.group() + " ")
                .collect(Collectors.joining());
        String header = "package " + packageName + "; " + imports + IMPORTS;
        code = OWN_IMPORT.matcher(code).replaceAll("");
        if (TYPE.matcher(code).find()) {
            return header + notPublic(code);
        }
        if (ANNOTATION_ONLY.matcher(code).matches()) {
            return header + code + "class " + name + " {}";
        }
        return MEMBERS.matcher(code).find()
                ? header + "class " + name + " {" + code + "}"
                : header + "class " + name + " { void run() throws Exception {" + code + "} }";
    }

    private static String withoutLines(Matcher part) {
        return part.replaceFirst(found ->
                "\n".repeat((int) found.group().chars().filter(c -> c == '\n').count()));
    }

    /** The file isn't named for it. */
    private static String notPublic(String code) {
        return code.replaceAll("(?m)^public (?=(final |abstract )*(class|interface|record|enum) )", "");
    }

    private String write(String name, String source) throws IOException {
        Path file = folder.resolve(name + ".java").toAbsolutePath();
        Files.createDirectories(file.getParent());
        return Files.writeString(file, source).toString();
    }
}
