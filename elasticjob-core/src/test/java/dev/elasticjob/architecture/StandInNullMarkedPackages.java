package dev.elasticjob.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Rule 12: a package that forgets its {@code package-info} would be outside NullAway's sight. */
final class StandInNullMarkedPackages extends ArchCondition<JavaClass> {
    StandInNullMarkedPackages() {
        super("stand in @NullMarked packages");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
            String message = "the package of %s is not @NullMarked in its package-info".formatted(type.getName());
            events.add(SimpleConditionEvent.violated(type, message));
        }
    }
}
