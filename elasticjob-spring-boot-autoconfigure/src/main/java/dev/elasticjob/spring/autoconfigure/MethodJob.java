package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean, as the work of a job. It is called on the bean, so through its proxy. A {@link Future} or a {@link
 * CompletionStage} that it returns is waited for, and cancelled when the execution's thread is interrupted, which doesn't
 * mean that its work ends; its failure is the execution's. Anything else that it returns is ignored.
 */
final class MethodJob implements SimpleJob {
    private static final String PARAMETERS =
            "ShardingContext, int (the item's number) and String (the item's parameter)";

    private final Object bean;
    private final Method method;
    private final List<Function<ShardingContext, Object>> arguments;

    /** @param method one that has no {@linkplain #problems problems} */
    MethodJob(Object bean, Method method) {
        this.bean = bean;
        this.method = AopUtils.selectInvocableMethod(method, bean.getClass());
        this.arguments = Stream.of(method.getParameterTypes())
                .map(type -> Argument.of(type).orElseThrow().value())
                .toList();
        ReflectionUtils.makeAccessible(this.method);
    }

    /**
     * Why a method can't be a job; empty if it can.
     *
     * @param method as it is declared in the class behind the bean's proxies
     */
    static List<String> problems(Object bean, Method method) {
        List<String> problems = new ArrayList<>();
        if (implementsJob(method)) {
            problems.add("it is what a SimpleJob or DataflowJob does. Put the annotation on the class");
        }
        if (Modifier.isStatic(method.getModifiers())) {
            problems.add("it is static, so no proxy of the bean would be called. Remove \"static\"");
        }
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        for (Class<?> type : parameters.stream().distinct().toList()) {
            if (Argument.of(type).isEmpty()) {
                problems.add("it has a parameter of the type %s. A job's method has no parameters, or some of %s"
                        .formatted(type.getName(), PARAMETERS));
            }
        }
        for (Argument argument : Argument.ALL) {
            long times = parameters.stream().filter(argument.types::contains).count();
            if (times > 1) {
                problems.add("it has %d parameters of the type %s. Each of %s can be there once"
                        .formatted(times, argument.types.get(0).getSimpleName(), PARAMETERS));
            }
        }
        Class<?> result = method.getReturnType();
        if (isJob(result)) {
            problems.add("it returns a job and does no work itself. Put @Bean on it, too");
        } else if (!isAwaited(result) && isReactive(result)) {
            problems.add(("it returns %s, whose work would begin or end after the method. Return a CompletableFuture,"
                            + " which is waited for, or wait in the method")
                    .formatted(result.getSimpleName()));
        }
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.getModifiers())) {
            problems.add("it is final, so the bean's proxy can't pass the call on. Remove \"final\"");
        }
        try {
            AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (IllegalStateException e) {
            problems.add("the bean's proxy can't call it. " + remedy(method));
        }
        return problems;
    }

    private static String remedy(Method method) {
        return Modifier.isPrivate(method.getModifiers())
                ? "Make it package-private or public"
                : "Declare it in one of the interfaces that the bean implements, or let classes be proxied"
                        + " (spring.aop.proxy-target-class, proxyTargetClass = true)";
    }

    private static boolean isAwaited(Class<?> result) {
        return Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result);
    }

    private static boolean isReactive(Class<?> result) {
        return Flow.Publisher.class.isAssignableFrom(result)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null;
    }

    private static boolean isJob(Class<?> type) {
        return SimpleJob.class.isAssignableFrom(type) || DataflowJob.class.isAssignableFrom(type);
    }

    private static boolean implementsJob(Method method) {
        return isJob(method.getDeclaringClass())
                && Stream.of(SimpleJob.class, DataflowJob.class)
                        .anyMatch(kind -> ClassUtils.hasMethod(kind, method.getName(), method.getParameterTypes()));
    }

    @Override
    public void execute(ShardingContext context) throws Exception {
        Object[] values =
                arguments.stream().map(argument -> argument.apply(context)).toArray();
        try {
            await(method.invoke(bean, values));
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    private static void await(@Nullable Object result) throws Exception {
        if (result instanceof Future<?> future) {
            awaitEnd(future);
        } else if (result instanceof CompletionStage<?> stage) {
            awaitEnd(stage.toCompletableFuture());
        }
    }

    private static void awaitEnd(Future<?> future) throws Exception {
        try {
            future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            ReflectionUtils.rethrowException(e.getCause());
        }
    }

    /** What a method may ask for: by one of these types, and once. */
    private record Argument(Function<ShardingContext, Object> value, List<Class<?>> types) {
        static final List<Argument> ALL = List.of(
                new Argument(context -> context, List.of(ShardingContext.class)),
                new Argument(ShardingContext::getShardingItem, List.of(int.class, Integer.class)),
                new Argument(ShardingContext::getShardingParameter, List.of(String.class)));

        static Optional<Argument> of(Class<?> type) {
            return ALL.stream()
                    .filter(argument -> argument.types.contains(type))
                    .findFirst();
        }
    }
}
