package dev.elasticjob.spring.test;

import dev.elasticjob.time.WrittenDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Reads {@link ElasticJobTest} from test classes. Without it, the application of a {@link SpringBootTest} runs no jobs. Made
 * by Spring, which finds it in {@code spring.factories}.
 */
final class ElasticJobContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        ElasticJobTest test = TestContextAnnotationUtils.findMergedAnnotation(testClass, ElasticJobTest.class);
        if (test == null) {
            return TestContextAnnotationUtils.hasAnnotation(testClass, SpringBootTest.class)
                    ? new QuietContextCustomizer()
                    : null;
        }
        return new ElasticJobContextCustomizer(
                test.environment(),
                read(
                        "startTime",
                        "a moment such as \"" + ElasticJobTest.START_TIME + "\"",
                        Instant::parse,
                        test.startTime()),
                read(
                        "timeout",
                        "a duration such as \"30s\"",
                        ElasticJobContextCustomizerFactory::duration,
                        test.timeout()));
    }

    private static Duration duration(String text) {
        WrittenDuration.problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return DurationStyle.detectAndParse(text);
    }

    private static <T> T read(String attribute, String expected, Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "@ElasticJobTest(%s = \"%s\"): expected %s".formatted(attribute, text, expected), e);
        }
    }
}
