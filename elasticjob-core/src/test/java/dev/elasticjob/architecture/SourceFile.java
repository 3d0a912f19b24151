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
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A source as the compiler parses it, without attribution: names are as written, types unknown. */
record SourceFile(String path, String text, CompilationUnitTree tree, SourcePositions positions) {
    static SourceFile read(Path root, Path file) {
        try {
            return parse(root.relativize(file).toString().replace('\\', '/'), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SourceFile parse(String path, String text) {
        var source = new SimpleJavaFileObject(URI.create("source:///" + path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        var task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problem -> {}, List.of("-proc:none"), null, List.of(source));
        try {
            CompilationUnitTree tree = task.parse().iterator().next();
            return new SourceFile(path, text, tree, Trees.instance(task).getSourcePositions());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
