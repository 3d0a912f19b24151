package dev.elasticjob.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;

/** How long things may be: up to the first limit nobody says a word, above the second the build stops. */
enum Budget {
    METHOD("method", "lines", 25, 40),
    CONSTRUCTOR("constructor", "parameters", 5, 7);

    private final String thing;
    private final String unit;
    private final int warnAbove;
    private final int failAbove;

    Budget(String thing, String unit, int warnAbove, int failAbove) {
        this.thing = thing;
        this.unit = unit;
        this.warnAbove = warnAbove;
        this.failAbove = failAbove;
    }

    static List<Measure> measuresOf(SourceFile file) {
        List<Measure> measures = new ArrayList<>();
        file.tree().accept(new MethodScanner(file, measures), null);
        return measures;
    }

    /** One file, method or constructor, measured. */
    record Measure(Budget budget, String place, int size) {
        boolean fails() {
            return size > budget.failAbove;
        }

        boolean warns() {
            return size > budget.warnAbove && !fails();
        }

        String report() {
            return "%s: %s with %d %s; more than %d should be split, more than %d must be"
                    .formatted(place, budget.thing, size, budget.unit, budget.warnAbove, budget.failAbove);
        }
    }

    private static final class MethodScanner extends TreeScanner<Void, Void> {
        private final SourceFile file;
        private final List<Measure> measures;
        private boolean inRecord;

        private MethodScanner(SourceFile file, List<Measure> measures) {
            this.file = file;
            this.measures = measures;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            boolean outer = inRecord;
            inRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, none);
            inRecord = outer;
            return null;
        }

        /** The components of a record are its data, not its collaborators: they are not counted. */
        @Override
        public Void visitMethod(MethodTree method, Void none) {
            measures.add(new Measure(METHOD, file.place(method), file.lines(method)));
            if (method.getName().contentEquals("<init>") && !inRecord) {
                measures.add(new Measure(
                        CONSTRUCTOR, file.place(method), method.getParameters().size()));
            }
            return super.visitMethod(method, none);
        }
    }
}
