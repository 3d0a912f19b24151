package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** "Who works on which share?", as the API answers it, and which of them need a person. */
class GroupsRouteTest {
    private static final String GROUPS = "/api/v1/registries/default/groups";
    private static final String ATTENTION = "/api/v1/registries/default/attention";
    private static final String NODE = "//dynamic-sharding/partitions";

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles());

    private CompletableFuture<ConsoleResponse> ask(String address) {
        return console.ask("GET", address, Map.of(), Optional.of(new Caller("mei", Set.of("viewer"))));
    }

    private String text(String address) {
        return new String(ask(address).join().body(), StandardCharsets.UTF_8);
    }

    private static String named(String node) {
        return GROUPS + "/~"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(node.getBytes(StandardCharsets.UTF_8));
    }

    private void write(RegistryCommit.Builder nodes) {
        console.registry.commit(nodes.build()).toCompletableFuture().join();
        console.time.advance(Duration.ofSeconds(3));
    }

    private void partitions(String sharding) {
        write(RegistryCommit.builder()
                .create("//dynamic-sharding", "")
                .create(NODE, "")
                .create(NODE + "/instances", "")
                .create(NODE + "/instances/a@-@1", "")
                .create(NODE + "/instances/b@-@2", "")
                .create(NODE + "/leader", "")
                .create(NODE + "/leader/election", "")
                .create(NODE + "/leader/election/instance", "a@-@1")
                .create(NODE + "/sharding", sharding)
                .create(NODE + "/sharding/0", "")
                .create(NODE + "/sharding/0/running", "a@-@1")
                .create(NODE + "/sharding/1", ""));
    }

    @Test
    void aGroupIsCountedAndShownWithWhoHoldsWhichIndex() {
        assertThat(text(GROUPS)).isEqualTo("{\"groups\":[]}");

        partitions("{\"members\":[{\"id\":\"a@-@1\",\"czxid\":1},{\"id\":\"b@-@2\",\"czxid\":2}]}");

        assertThat(text(GROUPS))
                .contains("{\"group\":\"partitions\",\"node\":\"/dynamic-sharding/partitions\",\"leader\":\"a@-@1\"")
                .contains(
                        "\"stopping\":false,\"since\":\"2026-11-23T03:00:00Z\",\"instances\":2,\"indexes\":2,\"held\":1,\"leftOut\":0,\"findings\":[]");
        assertThat(text(named("/dynamic-sharding/partitions")))
                .contains(
                        "\"shares\":[{\"index\":0,\"owner\":\"a@-@1\",\"held\":true},{\"index\":1,\"owner\":\"b@-@2\",\"held\":false}]");
        assertThat(ask(named("/dynamic-sharding/others")).join().status()).isEqualTo(404);
    }

    @Test
    void attentionNamesAGroupThatHasNotStoppedForAsLongAsThatMayTake() {
        partitions("{\"stopping\":true,\"members\":[{\"id\":\"a@-@1\",\"czxid\":1},{\"id\":\"b@-@2\",\"czxid\":2}]}");
        assertThat(text(ATTENTION)).contains("\"findings\":[],\"total\":0,\"kinds\":{}");

        console.time.advance(Duration.ofSeconds(30));

        assertThat(text(ATTENTION))
                .contains(
                        "{\"findings\":[{\"job\":null,\"group\":\"/dynamic-sharding/partitions\",\"app\":null,\"kind\":\"GROUP_NOT_STOPPED\",\"items\":[],\"since\":\"2026-11-23T03:00:00Z\"")
                .contains("\"total\":1,\"kinds\":{\"GROUP_NOT_STOPPED\":1}");
        assertThat(text(GROUPS)).contains("\"findings\":[{\"group\":\"partitions\"");
    }

    @Test
    void aJobThatNobodyCanReadIsWorseThanAGroupInWhichOneInstanceHasNoIndex() {
        partitions("{\"members\":[{\"id\":\"a@-@1\",\"czxid\":1}],\"leftOut\":[{\"id\":\"b@-@2\",\"czxid\":2}]}");
        write(RegistryCommit.builder()
                .create("/orders", "")
                .create("/orders/config", "{")
                .create("//dynamic-sharding/idle", "")
                .create("//dynamic-sharding/idle/sharding", ""));

        assertThat(Pattern.compile("\"kind\":\"(\\w+)\"")
                        .matcher(text(ATTENTION))
                        .results())
                .extracting(found -> found.group(1))
                .containsExactly("UNREADABLE", "GROUP_WITHOUT_INSTANCE", "INSTANCE_LEFT_OUT");
    }
}
