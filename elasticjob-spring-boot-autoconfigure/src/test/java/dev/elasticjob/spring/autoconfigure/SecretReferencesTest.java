package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class SecretReferencesTest {
    private final MockEnvironment environment = new MockEnvironment()
            .withProperty("elasticjob.secrets.billing-token", "a$1\\{b}")
            .withProperty("elasticjob.secrets.user", "mei")
            .withProperty("spring.datasource.password", "s3cret")
            .withProperty("database", "s3cret");
    private final SecretReferences references = new SecretReferences(environment);

    @Test
    void eachIsReplacedByItsValueAsItIs() {
        assertThat(references.resolved("${user}: ${billing-token}, ${user}")).isEqualTo("mei: a$1\\{b}, mei");
        assertThat(references.resolved("$5 {user}")).isEqualTo("$5 {user}");
    }

    /** Who can change a definition could otherwise have any property sent to any address. */
    @ParameterizedTest
    @ValueSource(strings = {"spring.datasource.password", "database", "", "user:x", "../database", "${user}"})
    void nothingElseCanBeReferredTo(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> references.resolved("Bearer ${" + name + "}"))
                .withMessageContaining("elasticjob.secrets.")
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
    }

    @Test
    void aReferenceWithoutAValueIsNamedWithItsProperty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> references.resolved("Bearer s3cret ${billing-tokn}"))
                .withMessageContainingAll("\"elasticjob.secrets.billing-tokn\"", "set the property on each instance")
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
    }

    /** It could be any part of a text that is not shown. */
    @Test
    void whatIsNoNameIsNotShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> references.resolved("{\"text\": \"${its s3cret}\"}"))
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
    }
}
