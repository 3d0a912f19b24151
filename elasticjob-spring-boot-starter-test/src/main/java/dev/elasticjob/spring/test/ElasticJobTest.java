package dev.elasticjob.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.AliasFor;

/**
 * Starts the application, as {@link SpringBootTest} does, with its jobs on a registry of the test's own and in the
 * test's own time. {@link Jobs} and {@link ElasticJobCluster} can be injected, into fields and as parameters of test
 * methods.
 *
 * <pre>{@code
 * @ElasticJobTest
 * class OrdersJobTest {
 *     @Test
 *     void ordersAreBilled(Jobs jobs) {
 *         assertThat(jobs.fire("orders")).succeeded();
 *     }
 * }
 * }</pre>
 *
 * <p>The application's settings below {@code elasticjob.registry} and {@code elasticjob.instance} have no effect, and
 * its jobs are enabled whatever {@code elasticjob.enabled} says; its {@code @ElasticJob} beans and their settings are as
 * ever. Items run on threads of the test's.
 *
 * <p>With a {@code @SpringBootTest} beside it, that one's attributes go before the ones here. Tests that have the same
 * settings share an application, and its time goes on from one to the next.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest
@ExtendWith(ElasticJobExtension.class)
public @interface ElasticJobTest {
    /** When a test begins by default, where its time is its own. */
    String START_TIME = "2026-01-01T00:00:00Z";

    /** What the jobs run on: registry and clock. */
    JobEnvironment environment() default JobEnvironment.MANUAL_TIME;

    /** The moment at which the test's own time begins, as in {@value #START_TIME}. */
    String startTime() default START_TIME;

    /** How long anything is waited for, in real time: {@code 30s}, {@code PT2M}. */
    String timeout() default "30s";

    /** As in {@link SpringBootTest#properties()}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};

    /** As in {@link SpringBootTest#classes()}. */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};
}
