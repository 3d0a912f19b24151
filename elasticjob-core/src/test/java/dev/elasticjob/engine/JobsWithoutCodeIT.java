package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.ScriptFailedException;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.LoggedLines;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two whole engines on a real ZooKeeper, with jobs that their definitions alone do. */
class JobsWithoutCodeIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final String EVERY_SECOND = "* * * * * ?";

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();

    @Test
    void anHttpJobIsSharedByItsInstancesFollowsItsOperatorAndIsRemoved() throws Exception {
        Heard<JsonNode> asked = new Heard<>();
        JobDefinition http = job(4).jobType(JobType.HTTP)
                .http(HttpRequestSettings.of(endpoint(asked)).withBody("POST", "close", "text/plain"))
                .build();
        ElasticJobEngine first = start("a@-@1", http);
        start("b@-@1", http);
        events.await(
                AssignmentChanged.class,
                change -> change.items().size() == 2 && change.instance().startsWith("b"));

        asked.await("all items, asked for twice", contexts -> contexts.size() >= 12);
        assertThat(asked.all())
                .as("each item once for each firing")
                .extracting(context -> context.get("shardingItem") + " " + context.get("scheduledTime"))
                .doesNotHaveDuplicates();
        assertThat(engines.exists(TREE.config())).isFalse();

        get(first.admin()
                .redefine("orders", job -> job.toBuilder().jobParameter("new").build()));
        asked.await(
                "the new parameter",
                contexts -> contexts.stream()
                        .filter(context ->
                                context.get("jobParameter").asString().equals("new"))
                        .map(context -> context.get("shardingItem").asInt())
                        .collect(Collectors.toSet())
                        .equals(Set.of(0, 1, 2, 3)));

        get(first.admin().remove("orders"));
        events.awaitAll(StateChanged.class, change -> change.to() == JobState.STOPPED, 2);
        assertThat(engines.exists(TREE.root())).isFalse();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aScriptOfAnInstanceThatStopsIsEndedAndRunsAgainOnTheOther() {
        try (LoggedLines log = new LoggedLines()) {
            JobDefinition script = job(1).jobType(JobType.SCRIPT)
                    .cron("0 0 0 1 1 ?")
                    .failover(true)
                    .scriptCommandLine(
                            "sh -c 'echo attempt $ELASTICJOB_ATTEMPT; if [ $ELASTICJOB_ATTEMPT = 1 ]; then sleep 600; fi'")
                    .build();
            ElasticJobEngine first = start("a@-@1", script);
            events.await(AssignmentChanged.class, change -> !change.items().isEmpty());
            get(first.admin().trigger("orders"));
            log.await("attempt 1");
            start("b@-@1", script);

            first.close();
            engines.registryOf("a@-@1").close();

            log.await("the script was terminated");
            log.await("attempt 2");
            assertThat(events.await(ItemFinished.class, end -> end.attempt() == 2)
                            .failure())
                    .isEmpty();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aScriptThatFailsIsAFailedItemWithItsExitCode() {
        start(
                "a@-@1",
                job(1).jobType(JobType.SCRIPT)
                        .scriptCommandLine("sh -c 'echo no space >&2; exit 4'")
                        .build());

        ItemFinished end = events.await(ItemFinished.class, any -> true);

        assertThat(end.failure()).containsInstanceOf(ScriptFailedException.class);
        assertThat(end.failure().orElseThrow()).hasMessageContainingAll("exit code 4", "no space");
    }

    private static JobDefinition.Builder job(int items) {
        return JobDefinition.builder("orders").cron(EVERY_SECOND).shardingTotalCount(items);
    }

    /** Hears the context of each request. */
    private String endpoint(Heard<JsonNode> asked) throws Exception {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            asked.add(JsonMapper.shared()
                    .readTree(exchange.getRequestHeaders().getFirst(HttpRequestSettings.CONTEXT_HEADER)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        http.start();
        engines.add(() -> http.stop(0));
        return "http://localhost:" + http.getAddress().getPort() + "/close-day";
    }

    private ElasticJobEngine start(String instance, JobDefinition definition) {
        ElasticJobEngine engine = engines.engine(instance);
        engine.register(definition);
        get(engine.start());
        return engine;
    }
}
