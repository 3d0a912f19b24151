package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.table.GivenArguments;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Hands everything that a request gives to those of our operations that have a parameter {@code given}. Without it, the
 * Actuator passes only what an operation has a parameter for, and drops the rest.
 */
final class GivenValuesAdvisor implements OperationInvokerAdvisor {
    private static final EndpointId OURS = EndpointId.of("elasticjob");
    private static final String GIVEN = "given";

    @Override
    public OperationInvoker apply(
            EndpointId endpointId, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        Set<String> names =
                parameters.stream().map(OperationParameter::getName).collect(Collectors.toUnmodifiableSet());
        return endpointId.equals(OURS) && names.contains(GIVEN)
                ? context -> invoker.invoke(withGiven(context, names))
                : invoker;
    }

    /** @param names of the operation's parameters, which are those of its path */
    private static InvocationContext withGiven(InvocationContext context, Set<String> names) {
        Map<String, Object> arguments = new LinkedHashMap<>(context.getArguments());
        if (arguments.get(GIVEN) instanceof GivenArguments) {
            // An application and its parent have an advisor each.
            return context;
        }
        Map<String, Object> given = new LinkedHashMap<>(arguments);
        given.keySet().removeIf(name -> names.contains(name) && !name.equals(GIVEN));
        arguments.put(GIVEN, GivenTexts.given(given));
        SecurityContext security = context.resolveArgument(SecurityContext.class);
        return new InvocationContext(
                security == null ? SecurityContext.NONE : security, arguments, new Resolvers(context));
    }

    /** Those of the original invocation. */
    private record Resolvers(InvocationContext context) implements OperationArgumentResolver {
        @Override
        public boolean canResolve(Class<?> type) {
            return context.canResolve(type);
        }

        @Override
        public <T> @Nullable T resolve(Class<T> type) {
            return context.resolveArgument(type);
        }
    }
}
