package dev.elasticjob.migration.source;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Reads the methods with Spring's {@code @Scheduled} in a Java source, and what ShedLock's {@code @SchedulerLock} says of
 * them. The JDK's own parser reads the source, in the version of the JDK that runs the converter; nothing is compiled.
 *
 * <p>Each becomes a job with the settings {@code class} (the method), {@code cron}, {@code zone}, {@code fixedRate}, {@code
 * fixedDelay}, {@code initialDelay}, {@code scheduler} and {@code lock}, as far as they are there. Durations have their unit.
 */
final class ScheduledMethods {
    private static final String SCHEDULED = "Scheduled";
    private static final String SEVERAL = "Schedules";
    private static final String LOCK = "SchedulerLock";
    private static final String ASYNC = "Async";

    /** What a method must not return here. */
    private static final Set<String> REACTIVE = Set.of("Mono", "Flux", "Publisher");

    /** Attributes of {@code @Scheduled} that hold a duration, and the settings that they become. */
    private static final Map<String, String> DURATIONS = Map.of(
            "fixedRate", "fixedRate",
            "fixedRateString", "fixedRate",
            "fixedDelay", "fixedDelay",
            "fixedDelayString", "fixedDelay",
            "initialDelay", "initialDelay",
            "initialDelayString", "initialDelay");

    private final String file;
    private final CompilationUnitTree unit;
    private final Trees trees;
    private final DocumentBuilder document = new DocumentBuilder(SourceFiles.DEFAULT_OUTPUT, Optional.empty());

    private ScheduledMethods(String file, CompilationUnitTree unit, Trees trees) {
        this.file = file;
        this.unit = unit;
        this.trees = trees;
    }

    /** Whether a source may have such methods: most of a project have none, and need not be parsed. */
    static boolean mayBeIn(String text) {
        return text.contains("@" + SCHEDULED) || text.contains("annotation." + SCHEDULED);
    }

    /** @throws UnreadableSourceException if it is no Java */
    static SourceDocument read(String file, String text) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new UnreadableSourceException(
                    SourceLocation.of(file),
                    "to read Java, the converter needs a JDK; this is a Java runtime without one");
        }
        var problems = new DiagnosticCollector<JavaFileObject>();
        var task = (JavacTask)
                compiler.getTask(null, null, problems, List.of("-proc:none"), null, List.of(new InMemory(text)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            problems.getDiagnostics().stream()
                    .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                    .findFirst()
                    .ifPresent(problem -> {
                        throw new UnreadableSourceException(
                                new SourceLocation(file, (int) problem.getLineNumber()),
                                "expected Java %s, but: %s"
                                        .formatted(Runtime.version().feature(), problem.getMessage(Locale.ENGLISH)));
                    });
            var methods = new ScheduledMethods(file, unit, Trees.instance(task));
            methods.scan();
            return methods.document.build();
        } catch (IOException e) {
            throw new UnreadableSourceException(SourceLocation.of(file), "can't be read (%s)".formatted(e), e);
        }
    }

    private void scan() {
        String ofPackage = unit.getPackage() == null ? "" : unit.getPackage().getPackageName() + ".";
        new TreeScanner<Void, Void>() {
            private final Deque<String> classes = new ArrayDeque<>();
            private final Deque<Constants> constants = new ArrayDeque<>(List.of(new Constants(Map.of())));

            @Override
            public Void visitClass(ClassTree type, Void none) {
                classes.addLast(type.getSimpleName().toString());
                constants.addLast(constants.getLast().with(type));
                super.visitClass(type, null);
                constants.removeLast();
                classes.removeLast();
                return null;
            }

            @Override
            public Void visitMethod(MethodTree method, Void none) {
                method(ofPackage, String.join(".", classes), method, constants.getLast());
                return super.visitMethod(method, null);
            }
        }.scan(unit, null);
        if (!document.isEmpty()) {
            document.remark(
                    SourceLocation.of(file),
                    "its methods ran on each instance, and here each runs once in the whole cluster; what was missed while no"
                            + " instance ran is made up for, once (misfire: false if not). Remove @Scheduled from them,"
                            + " otherwise they run twice");
        }
    }

    private void method(String ofPackage, String type, MethodTree method, Constants constants) {
        List<AnnotationTree> scheduled = annotations(method)
                .flatMap(annotation -> isNamed(annotation, SEVERAL) ? nested(annotation) : Stream.of(annotation))
                .filter(annotation -> isNamed(annotation, SCHEDULED))
                .toList();
        if (scheduled.isEmpty()) {
            return;
        }
        Optional<AnnotationTree> lock = annotations(method)
                .filter(annotation -> isNamed(annotation, LOCK))
                .findFirst();
        String name = lock.flatMap(
                        annotation -> Optional.ofNullable(attributes(annotation).get("name")))
                .flatMap(constants::value)
                .map(String::valueOf)
                .orElseGet(() -> name(type, method.getName().toString()));
        List<SourceSetting> settings = new ArrayList<>();
        settings.add(new SourceSetting(
                "class", ofPackage + type + "." + method.getName() + ", instead of @Scheduled", place(method)));
        lock.ifPresent(annotation -> settings.add(new SourceSetting("lock", written(annotation), place(annotation))));
        annotations(method)
                .filter(annotation -> isNamed(annotation, ASYNC))
                .forEach(async -> settings.add(new SourceSetting("unsupported", written(async), place(async))));
        Optional.ofNullable(method.getReturnType())
                .filter(returned -> REACTIVE.contains(lastName(erased(returned))))
                .ifPresent(
                        returned -> settings.add(new SourceSetting("unsupported", written(returned), place(returned))));
        Map<String, List<SourceSetting>> schedules = new LinkedHashMap<>();
        scheduled.forEach(annotation -> ofSchedule(annotation, constants)
                .forEach(setting -> schedules
                        .computeIfAbsent(setting.key(), any -> new ArrayList<>())
                        .add(setting)));
        settings.addAll(schedules.values().stream().flatMap(List::stream).toList());
        if (scheduled.size() > 1) {
            settings.add(new SourceSetting("several", String.valueOf(scheduled.size()), place(method)));
        }
        if (!method.getParameters().isEmpty()) {
            settings.add(new SourceSetting("parameters", method.getParameters().toString(), place(method)));
        }
        document.add(new SourceJob(name, Dialect.SCHEDULED, place(method), settings));
    }

    /** {@code report-jobs-send-daily} of {@code ReportJobs.sendDaily}. */
    private static String name(String type, String method) {
        return (type + "." + method)
                .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1-$2")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .toLowerCase(Locale.ROOT);
    }

    private Stream<SourceSetting> ofSchedule(AnnotationTree annotation, Constants constants) {
        Map<String, ExpressionTree> attributes = attributes(annotation);
        Optional<String> unit = Optional.ofNullable(attributes.get("timeUnit")).map(ScheduledMethods::lastName);
        return attributes.entrySet().stream()
                .filter(attribute -> !attribute.getKey().equals("timeUnit"))
                .map(attribute -> {
                    String key = DURATIONS.getOrDefault(attribute.getKey(), attribute.getKey());
                    Optional<Object> value = constants.value(attribute.getValue());
                    SourceLocation place = place(attribute.getValue());
                    return value.isEmpty()
                            ? new SourceSetting("unknown." + key, written(attribute.getValue()), place)
                            : new SourceSetting(
                                    key,
                                    DURATIONS.containsKey(attribute.getKey())
                                            ? withUnit(String.valueOf(value.get()), unit.orElse("MILLISECONDS"))
                                            : String.valueOf(value.get()),
                                    place);
                });
    }

    /** A number, and a placeholder that may stand for one, gets the annotation's unit; other texts have one. */
    private static String withUnit(String duration, String unit) {
        return duration.strip().matches("-?\\d+|\\$\\{.*") ? duration.strip() + " " + unit : duration.strip();
    }

    // ------------------------------------------------------------------ trees

    private static Stream<AnnotationTree> annotations(MethodTree method) {
        return method.getModifiers().getAnnotations().stream().map(AnnotationTree.class::cast);
    }

    private static Stream<AnnotationTree> nested(AnnotationTree several) {
        return attributes(several).values().stream()
                .flatMap(value ->
                        value instanceof NewArrayTree array ? array.getInitializers().stream() : Stream.of(value))
                .filter(AnnotationTree.class::isInstance)
                .map(AnnotationTree.class::cast);
    }

    private static boolean isNamed(AnnotationTree annotation, String name) {
        return lastName(annotation.getAnnotationType()).equals(name);
    }

    private static Tree erased(Tree type) {
        return type instanceof ParameterizedTypeTree generic ? generic.getType() : type;
    }

    private static String lastName(Tree name) {
        return name instanceof MemberSelectTree member ? member.getIdentifier().toString() : name.toString();
    }

    /** By name, in their order. */
    private static Map<String, ExpressionTree> attributes(AnnotationTree annotation) {
        return annotation.getArguments().stream()
                .collect(Collectors.toMap(
                        argument -> argument instanceof AssignmentTree assigned
                                ? assigned.getVariable().toString()
                                : "value",
                        argument -> argument instanceof AssignmentTree assigned ? assigned.getExpression() : argument,
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    private static String written(Tree tree) {
        return tree.toString().replaceAll("\\s+", " ");
    }

    private SourceLocation place(Tree tree) {
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        return new SourceLocation(file, start < 0 ? 0 : (int) unit.getLineMap().getLineNumber(start));
    }

    /** The constants of a class and of those around it. */
    private record Constants(Map<String, ExpressionTree> byName) {
        Constants with(ClassTree type) {
            Map<String, ExpressionTree> all = new HashMap<>(byName);
            StreamSupport.stream(type.getMembers().spliterator(), false)
                    .filter(VariableTree.class::isInstance)
                    .map(VariableTree.class::cast)
                    .filter(field -> field.getInitializer() != null)
                    .forEach(field -> all.put(field.getName().toString(), field.getInitializer()));
            return new Constants(all);
        }

        /** A text or a whole number; empty if it has to be computed, or stands in another file. */
        Optional<Object> value(ExpressionTree expression) {
            return Optional.ofNullable(new ConstantValue(byName).scan(expression));
        }
    }

    /** Evaluates what people write as the value of an attribute. */
    private static final class ConstantValue extends ConstantEvaluator {
        private final Map<String, ExpressionTree> byName;
        private int depth;

        ConstantValue(Map<String, ExpressionTree> byName) {
            this.byName = byName;
        }

        @Override
        public @Nullable Object visitIdentifier(IdentifierTree name, Void none) {
            ExpressionTree value = byName.get(name.getName().toString());
            // A constant that is made of itself doesn't compile.
            return value == null || ++depth > byName.size() ? null : scan(value);
        }
    }

    /** The text, as a source. */
    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(String text) {
            super(URI.create("string:///Source.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
