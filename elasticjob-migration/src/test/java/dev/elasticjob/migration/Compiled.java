package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the annotations that a migration produced, as if they had been pasted onto classes of jobs. */
final class Compiled {
    /** A class's name in a comment, and its annotation below. */
    private static final Pattern SNIPPET =
            Pattern.compile("(?m)^// ([a-z][\\w.]*\\.[A-Z]\\w*)(, a DataflowJob)?$\\R((?s:@ElasticJob.*?\\))$)");

    private static final String DATAFLOW = """
            package %s;

            import dev.elasticjob.job.DataflowJob;
            import dev.elasticjob.job.ShardingContext;
            import dev.elasticjob.spring.ElasticJob;
            import java.util.List;

            %s
            public class %s implements DataflowJob<String> {
                @Override
                public List<String> fetchData(ShardingContext context) {
                    return List.of();
                }

                @Override
                public void processData(ShardingContext context, List<String> data) {}
            }
            """;

    private static final String SIMPLE = """
            package %s;

            import dev.elasticjob.job.ShardingContext;
            import dev.elasticjob.job.SimpleJob;
            import dev.elasticjob.spring.ElasticJob;

            %s
            public class %s implements SimpleJob {
                @Override
                public void execute(ShardingContext context) {}
            }
            """;

    private Compiled() {}

    /** The job classes of {@code annotations.txt}. */
    static List<Class<?>> of(Path folder) throws Exception {
        Path sources = folder.resolve("src");
        List<String> names = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        Matcher snippet = SNIPPET.matcher(Files.readString(folder.resolve("annotations.txt")));
        while (snippet.find()) {
            String name = snippet.group(1);
            int dot = name.lastIndexOf('.');
            names.add(name);
            files.add(write(
                    sources.resolve(name.replace('.', '/') + ".java"),
                    (snippet.group(2) == null ? SIMPLE : DATAFLOW)
                            .formatted(name.substring(0, dot), snippet.group(3), name.substring(dot + 1))));
        }
        compile(files, folder.resolve("classes"));
        var loader = new URLClassLoader(
                new URL[] {folder.resolve("classes").toUri().toURL()}, Compiled.class.getClassLoader());
        List<Class<?>> classes = new ArrayList<>();
        for (String name : names) {
            classes.add(loader.loadClass(name));
        }
        return classes;
    }

    static void compile(List<Path> files, Path target) throws IOException {
        Files.createDirectories(target);
        var compiler = ToolProvider.getSystemJavaCompiler();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        try (var manager = compiler.getStandardFileManager(diagnostics, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-d", target.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            null, manager, diagnostics, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(compiled).as("%s", diagnostics.getDiagnostics()).isTrue();
        }
    }

    static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
