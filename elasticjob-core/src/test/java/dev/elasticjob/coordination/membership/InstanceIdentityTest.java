package dev.elasticjob.coordination.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceIdentityTest {
    @Test
    void aCounterIsAppendedForEachStrangerThatHoldsTheId() {
        InstanceIdentity identity = new InstanceIdentity("10.0.0.1@-@1", "10.0.0.1");

        assertThat(identity.id(0)).isEqualTo("10.0.0.1@-@1");
        assertThat(identity.id(1)).isEqualTo("10.0.0.1@-@1-2");
        assertThat(identity.id(2)).isEqualTo("10.0.0.1@-@1-3");
    }

    @ParameterizedTest
    @CsvSource({"'',10.0.0.1", "a/b,10.0.0.1", "a,''", "a,10/8"})
    void whatCannotBeTheNameOfANodeIsRefusedAndShown(String id, String ip) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceIdentity(id, ip))
                .withMessageContaining("\"%s\"", id)
                .withMessageContaining("\"%s\"", ip);
    }

    @Test
    void whatIsTooLongToStandInEachItemsNodesIsRefusedAndShown() {
        String id = "pod-" + "7".repeat(252);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceIdentity(id, "10.0.0.1"))
                .withMessageContaining(id)
                .withMessageContaining("255 bytes")
                .withMessageContaining("256");
    }

    @Test
    void aNameWithoutAnAddressIsPutBehindTheServers() {
        assertThat(InstanceIdentity.complete("billing-7", "10.0.0.1")).isEqualTo("10.0.0.1@-@billing-7");
        assertThat(InstanceIdentity.complete("shop@-@7", "10.0.0.1")).isEqualTo("shop@-@7");
    }
}
