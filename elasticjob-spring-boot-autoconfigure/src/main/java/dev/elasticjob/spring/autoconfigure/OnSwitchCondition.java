package dev.elasticjob.spring.autoconfigure;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** See {@link ConditionalOnSwitch}. */
final class OnSwitchCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> switches =
                Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnSwitch.class.getName()));
        Binder binder = Binder.get(context.getEnvironment());
        Optional<String> off = Stream.concat(
                        names(switches, "value").filter(name -> !isOn(binder, name, true)),
                        names(switches, "optIn").filter(name -> !isOn(binder, name, false)))
                .findFirst();
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class);
        return off.map(name -> ConditionOutcome.noMatch(message.because(name + " is off")))
                .orElseGet(() -> ConditionOutcome.match(message.because("all are on")));
    }

    private static Stream<String> names(Map<String, Object> switches, String attribute) {
        return Stream.of((String[]) switches.getOrDefault(attribute, new String[0]));
    }

    private static boolean isOn(Binder binder, String name, boolean otherwise) {
        try {
            return binder.bind(name, Boolean.class).orElse(otherwise);
        } catch (BindException unreadable) {
            return otherwise;
        }
    }
}
