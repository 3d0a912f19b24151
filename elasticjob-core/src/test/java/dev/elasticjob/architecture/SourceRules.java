package dev.elasticjob.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/**
 * What {@code docs/internals/architecture.md} asserts and byte code doesn't show: who spells node names, how long
 * methods are, and that tests don't wait by the clock. Each rule answers with its violations, one line each, with the
 * place.
 */
public final class SourceRules {
    /** Packages that don't see the registry: what they spell cannot be a path. */
    private static final Set<String> WITHOUT_REGISTRY =
            Set.of("time", "job", "definition", "definition.codec", "admin.table");

    /** The files that spell node names: of jobs, and of groups. */
    private static final Set<String> TREES = Set.of("JobTree", "GroupTree");

    private final List<SourceFile> files;

    private SourceRules(List<SourceFile> files) {
        this.files = files;
    }

    /** The rules for all sources below a folder such as {@code src/main/java}; none where the folder is missing. */
    public static SourceRules of(Path root) {
        if (!Files.isDirectory(root)) {
            return new SourceRules(List.of());
        }
        return new SourceRules(SourceFile.readAll(
                root,
                ProjectFiles.of(root, ".java").stream()
                        .filter(path -> !path.startsWith(root.resolve("fixture")))
                        .sorted()
                        .toList()));
    }

    static SourceRules ofFiles(SourceFile... files) {
        return new SourceRules(List.of(files));
    }

    /**
     * The names of nodes, taken from the literals of {@code JobTree} itself: a name that is added there is guarded here.
     */
    public static Set<String> nodeNames(Path jobTree) {
        return nodeNames(SourceFile.read(jobTree.getParent(), jobTree));
    }

    static Set<String> nodeNames(SourceFile jobTree) {
        Set<String> names = new TreeSet<>();
        eachText(jobTree, (text, literal) -> names.addAll(List.of(text.split("/"))));
        names.remove("");
        return names;
    }

    /**
     * 11: only {@code JobTree} and {@code GroupTree} contain node names. A literal with such a name between slashes is a path anywhere. The
     * bare name is one too, except where it is a key of stored JSON (classes named {@code …Codec}) and in packages that
     * cannot see the registry, where {@code "failover"} is a job's setting.
     */
    public List<String> nodeNamesOutsideOfJobTree(Set<String> nodeNames) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            if (TREES.contains(file.name())) {
                continue;
            }
            boolean mayMeanSomethingElse = file.name().endsWith("Codec")
                    || WITHOUT_REGISTRY.stream()
                            .anyMatch(name -> file.packageName().endsWith("." + name));
            eachText(file, (text, literal) -> {
                boolean path = text.contains("/") && Stream.of(text.split("/")).anyMatch(nodeNames::contains);
                if (path || nodeNames.contains(text) && !mayMeanSomethingElse) {
                    found.add("%s spells the node name \"%s\": ask JobTree".formatted(file.place(literal), text));
                }
            });
        }
        return found;
    }

    /** Tests await an event, with an upper bound, or advance the time themselves; they never wait by the clock. */
    public List<String> waitsByTheClock() {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            file.tree().accept(new WaitScanner(file, found), null);
        }
        return found;
    }

    /** What is longer than its budget allows. */
    public List<String> tooLong() {
        return measures()
                .filter(Budget.Measure::fails)
                .map(Budget.Measure::report)
                .toList();
    }

    /** What is longer than it should be: worth a look, no reason to stop. */
    public List<String> ratherLong() {
        return measures()
                .filter(Budget.Measure::warns)
                .map(Budget.Measure::report)
                .toList();
    }

    /** 13: simple names that two files have, or a file and a type nested in another. */
    public List<String> namesInUseTwice() {
        Map<String, List<String>> places = new TreeMap<>();
        for (SourceFile file : files) {
            file.types()
                    .forEach(type -> places.computeIfAbsent(type.getSimpleName().toString(), name -> new ArrayList<>())
                            .add(file.path()));
        }
        for (SourceFile file : files) {
            file.types().stream()
                    .flatMap(type -> nested(type).stream())
                    .filter(places::containsKey)
                    .forEach(name -> places.getOrDefault(name, List.of()).add(file.path() + " (nested)"));
        }
        return places.entrySet().stream()
                .filter(named -> named.getValue().size() > 1)
                .map(named -> "%s is the name of %s".formatted(named.getKey(), named.getValue()))
                .toList();
    }

    /** 13: simple names of files that several modules have. */
    static List<String> namesOfSeveralModules(List<SourceRules> modules) {
        return modules.stream()
                .flatMap(module -> module.files.stream())
                .filter(file -> !file.name().matches("(package|module)-info"))
                .collect(Collectors.groupingBy(SourceFile::name, TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .filter(named -> named.getValue().size() > 1)
                .map(named -> "%s is the name of %s"
                        .formatted(
                                named.getKey(),
                                named.getValue().stream().map(SourceFile::path).toList()))
                .toList();
    }

    private static List<String> nested(ClassTree type) {
        List<String> names = new ArrayList<>();
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree inner) {
                names.add(inner.getSimpleName().toString());
                names.addAll(nested(inner));
            }
        }
        return names;
    }

    /** The share, from 0 to 1, of the types in files of their own that only their package sees. */
    public double packagePrivateShare() {
        List<ClassTree> types =
                files.stream().flatMap(file -> file.types().stream()).toList();
        long hidden = types.stream()
                .filter(type -> !type.getModifiers().getFlags().contains(Modifier.PUBLIC))
                .count();
        return types.isEmpty() ? 1 : (double) hidden / types.size();
    }

    /** 18: the packages of coordination and admin. */
    RoomRules rooms(String basePackage) {
        return new RoomRules(basePackage, files);
    }

    private Stream<Budget.Measure> measures() {
        return files.stream().flatMap(file -> Budget.measuresOf(file).stream());
    }

    private static void eachText(SourceFile file, BiConsumer<String, LiteralTree> action) {
        file.tree()
                .accept(
                        new TreeScanner<Void, Void>() {
                            @Override
                            public Void visitLiteral(LiteralTree literal, Void none) {
                                if (literal.getValue() instanceof String text) {
                                    action.accept(text, literal);
                                }
                                return null;
                            }
                        },
                        null);
    }
}
