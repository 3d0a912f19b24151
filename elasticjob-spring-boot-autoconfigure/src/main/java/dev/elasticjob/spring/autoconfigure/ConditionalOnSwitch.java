package dev.elasticjob.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if all of these properties are on, read as Spring Boot binds a boolean: {@code yes}, {@code on} and {@code 1} are
 * true. Boot's own condition takes everything but the text {@code true} for off, so a mistyped value would end all jobs in
 * silence. Here, one that can't be read counts as not set, and the report of an application's settings has it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnSwitchCondition.class)
public @interface ConditionalOnSwitch {
    /** Properties that are on unless they are switched off. */
    String[] value() default {};

    /** Properties that are off unless they are switched on. */
    String[] optIn() default {};
}
