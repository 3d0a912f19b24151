package dev.elasticjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.Foreign;
import dev.elasticjob.testing.LoggedLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class FailuresTest {
    @Test
    void anOrdinaryFailureHasItsOwnTextAndIsHandedOnAsItIs() {
        Throwable ordinary = new IllegalStateException("no stock", new ArithmeticException("/ by zero"));

        assertThat(Failures.text(ordinary)).isEqualTo("java.lang.IllegalStateException: no stock");
        assertThat(Failures.printable(ordinary)).isSameAs(ordinary);
    }

    @Test
    void aFailureWithACircleOfCausesIsOrdinary() {
        Throwable first = new IllegalStateException("first");
        Throwable second = new IllegalStateException("second", first);
        first.initCause(second);

        assertThat(Failures.printable(first)).isSameAs(first);
    }

    @ParameterizedTest
    @EnumSource(
            value = Foreign.class,
            names = {"WITHOUT_TEXT", "UNPRINTABLE", "UNPRINTABLE_CAUSE", "CAUSE_UNKNOWN", "ENDLESS_CAUSES"})
    void whatCantBeRenderedIsNamedByItsClassAndKeepsItsTrace(Foreign kind) {
        Throwable failure = kind.failure();

        Throwable standIn = Failures.printable(failure);

        assertThat(standIn)
                .isNotSameAs(failure)
                .hasMessageContaining(failure.getClass().getName());
        assertThat(standIn.getStackTrace()).isEqualTo(failure.getStackTrace());
    }

    @ParameterizedTest
    @EnumSource(Foreign.class)
    void everyFailureHasATextAndCanBeLogged(Foreign kind) {
        Throwable failure = kind.failure();

        try (LoggedLines lines = new LoggedLines()) {
            LoggerFactory.getLogger("dev.elasticjob.test").error(Failures.text(failure), Failures.printable(failure));

            assertThat(lines.all())
                    .singleElement()
                    .asString()
                    .contains(failure.getClass().getName());
        }
    }
}
