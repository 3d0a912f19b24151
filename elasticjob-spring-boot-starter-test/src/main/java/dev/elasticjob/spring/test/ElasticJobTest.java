package dev.elasticjob.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.annotation.AliasFor;

/**
 * Starts the application, as {@link SpringBootTest} does, but gives its jobs a registry and a clock of the test's own.
 * {@link Jobs} and {@link ElasticJobCluster} can be injected, into fields and as parameters of test methods.
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
 * its jobs are enabled regardless of {@code elasticjob.enabled} and {@code elasticjob.worker.enabled}. Its {@code @ElasticJob} beans and their settings are
 * unchanged. Items run on threads of the test.
 *
 * <p>If a test also has {@code @SpringBootTest}, the attributes of that annotation override the ones here. Tests with
 * the same settings share an application, whose time continues from one test to the next.
 *
 * <p>Where JUnit runs tests in parallel, those with this annotation run one after the other, because they may share an
 * application; other tests run beside them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest
@ExtendWith(ElasticJobExtension.class)
@ResourceLock("dev.elasticjob.spring.test.ElasticJobTest")
public @interface ElasticJobTest {
    /** The default time at which a test starts, if it has its own clock. */
    String START_TIME = "2026-01-01T00:00:00Z";

    /** The environment of the jobs: the registry and the clock. */
    JobEnvironment environment() default JobEnvironment.MANUAL_TIME;

    /** The time at which the test's own clock starts, for example {@value #START_TIME}. */
    String startTime() default START_TIME;

    /** The timeout of every wait, in real time, for example {@code 30s} or {@code PT2M}. */
    String timeout() default "30s";

    /** See {@link SpringBootTest#properties()}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};

    /** See {@link SpringBootTest#classes()}. */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};

    /** See {@link SpringBootTest#args()}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] args() default {};

    /** See {@link SpringBootTest#webEnvironment()}. */
    @AliasFor(annotation = SpringBootTest.class)
    WebEnvironment webEnvironment() default WebEnvironment.MOCK;
}
