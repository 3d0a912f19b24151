package dev.elasticjob.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * Declares that a bean, a {@link dev.elasticjob.group.ShardingNotice}, takes part in a group: all running instances of the
 * group share out work that is no job, and are told when their shares change. On a class, it also makes the class a
 * component for scanning. On a {@code @Bean} method, it applies to the bean that the method returns.
 *
 * <pre>{@code
 * @DynamicSharding("partitions")
 * class PartitionPoller implements ShardingNotice { … }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface DynamicSharding {
    /** The group's name. By default, the group without a name. Placeholders <code>${…}</code> work. */
    @AliasFor("group")
    String value() default "";

    /** Alias for {@link #value()}; also keeps Spring from taking the value for the name of the bean. */
    @AliasFor("value")
    String group() default "";
}
