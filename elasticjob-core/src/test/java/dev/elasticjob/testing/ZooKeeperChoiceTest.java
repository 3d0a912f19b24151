package dev.elasticjob.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ZooKeeperChoiceTest {
    @Test
    void whereNoContainerRunsATreeOfAServerFromTheJarsIsChosen() {
        var choice = ZooKeeperChoice.choose("", ZooKeeperChoiceTest::none);

        assertThat(choice.kind()).isEqualTo("server from the jars");
        try (var server = choice.start()) {
            assertThat(server).isInstanceOf(ZooKeeperTree.class);
            assertThat(server.connectString()).endsWith(server.chroot());
        }
    }

    @Test
    void aContainerThatIsForcedAndDoesNotRunIsAFailure() {
        assertThatThrownBy(() -> ZooKeeperChoice.choose("container", ZooKeeperChoiceTest::none))
                .hasMessage("No container runs in this test");
    }

    @Test
    void whenTheJarsAreForcedNoContainerIsStarted() {
        var choice = ZooKeeperChoice.choose("jars", () -> {
            throw new AssertionError("A container was started");
        });

        assertThat(choice.kind()).isEqualTo("server from the jars");
    }

    @Test
    void anUnknownWishIsAFailure() {
        assertThatThrownBy(() -> ZooKeeperChoice.choose("tarball", ZooKeeperChoiceTest::none))
                .hasMessage("\"elasticjob.test.zookeeper\" (or ELASTICJOB_TEST_ZOOKEEPER) was expected to be container"
                        + " or jars, but is \"tarball\"");
    }

    private static ZooKeeperContainer none() {
        throw new IllegalStateException("No container runs in this test");
    }
}
