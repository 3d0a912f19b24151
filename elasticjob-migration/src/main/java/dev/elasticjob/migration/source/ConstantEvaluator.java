package dev.elasticjob.migration.source;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.util.SimpleTreeVisitor;
import org.jspecify.annotations.Nullable;

/** Evaluates literals, sums and products of them, and texts put together; null for anything else. */
class ConstantEvaluator extends SimpleTreeVisitor<@Nullable Object, Void> {
    final @Nullable Object scan(ExpressionTree expression) {
        return expression.accept(this, null);
    }

    @Override
    public @Nullable Object visitLiteral(LiteralTree literal, Void none) {
        Object value = literal.getValue();
        return value instanceof Integer number ? (Object) number.longValue() : value;
    }

    @Override
    public @Nullable Object visitParenthesized(ParenthesizedTree inner, Void none) {
        return scan(inner.getExpression());
    }

    @Override
    public @Nullable Object visitTypeCast(TypeCastTree cast, Void none) {
        return scan(cast.getExpression());
    }

    @Override
    public @Nullable Object visitUnary(UnaryTree negated, Void none) {
        return negated.getKind() == Tree.Kind.UNARY_MINUS && scan(negated.getExpression()) instanceof Long number
                ? (Object) (-number)
                : null;
    }

    @Override
    public @Nullable Object visitBinary(BinaryTree both, Void none) {
        Object left = scan(both.getLeftOperand());
        Object right = scan(both.getRightOperand());
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof Long one && right instanceof Long other) {
            return switch (both.getKind()) {
                case PLUS -> one + other;
                case MINUS -> one - other;
                case MULTIPLY -> one * other;
                default -> null;
            };
        }
        return both.getKind() == Tree.Kind.PLUS ? left.toString() + right : null;
    }
}
