package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Secrets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * JSON without the parameters in it: the settings that are passed on to a job's code, and the parameters of runs. What is
 * empty stays so. Pure.
 */
public final class HiddenParameters {
    /** Of a run, in each node that has one. */
    private static final String OF_RUN = "parameter";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private HiddenParameters() {}

    /** Wherever it has a member with such a name. */
    public static JsonNode in(JsonNode json) {
        return in(json, false);
    }

    /** @param hidden whether each value of it is hidden: it belongs to such a member */
    private static JsonNode in(JsonNode json, boolean hidden) {
        if (json instanceof ArrayNode array) {
            ArrayNode shown = MAPPER.createArrayNode();
            array.forEach(element -> shown.add(in(element, hidden)));
            return shown;
        }
        if (json instanceof ObjectNode object) {
            ObjectNode shown = MAPPER.createObjectNode();
            object.properties()
                    .forEach(member ->
                            shown.set(member.getKey(), in(member.getValue(), hidden || isHidden(member.getKey()))));
            return shown;
        }
        return !hidden || json.isNull() || json.asString().isEmpty() ? json : StringNode.valueOf(Secrets.MASK);
    }

    private static boolean isHidden(String name) {
        return name.equals(OF_RUN) || JobSettings.isParameter(name);
    }
}
