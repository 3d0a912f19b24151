package dev.elasticjob.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Rule 7. Calls and method references alike. The clock is read nowhere but in {@code time}; who waits or makes threads
 * is in {@code time}, in {@code engine}, or a class of {@code execution} named as an executor.
 */
final class TakeTimeAndThreads extends ArchCondition<JavaClass> {
    private final String basePackage;

    TakeTimeAndThreads(String basePackage) {
        super("take time and threads");
        this.basePackage = basePackage;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            if (access.getTarget() instanceof CodeUnitAccessTarget target) {
                if (readsTheClock(target) && !isTime(type)) {
                    violation(access, "now is a Clock's, monotonic time a TaskTimer's", events);
                } else if (picksASystemClock(target) && !mayPickTheClock(type)) {
                    violation(access, "the engine is given its clock", events);
                } else if (waitsOrMakesThreads(target) && !mayWaitAndMakeThreads(type)) {
                    violation(access, "later is a TaskTimer's, threads are the engine's", events);
                }
            }
        }
    }

    private static boolean readsTheClock(CodeUnitAccessTarget target) {
        String owner = target.getOwner().getName();
        if (owner.startsWith("java.time.") && target.getName().equals("now")) {
            return !takes(target, Clock.class);
        }
        boolean systemTime = owner.equals("java.lang.System")
                && Set.of("currentTimeMillis", "nanoTime").contains(target.getName());
        boolean date = owner.equals("java.util.Date")
                && isConstructor(target)
                && target.getRawParameterTypes().isEmpty();
        return systemTime || date;
    }

    private static boolean picksASystemClock(CodeUnitAccessTarget target) {
        return target.getOwner().isEquivalentTo(Clock.class)
                && (target.getName().startsWith("system") || target.getName().startsWith("tick"));
    }

    private static boolean waitsOrMakesThreads(CodeUnitAccessTarget target) {
        return waits(target) || makesThreads(target) || usesTheCommonPool(target);
    }

    private static boolean waits(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        boolean sleeps =
                name.equals("sleep") && (owner.isAssignableTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class));
        boolean waitsForNotify = name.equals("wait") && declaredByObject(target);
        boolean parks = owner.isEquivalentTo(LockSupport.class) && name.startsWith("park");
        boolean usesAHiddenTimer = owner.isEquivalentTo(CompletableFuture.class)
                && Set.of("delayedExecutor", "orTimeout", "completeOnTimeout").contains(name);
        return sleeps || waitsForNotify || parks || usesAHiddenTimer;
    }

    private static boolean makesThreads(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        boolean creates = isConstructor(target)
                && (owner.isAssignableTo(Thread.class)
                        || owner.isAssignableTo(ExecutorService.class)
                        || owner.isAssignableTo(Timer.class));
        boolean fromFactory = owner.isEquivalentTo(Executors.class)
                || owner.isAssignableTo(Thread.class)
                        && target.getName().matches("ofVirtual|ofPlatform|startVirtualThread");
        return creates || fromFactory;
    }

    /** An "async" step that is not told where to run runs on threads that nobody has handed in. */
    private static boolean usesTheCommonPool(CodeUnitAccessTarget target) {
        return target.getOwner().isAssignableTo(CompletionStage.class)
                && target.getName().endsWith("Async")
                && !takes(target, Executor.class);
    }

    private static boolean declaredByObject(CodeUnitAccessTarget target) {
        List<String> parameters =
                target.getRawParameterTypes().stream().map(JavaClass::getName).toList();
        return Set.of(List.of(), List.of("long"), List.of("long", "int")).contains(parameters);
    }

    private static boolean takes(CodeUnitAccessTarget target, Class<?> type) {
        return target.getRawParameterTypes().stream().anyMatch(parameter -> parameter.isEquivalentTo(type));
    }

    private static boolean isConstructor(CodeUnitAccessTarget target) {
        return target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
    }

    private boolean mayWaitAndMakeThreads(JavaClass type) {
        boolean executor = isIn("execution", type) && type.getName().matches(".*Executors?(\\$.*)?");
        return isTime(type) || isEngine(type) || executor;
    }

    /** Where parts are put together: the engine, and what makes the beans of an application. */
    private boolean mayPickTheClock(JavaClass type) {
        return isTime(type) || isEngine(type) || type.getName().matches(".*AutoConfiguration(\\$.*)?");
    }

    private boolean isTime(JavaClass type) {
        return isIn("time", type);
    }

    private boolean isEngine(JavaClass type) {
        return isIn("engine", type);
    }

    private boolean isIn(String name, JavaClass type) {
        return (type.getPackageName() + ".").startsWith(basePackage + "." + name + ".");
    }

    private static void violation(JavaAccess<?> access, String reason, ConditionEvents events) {
        events.add(SimpleConditionEvent.violated(access, access.getDescription() + ": " + reason));
    }
}
