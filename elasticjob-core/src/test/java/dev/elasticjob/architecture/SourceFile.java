package dev.elasticjob.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A source as the compiler parses it, without attribution: names are as written, types unknown. */
record SourceFile(String path, String text, CompilationUnitTree tree, SourcePositions positions) {
    static SourceFile read(Path root, Path file) {
        return readAll(root, List.of(file)).get(0);
    }

    /** In the order of the files. One compiler reads them all: to set one up takes longer than to parse a file. */
    static List<SourceFile> readAll(Path root, List<Path> files) {
        return parseAll(files.stream()
                .map(file -> new Text(root.relativize(file).toString().replace('\\', '/'), content(file)))
                .toList());
    }

    static SourceFile parse(String path, String text) {
        return parseAll(List.of(new Text(path, text))).get(0);
    }

    private static List<SourceFile> parseAll(List<Text> texts) {
        if (texts.isEmpty()) {
            return List.of();
        }
        var task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problem -> {}, List.of("-proc:none"), null, texts);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<SourceFile> files = new ArrayList<>();
        try {
            for (CompilationUnitTree tree : task.parse()) {
                var text = tree.getSourceFile();
                String path = text.getName().substring(1);
                files.add(new SourceFile(path, text.getCharContent(true).toString(), tree, positions));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String content;

        private Text(String path, String content) {
            super(URI.create("source:///" + path), Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }

    String name() {
        String file = path.substring(path.lastIndexOf('/') + 1);
        return file.substring(0, file.length() - ".java".length());
    }

    String packageName() {
        return tree.getPackageName() == null ? "" : tree.getPackageName().toString();
    }

    int lines(Tree part) {
        LineMap map = tree.getLineMap();
        long first = map.getLineNumber(positions.getStartPosition(tree, part));
        return (int) (map.getLineNumber(positions.getEndPosition(tree, part)) - first + 1);
    }

    /** Where it stands, to be clicked in a report. */
    String place(Tree part) {
        return path + ":" + tree.getLineMap().getLineNumber(positions.getStartPosition(tree, part));
    }

    List<ClassTree> types() {
        return tree.getTypeDecls().stream()
                .filter(ClassTree.class::isInstance)
                .map(ClassTree.class::cast)
                .toList();
    }
}
