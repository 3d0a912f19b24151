package dev.elasticjob.spring.alert;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if the property has an address, or several of them, in any form in which Spring Boot binds them: also as a list
 * in YAML, of which Boot's own condition sees nothing. One that is empty is none.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnAddressCondition.class)
@interface ConditionalOnAddress {
    /** The name of the property. */
    String value();
}
