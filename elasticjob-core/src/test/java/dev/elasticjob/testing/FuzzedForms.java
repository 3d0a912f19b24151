package dev.elasticjob.testing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each {@link StoredFuzz} that the implementing class has in a static {@code Stream<StoredFuzz> forms()}. */
public interface FuzzedForms {
    @ParameterizedTest
    @MethodSource("forms")
    default void whatNobodyHasWrittenIsAcceptedOrRefused(StoredFuzz form) {
        form.check();
    }
}
