package dev.elasticjob.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles for Java 17, in this process. Besides the class path, sources can use those of our modules that depend on this
 * one.
 */
public final class SourceCompiler {
    private static final String OTHER_MODULES = Stream.of(
                    "elasticjob-spring-boot-starter-test", "elasticjob-console-web", "elasticjob-console")
            .map(module ->
                    Snippets.ROOT.resolve(module).resolve("src/main/java").toString())
            .collect(Collectors.joining(System.getProperty("path.separator")));

    private SourceCompiler() {}

    /** @return errors only */
    static List<Diagnostic<? extends JavaFileObject>> check(Collection<Path> files, Path classes) throws IOException {
        return compile(files, classes, "none");
    }

    /** Compiles a class of another module, and those that it uses. */
    public static void compile(String module, String className, Path classes) throws IOException {
        Path source =
                Snippets.ROOT.resolve(module).resolve("src/main/java").resolve(className.replace('.', '/') + ".java");
        List<?> errors = compile(List.of(source), classes, "class");
        if (!errors.isEmpty()) {
            throw new IllegalStateException("Expected %s to compile, but: %s".formatted(source, errors));
        }
    }

    private static List<Diagnostic<? extends JavaFileObject>> compile(
            Collection<Path> files, Path classes, String implicit) throws IOException {
        Files.createDirectories(classes);
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(diagnostics, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-parameters",
                    "-proc:none",
                    "-Xmaxerrs",
                    "1000",
                    "-implicit:" + implicit,
                    "-sourcepath",
                    OTHER_MODULES,
                    "-d",
                    classes.toString());
            compiler.getTask(null, manager, diagnostics, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() == Diagnostic.Kind.ERROR)
                .toList();
    }
}
