package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobDefinitionCodec;
import dev.elasticjob.definition.Schedule;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code /sharding} says. */
record InForce(Schedule schedule, Instant since, boolean monitored, Map<Integer, String> owners) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static Optional<InForce> at(Replica replica, JobTree tree) {
        return of(replica.node(tree.sharding()));
    }

    /** Empty while nothing has been planned. */
    static Optional<InForce> of(Optional<RegistryNode> sharding) {
        return sharding.filter(node -> node.data().length > 0).map(node -> {
            JsonNode json = MAPPER.readTree(node.data());
            return new InForce(
                    Schedule.of(
                            json.path("cron").asString(""),
                            ZoneId.of(json.path("timeZone").asString("UTC"))),
                    Instant.parse(json.path("since").asString("")),
                    json.path("monitored").asBoolean(true),
                    owners(json.path("owners")));
        });
    }

    /** Whether the job is there. */
    static boolean isDefined(Replica replica, JobTree tree) {
        return replica.node(tree.config()).isPresent() || isWhole(replica, tree);
    }

    /** What the configuration says. */
    static JobDefinition definition(Replica replica, JobTree tree) {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        Optional<byte[]> extension = replica.node(tree.extension()).map(RegistryNode::data);
        return isWhole(replica, tree)
                ? codec.decodeWhole(tree.jobName(), extension.orElseThrow()).definition()
                : codec.decode(
                                tree.jobName(),
                                replica.node(tree.config()).orElseThrow().data(),
                                extension)
                        .definition();
    }

    private static boolean isWhole(Replica replica, JobTree tree) {
        return replica.node(tree.extension())
                .filter(node -> new JobDefinitionCodec().isWhole(node.data()))
                .isPresent();
    }

    private static Map<Integer, String> owners(JsonNode json) {
        Map<Integer, String> owners = new TreeMap<>();
        json.properties().forEach(entry -> {
            for (String range : entry.getValue().asString("").split(",")) {
                String[] ends = range.split("-");
                for (int item = Integer.parseInt(ends[0]); item <= Integer.parseInt(ends[ends.length - 1]); item++) {
                    owners.put(item, entry.getKey());
                }
            }
        });
        return owners;
    }
}
