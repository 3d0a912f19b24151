package dev.elasticjob.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/**
 * Rule 6. Byte code doesn't show whether a {@code static final List} can change; what its class creates while it is
 * initialized does: a {@code new ArrayList<>()} there is refused, {@code List.of()} passes.
 */
final class ShareNothingStatically extends ArchCondition<JavaClass> {
    private static final Set<Class<?>> PLAIN = Set.of(Collection.class, List.class, Set.class, Map.class);

    ShareNothingStatically() {
        super("share nothing statically");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaField field : type.getFields()) {
            if (isStatic(field.getModifiers()) && !field.getModifiers().contains(JavaModifier.SYNTHETIC)) {
                checkField(field, events);
            }
        }
        for (JavaMethod method : type.getMethods()) {
            if (isStatic(method.getModifiers()) && method.getName().equals("getInstance")) {
                violation(type, method.getFullName() + " hands out a singleton: have it injected", events);
            }
        }
        type.getStaticInitializer()
                .ifPresent(initializer -> initializer.getConstructorCallsFromSelf().stream()
                        .filter(ShareNothingStatically::createsSomethingMutable)
                        .forEach(call -> violation(type, call.getDescription() + ": static, and can change", events)));
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            checkDependency(dependency, events);
        }
    }

    private static void checkField(JavaField field, ConditionEvents events) {
        JavaClass type = field.getRawType();
        if (!field.getModifiers().contains(JavaModifier.FINAL)) {
            violation(field.getOwner(), field.getFullName() + " is static, and not final", events);
        } else if (isMutable(type)) {
            violation(field.getOwner(), field.getFullName() + " is static, and a " + type.getSimpleName(), events);
        } else if (type.isArray() && !field.getModifiers().contains(JavaModifier.PRIVATE)) {
            violation(field.getOwner(), field.getFullName() + " is a static array that others can change", events);
        }
    }

    private static void checkDependency(Dependency dependency, ConditionEvents events) {
        JavaClass target = dependency.getTargetClass();
        JavaClass origin = dependency.getOriginClass();
        if (target.isAssignableTo(ThreadLocal.class)) {
            violation(origin, dependency.getDescription() + ": hand the value on instead", events);
        }
        if (target.getName().equals("org.slf4j.MDC") && !origin.getSimpleName().endsWith("Interceptor")) {
            violation(origin, dependency.getDescription() + ": only the one interceptor fills it", events);
        }
    }

    private static boolean createsSomethingMutable(JavaConstructorCall call) {
        return isMutable(call.getTargetOwner())
                || call.getTargetOwner().isAssignableTo(Collection.class)
                || call.getTargetOwner().isAssignableTo(Map.class);
    }

    private static boolean isMutable(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.atomic")
                || type.isAssignableTo(Lock.class)
                || type.isAssignableTo(StringBuilder.class)
                || isMutableCollection(type);
    }

    /** The plain interfaces may stand for a copy that cannot change. */
    private static boolean isMutableCollection(JavaClass type) {
        return type.getPackageName().startsWith("java.util")
                && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class))
                && PLAIN.stream().noneMatch(type::isEquivalentTo);
    }

    private static boolean isStatic(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.STATIC);
    }

    private static void violation(JavaClass type, String message, ConditionEvents events) {
        events.add(SimpleConditionEvent.violated(type, message));
    }
}
