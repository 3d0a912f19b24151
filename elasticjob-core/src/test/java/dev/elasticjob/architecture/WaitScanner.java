package dev.elasticjob.architecture;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.List;

/** Finds sleeping, polling, and waiting without an end, by the names of what is called. */
final class WaitScanner extends TreeScanner<Void, Void> {
    private final SourceFile file;
    private final List<String> found;

    WaitScanner(SourceFile file, List<String> found) {
        this.file = file;
        this.found = found;
    }

    @Override
    public Void visitImport(ImportTree imported, Void none) {
        if (imported.getQualifiedIdentifier().toString().startsWith("org.awaitility")) {
            report(imported, "polls");
        }
        return super.visitImport(imported, none);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
        ExpressionTree callee = call.getMethodSelect();
        String written = callee.toString();
        String name = callee instanceof MemberSelectTree select
                ? select.getIdentifier().toString()
                : written;
        int arguments = call.getArguments().size();
        if (name.startsWith("sleep")
                || written.matches("(.*\\.)?(LockSupport\\.park\\w*|Thread\\.(yield|onSpinWait))")) {
            report(call, "waits by the clock");
        } else if (name.equals("wait") && arguments <= 2) {
            report(call, "waits on a monitor");
        } else if (name.equals("await") && arguments == 0) {
            report(call, "waits without an upper bound");
        }
        return super.visitMethodInvocation(call, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree reference, Void none) {
        if (reference.getName().toString().startsWith("sleep")) {
            report(reference, "waits by the clock");
        }
        return super.visitMemberReference(reference, none);
    }

    private void report(Tree part, String what) {
        found.add(
                "%s %s: advance a ManualTime, or await an event with an upper bound".formatted(file.place(part), what));
    }
}
