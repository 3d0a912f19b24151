package dev.elasticjob.spring.alert;

import java.util.List;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** See {@link ConditionalOnAddress}. */
final class OnAddressCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String name = String.valueOf(
                Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnAddress.class.getName()))
                        .get("value"));
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnAddress.class);
        return hasAddress(Binder.get(context.getEnvironment()), name)
                ? ConditionOutcome.match(message.because(name + " is set"))
                : ConditionOutcome.noMatch(message.because(name + " is not set"));
    }

    /** One that can't be read is one: the report of an application's settings says what is wrong with it. */
    private static boolean hasAddress(Binder binder, String name) {
        try {
            return binder.bind(name, Bindable.listOf(String.class)).orElse(List.of()).stream()
                    .anyMatch(StringUtils::hasText);
        } catch (BindException unreadable) {
            return true;
        }
    }
}
